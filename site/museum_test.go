package site

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rendered has the pages that are written in Markdown, by their names.
func rendered(t *testing.T) *builder {
	b := &builder{root: repository, files: Files{}}
	require.NoError(t, b.read())
	require.NoError(t, b.renderPages())
	require.NoError(t, b.bad.err())
	return b
}

// TestMuseum: every exhibit has a page with all its parts, and the hall leads
// to each.
func TestMuseum(t *testing.T) {
	b := rendered(t)
	files := b.files
	var all []*exhibit
	for _, p := range b.pages {
		if p.exhibit != nil {
			all = append(all, p.exhibit)
		}
	}
	pages, err := filepath.Glob(filepath.Join(repository, "lessons", "museum", "[br][0-9][0-9].md"))
	require.NoError(t, err)
	assert.Len(t, all, len(pages), "every page is an exhibit's")
	hall := string(files[museumOut])
	rules := string(files["rules.html"])
	for i, e := range all {
		page := string(files[e.ID+".html"])
		for part, want := range map[string]string{
			"the rule":               `<a href="rules.html#` + e.Rule + `"><code>` + e.Rule + `</code></a>`,
			"the lesson":             `<a href="` + e.Lesson + `.html">`,
			"the kernel":             `<details class="source" id="` + e.kernel + `">`,
			"the recorded finding":   `[<a href="rules.html#` + e.Rule + `">` + e.Rule + `</a>]`,
			"a line that it blames":  `<a href="#` + e.kernel + `:`,
			"the repaired form's":    `No findings.`,
			"what the button runs":   `value="` + e.ID + ` -repaired"`,
			"a hint that is folded":  `<summary>Hint</summary>`,
			"an excerpt's own place": `<figcaption><span>`,
		} {
			assert.True(t, strings.Contains(page, want), "%s: %s", e.ID, part)
		}
		assert.Regexp(t, `<(del>-|ins>\+)`, page, "%s: a line that differs", e.ID)
		assert.NotContains(t, page, "](", "%s: no Markdown is left", e.ID)
		assert.Contains(t, hall, `<a href="`+e.ID+`.html">`+e.Short()+`</a>`)
		assert.Contains(t, rules, `<h3 id="`+e.Rule+`">`)
		if i > 0 {
			assert.Contains(t, page, `<a rel="prev" href="`+all[i-1].ID+`.html">`)
		}
		for _, m := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(page, -1) {
			if !strings.Contains(m[1], "<") {
				assert.Contains(t, page, `id="`+m[1]+`"`, "%s: a link within the page leads somewhere", e.ID)
			}
		}
	}
	assert.Contains(t, string(files["v7.html"]), `href="museum.html"`, "the menu leads to the hall")
}

// TestMuseumMistakes: what an exhibit lacks is told with its file.
func TestMuseumMistakes(t *testing.T) {
	for _, c := range []struct{ why, list, page, want string }{
		{"no exhibit", "package main\n", "", "lessons/museum/exhibit.go: there is no exhibit"},
		{"no page", "package main\n\nvar x = E{ID: \"b01\"}\n", "", "lessons/museum/b01.md: "},
		{"no rule", "package main\n\nvar x = E{ID: \"b01\", Base: ringBase()}\n", "# B1: x\n", "lessons/museum/b01.md: it does not name its rule"},
	} {
		t.Run(c.why, func(t *testing.T) {
			files := map[string]string{"site/home.md": "# H\n", "lessons/README.md": "# L\n", "lessons/museum/lesson.md": "# M\n", "lessons/museum/exhibit.go": c.list}
			if c.page != "" {
				files["lessons/museum/b01.md"] = c.page
			}
			_, err := loadPages(tree(t, files))
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// TestForms: every decision about the fault is taken, and no other.
func TestForms(t *testing.T) {
	const source = `package main

func k(f Fault, n int) {
	//region x
	if f != A {
		fence() // blame b01
	}
	if f == B {
		one()
	} else if f == A || f == C {
		two()
	} else {
		three()
	}
	switch f {
	case A:
		meet()
	case B, C:
		wait()
		meet()
	default:
		wait()
	}
	if n > 0 {
		if f == C {
			break
		}
		more()
	}
	//endregion x
}
`
	for fault, want := range map[string]string{
		"A":    "\ttwo()\n\tmeet()\n\tif n > 0 {\n\t\tmore()\n\t}\n",
		"B":    "\tfence()\n\tone()\n\twait()\n\tmeet()\n\tif n > 0 {\n\t\tmore()\n\t}\n",
		"C":    "\tfence()\n\ttwo()\n\twait()\n\tmeet()\n\tif n > 0 {\n\t\tbreak\n\t\tmore()\n\t}\n",
		"None": "\tfence()\n\tthree()\n\twait()\n\tif n > 0 {\n\t\tmore()\n\t}\n",
	} {
		got, err := formOf(source, fault)
		require.NoError(t, err)
		assert.Equal(t, "package main\n\nfunc k(f Fault, n int) {\n"+want+"}\n", got, fault)
	}
	_, err := formOf("package", "A")
	assert.Error(t, err, "what is no Go")
}

// TestFormsOfTheMuseum: no decision about the fault is left in a kernel.
func TestFormsOfTheMuseum(t *testing.T) {
	for _, name := range []string{"ring.go", "chain.go", "warps.go"} {
		text, err := os.ReadFile(filepath.Join(repository, "lessons", "museum", name))
		require.NoError(t, err)
		form, err := formOf(string(text), repairedFault)
		require.NoError(t, err)
		assert.NotRegexp(t, `\bf (==|!=) `, form, name)
	}
}

func TestLinked(t *testing.T) {
	here := map[string]bool{"ring.go:7": true}
	for _, c := range []struct{ why, text, want string }{
		{"a line of the page", "at museum/ring.go:7 (ptx", `at <a href="#ring.go:7">museum/ring.go:7</a> (ptx`},
		{"a line of another page", "at museum/ring.go:8", "at museum/ring.go:8"},
		{"a rule's address", "rule: docs/rules.md#race\n", `rule: <a href="rules.html#race">docs/rules.md#race</a>` + "\n"},
		{"a rule in brackets", "wrong [peer-form]\nat", `wrong [<a href="rules.html#peer-form">peer-form</a>]` + "\nat"},
		{"brackets that are none", "st [bar], 4", "st [bar], 4"},
		{"marks of HTML", "a < b", "a &lt; b"},
	} {
		assert.Equal(t, c.want, string(linked(c.text, here)), c.why)
	}
}
