package site

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gomarkdown/markdown/ast"
)

// TestFiguresPage: the page shows every figure in a state that needs no script,
// and only that page loads theirs.
func TestFiguresPage(t *testing.T) {
	files, err := Make(repository)
	require.NoError(t, err)
	page := string(files[figuresOut])
	assert.Equal(t, 4, strings.Count(page, `<svg xmlns="http://www.w3.org/2000/svg" class="drawing"`))
	for part, want := range map[string]string{
		"the state in words":           `<p class="running-said" role="status">Element (3, 18) lies at byte 404`,
		"the values":                   `<th scope="row">byte offset in shared memory</th>`,
		"settings, once scripts run":   `<form aria-label="Settings: Raster order" novalidate hidden>`,
		"a choice":                     `<option value="128" selected>128 bytes</option>`,
		"a number with its limits":     `<input type="number" name="count" min="1" max="8" step="1" value="1"`,
		"a button that adds a step":    `data-for="steps" data-add="wait 1">+ wait 1</button>`,
		"a number that can be played":  `data-for="wave" data-play>Play</button>`,
		"an output that is empty":      `aria-label="What the emulator found" hidden>`,
		"the lesson that needs it":     `<a href="v0.html#the-swizzle">V0</a>`,
		"the script that runs figures": `<script src="assets/figures.js" defer></script>`,
	} {
		assert.Contains(t, page, want, part)
	}
	for _, name := range []string{homeOut, "v3.html", referenceOut} {
		assert.NotContains(t, string(files[name]), "figures.js", name)
	}
	for lesson, anchor := range map[string]string{"v0": "swizzle", "v3": "phases-of-an-mbarrier", "v4": "raster-order"} {
		assert.Contains(t, string(files[lesson+".html"]), `href="figures.html#`+anchor+`"`, "%s leads to its figure", lesson)
	}
}

// TestFiguresThatAreNotThere: a drawing or its answer that is missing is told
// with the page's line.
func TestFiguresThatAreNotThere(t *testing.T) {
	for _, c := range []struct {
		why   string
		files map[string]string
		want  string
	}{
		{"no drawing", map[string]string{"a.json": "{}"}, "a.svg"},
		{"no answer", map[string]string{"a.svg": "<svg/>"}, "go test ./site/figures -update makes it"},
		{"an answer that is none", map[string]string{"a.svg": "<svg/>", "a.json": "["}, "recorded/a.json: "},
	} {
		files := map[string]string{figuresFolder + "/README.md": "# F\n\n## A\n\n![A.](recorded/a.svg)\n"}
		for name, text := range c.files {
			files[figuresFolder+"/recorded/"+name] = text
		}
		root := tree(t, files)
		p, err := loadPage(root, figuresFolder+"/README.md", figuresOut)
		require.NoError(t, err)
		b := &builder{root: root, files: Files{}, pages: []*page{p}, at: outputs([]*page{p})}
		b.rows(p)
		require.Error(t, b.bad.err(), c.why)
		assert.Contains(t, b.bad.err().Error(), figuresFolder+"/README.md:5: ", c.why)
		assert.Contains(t, b.bad.err().Error(), c.want, c.why)
	}
}

func TestFigureKnowsItsSection(t *testing.T) {
	root := tree(t, map[string]string{"a.md": "# F\n\n![A.](a.svg)\n\n## B\n\nx\n\n![B.](b.svg)\n\n## C\n"})
	p, err := loadPage(root, "a.md", figuresOut)
	require.NoError(t, err)
	var titles []string
	for _, block := range p.blocks {
		if n, ok := lone(block).(*ast.Image); ok {
			titles = append(titles, pageRenderer{page: p}.section(n))
		}
	}
	assert.Equal(t, []string{"F", "B"}, titles)
}
