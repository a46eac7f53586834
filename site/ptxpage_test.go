package site

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPTXPage: the page has every example as its files have it, so that what a
// reader runs and what a reader without scripts sees is the same.
func TestPTXPage(t *testing.T) {
	files, err := Make(repository)
	require.NoError(t, err)
	page := string(files[ptxOut])
	for _, name := range examples() {
		_, part, ok := strings.Cut(page, `id="example-`+name+`"`)
		require.True(t, ok, "%s is not on the page", name)
		part, _, _ = strings.Cut(part, "</details>")
		codes := regexp.MustCompile(`(?s)<code class="(language-ptx|language-json|recorded)">(.*?)</code>`).FindAllStringSubmatch(part, -1)
		require.Len(t, codes, 3)
		for i, ext := range []string{".ptx", ".json", ".txt"} {
			want, err := os.ReadFile(filepath.Join(repository, examplesFolder, name+ext))
			require.NoError(t, err)
			assert.Equal(t, string(want), html.UnescapeString(tag.ReplaceAllString(codes[i][2], "")), "%s%s", name, ext)
			if ext != ".txt" {
				assert.Equal(t, string(want), string(files[copied(examplesFolder+"/"+name+ext)]), "it can be taken home")
			}
		}
		assert.Contains(t, page, `<option value="`+name+`">`)
		assert.Contains(t, page, "lesson sanitize site/examples/"+name+".ptx -launch site/examples/"+name+".json")
	}
	listed, err := filepath.Glob(filepath.Join(repository, examplesFolder, "*.ptx"))
	require.NoError(t, err)
	assert.Len(t, listed, len(examples()), "an example that is in the folder is on the page")

	for part, want := range map[string]string{
		"a label for the PTX":       `<label for="ptx-text">`,
		"a label for the launch":    `<label for="launch-text">`,
		"a label for the examples":  `<label for="example">`,
		"a status that is read out": `<span id="status" role="status">`,
		"the limit of time":         `data-seconds="20"`,
		"the same in words":         "A run ends after 20 seconds",
		"the page of the rules":     `data-rules="rules.html"`,
		"the fields of a launch":    "bytes of dynamic shared memory",
		"its place in the menu":     `<a href="ptx.html" title="Run your own PTX" aria-current="page">PTX</a>`,
	} {
		assert.Contains(t, page, want, part)
	}
	for _, m := range regexp.MustCompile(`<script src="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		assert.Contains(t, files, m[1])
	}
	assert.Contains(t, string(files["assets/search.js"]), "A missing proxy fence", "the search finds the examples")
	assert.Contains(t, string(files["your-own-ptx.html"]), `<a href="ptx.html">does the same in a browser</a>`)
}

// TestPTXExampleMissing: what an example lacks is told with what to do.
func TestPTXExampleMissing(t *testing.T) {
	whole := map[string]string{"k.ptx": "// A kernel\n// To be\n// looked at.\n.version 8.0\n", "k.json": "{}\n", "k.txt": "k: 0 findings under 1 seed\n"}
	for _, c := range []struct{ why, file, text, want string }{
		{"all is there", "", "", ""},
		{"no launch", "k.json", "", "k.json"},
		{"nothing was recorded", "k.txt", "", "go test ./site/playground -update makes what is recorded"},
		{"no comment", "k.ptx", ".version 8.0\n", "the PTX begins with no comment"},
		{"a title alone", "k.ptx", "// A kernel\n.version 8.0\n", "the PTX begins with no comment"},
	} {
		t.Run(c.why, func(t *testing.T) {
			files := map[string]string{}
			for name, text := range whole {
				if name == c.file {
					text = c.text
				}
				if text != "" {
					files[examplesFolder+"/"+name] = text
				}
			}
			b := &builder{root: tree(t, files), files: Files{}, hl: newHighlighter(nil)}
			e, err := b.ptxExample("k")
			if c.want == "" {
				require.NoError(t, err)
				assert.Equal(t, []any{"A kernel", "To be looked at.", 4}, []any{e.Title, e.Note, e.Lines})
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}
