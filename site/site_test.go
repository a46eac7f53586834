package site

import (
	"maps"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// heaviest is the most bytes that a page may have with its style, its scripts
// and its figures, before the program and the index of the search.
const heaviest = 300_000

// TestMake makes the whole site. Make itself refuses dead links and anchors,
// requests outside, images without a description and skipped headings.
func TestMake(t *testing.T) {
	files, err := Make(repository)
	require.NoError(t, err)
	for _, name := range []string{homeOut, lessonsOut, referenceOut, missingOut, "v0.html", "v7.html", "method.html",
		"emulator.html", "errata.html", "glossary.html", "rules.html", museumOut, "b01.html", "r02.html", "assets/search.js", "files/plots/data/ladder.json"} {
		assert.Contains(t, files, name)
	}
	again, err := Make(repository)
	require.NoError(t, err)
	assert.True(t, maps.EqualFunc(files, again, func(a, b []byte) bool { return string(a) == string(b) }), "the same sources give the same bytes")

	shared := 0
	for _, name := range []string{"assets/site.css", "assets/site.js", "assets/theme.js", "assets/run.js", "assets/icon.svg",
		"assets/timeline.css", "assets/trace.js", "assets/timeline-draw.js", "assets/timeline.js", "assets/quiz.js"} {
		shared += len(files[name])
	}
	for _, name := range files.Names() {
		if path.Ext(name) != ".html" {
			continue
		}
		total := shared + len(files[name])
		for _, m := range references.FindAllStringSubmatch(string(files[name]), -1) {
			if strings.Contains(m[0], "src=") && path.Ext(m[1]) == ".svg" {
				total += len(files[m[1]])
			}
		}
		assert.Less(t, total, heaviest, "%s with all that it loads", name)
		assert.NotContains(t, string(files[name]), "testdata/words.txt:", "%s has no leftovers of directives", name)
	}
}

// TestLessonPage looks at the parts of one page.
func TestLessonPage(t *testing.T) {
	files, err := Make(repository)
	require.NoError(t, err)
	page := string(files["v3.html"])
	for part, want := range map[string]string{
		"a region beside the prose":       `<figcaption><span>the consumer's loop</span> <a href="v3.html#kernel.go:`,
		"a word that leads to its PTX":    `<a class="w" href="reference.html#Kernel.WgmmaFence">WgmmaFence</a>`,
		"a number with its record":        `title="recorded: ladder.json, v3/f16/8192x8192x8192/ratio"`,
		"the step from the lesson before": `What changed since V2:`,
		"the recorded output":             `within their bounds`,
		"a field of the tile":             `placeholder="192"`,
		"a hint that is folded":           `<summary>Hint</summary>`,
		"the neighbours":                  `<a rel="next" href="v4.html">`,
	} {
		assert.Contains(t, page, want, part)
	}
	assert.NotContains(t, page, "](", "no Markdown is left")
	assert.Contains(t, string(files["v7.html"]), `placeholder="auto"`, "a tile that the shape chooses")
	assert.NotContains(t, string(files["v0.html"]), "What changed since", "nothing is before V0")
}
