package site

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// small is a repository of one page and what it names.
var small = map[string]string{
	"docs/page.md": `# A page

Before the code.

[the loop](kernel.go#loop)

After it, a [link](page.md#more), [more](#more), [outside](https://example.org/x) and **bold** text with ` + "`code`" + `.

This leads to the second piece:

[an instruction](kernel.ptx#bar.sync)

There are [of them](counts.txt#bar) barriers.

## More

| a | b |
|---|--:|
| 1 | 2 |

![A square.](square.svg)

` + "```sh\ngo run . <x>\n```" + `

<details>
<summary>Hint</summary>
<p>Folded.</p>
</details>
`,
	"docs/kernel.go":  "package main\n\n//region loop\nfor x := range k.Range(0, n) {\n\tk.Sync()\n}\n//endregion loop\n",
	"docs/kernel.ptx": "\tbar.sync 0; // all\n",
	"docs/counts.txt": "   2  bar.sync\n",
	"docs/square.svg": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="9" height="9"/></svg>`,
}

// tree writes files below a folder of the test.
func tree(t *testing.T, files map[string]string) string {
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return root
}

// renderSmall renders docs/page.md of a repository.
func renderSmall(t *testing.T, files map[string]string) ([]row, problems) {
	root := tree(t, files)
	p, err := loadPage(root, "docs/page.md", "page.html")
	require.NoError(t, err)
	b := &builder{root: root, files: Files{}, pages: []*page{p}, at: outputs([]*page{p}),
		hl: newHighlighter(map[string]string{"Sync": "reference.html#Kernel.Sync"})}
	return b.rows(p), b.bad
}

func TestGoldenPage(t *testing.T) {
	rows, bad := renderSmall(t, small)
	require.NoError(t, bad.err())
	var out bytes.Buffer
	for _, r := range rows {
		out.WriteString("== before\n" + string(r.Before) + "== code\n" + string(r.Code) + "== after\n" + string(r.After))
	}
	file := filepath.Join("testdata", "page.html")
	if *update {
		require.NoError(t, os.WriteFile(file, out.Bytes(), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), out.String(), "run with -update if the change is meant")
}

// TestMissing: whatever a page names and is not there is told with its line.
func TestMissing(t *testing.T) {
	for _, c := range []struct{ why, text, want string }{
		{"a region", "# P\n\n[x](kernel.go#gone)\n", `docs/page.md:3: [x](kernel.go#gone): `},
		{"a region in a sentence", "# P\n\nSee [x](kernel.go#gone) there.\n", `docs/page.md:3: [x](kernel.go#gone): `},
		{"an instruction", "[x](kernel.ptx#wgmma)\n", "docs/page.md:1: [x](kernel.ptx#wgmma): "},
		{"a count", "[x](counts.txt#wgmma)\n", "counts no wgmma"},
		{"a report", "[x](no.json#v1/f16/8x8x8/tflops)\n", "docs/page.md:1: "},
		{"a page", "a\n\n[x](gone.md)\n", "docs/page.md:3: [x](gone.md): "},
		{"a heading of this page", "[x](#gone)\n", "docs/page.md:1: [x](#gone): this page has no heading #gone"},
		{"a heading of another", "[x](page.md#gone)\n", "docs/page.md has no heading #gone"},
		{"an image", "![A thing.](gone.svg)\n", "docs/page.md:1: "},
		{"a description", "![](square.svg)\n", "docs/page.md:1: the image square.svg has no description"},
		{"an image of another site", "![A.](https://example.org/x.png)\n", "is outside of the site"},
		{"a file outside", "[x](../../etc/passwd)\n", "is outside of the repository"},
	} {
		t.Run(c.why, func(t *testing.T) {
			files := map[string]string{}
			for name, text := range small {
				files[name] = text
			}
			files["docs/page.md"] = c.text
			_, bad := renderSmall(t, files)
			require.Error(t, bad.err())
			assert.Contains(t, bad.err().Error(), c.want)
		})
	}
}

func TestAnchor(t *testing.T) {
	taken := map[string]int{}
	assert.Equal(t, "two-barriers-for-each-stage", anchor("Two barriers, for each stage", taken))
	assert.Equal(t, "two-barriers-for-each-stage-1", anchor("Two barriers for each stage", taken), "a second one is told apart")
	assert.Equal(t, "wait_group-1", anchor("`wait_group` 1", taken))
}
