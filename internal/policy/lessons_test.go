package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/excerpt"
)

// shape is the files of every lesson.
var shape = []string{
	"kernel.go", "main.go", "kernel_test.go", "bench_test.go", "lesson.md",
	"testdata/kernel.ptx", "testdata/counts.txt",
}

// programs is the folders of the lessons: those with a main.go.
func programs(t *testing.T) []string {
	mains, err := filepath.Glob(filepath.Join(root, "lessons", "*", "main.go"))
	require.NoError(t, err)
	require.NotEmpty(t, mains)
	var folders []string
	for _, m := range mains {
		folders = append(folders, filepath.Dir(m))
	}
	return folders
}

// apart is the programs among the lessons that have a shape of their own, and
// why. Their pages and regions are checked like all others.
var apart = map[string]string{
	"museum": "it has many kernels, wrong on purpose, and a page for each; its own tests hold them together",
}

func TestLessonShape(t *testing.T) {
	for _, folder := range programs(t) {
		if apart[filepath.Base(folder)] != "" {
			continue
		}
		for _, name := range shape {
			assert.FileExists(t, filepath.Join(folder, filepath.FromSlash(name)))
		}
	}
}

// TestRegions: the markers in the lessons' code pair up.
func TestRegions(t *testing.T) {
	for _, folder := range programs(t) {
		sources, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		for _, s := range sources {
			_, err := excerpt.Regions(s)
			assert.NoError(t, err)
		}
	}
}

// TestProse checks every lesson's pages; TestLessonShape reports a missing one.
func TestProse(t *testing.T) {
	for _, folder := range programs(t) {
		pages, err := filepath.Glob(filepath.Join(folder, "*.md"))
		require.NoError(t, err)
		for _, page := range pages {
			text, err := os.ReadFile(page)
			require.NoError(t, err)
			for _, problem := range badProse(folder, string(text)) {
				t.Errorf("%s:%s", page, problem)
			}
		}
	}
}

// badProse lists what is wrong with a page in a folder, a line each: code that
// was pasted instead of named, directives and links that lead nowhere.
func badProse(folder, text string) []string {
	bad := pasted(text)
	for _, d := range excerpt.Directives(text) {
		if _, err := d.Resolve(folder); err != nil {
			bad = append(bad, fmt.Sprintf("%d: [%s](%s#%s): %v", d.Line, d.Label, d.File, d.Fragment, err))
		}
	}
	return append(bad, deadLinks(folder, text)...)
}

// fence is the line that begins or ends a block of code; what follows the
// marks is its language.
var fence = regexp.MustCompile("^\\s*(```+|~~~+)\\s*(\\S*)")

// pasted lists the blocks of code on a page. Only commands and drawings may be
// there; Go, PTX and numbers are named, so that they cannot go stale.
func pasted(text string) []string {
	var bad []string
	open := ""
	for i, line := range strings.Split(text, "\n") {
		m := fence.FindStringSubmatch(line)
		switch {
		case m == nil:
		case open != "":
			if m[2] == "" && strings.HasPrefix(m[1], open) {
				open = ""
			}
		default:
			open = m[1]
			if m[2] != "sh" && m[2] != "text" {
				bad = append(bad, fmt.Sprintf("%d: a block of %q: prose names a region, it holds no code; only sh and text may stand here", i+1, m[2]))
			}
		}
	}
	return bad
}

// local is an inline link to a file without a fragment, or to a page.
var local = regexp.MustCompile(`\]\(([^)\s#:]+|[^)\s#:]+\.md#[^)\s]*)\)`)

// deadLinks lists the links to local files, directives aside, that are not
// there.
func deadLinks(folder, text string) []string {
	var bad []string
	for _, m := range local.FindAllStringSubmatchIndex(text, -1) {
		target, _, _ := strings.Cut(text[m[2]:m[3]], "#")
		if _, err := os.Stat(filepath.Join(folder, filepath.FromSlash(target))); err != nil {
			bad = append(bad, fmt.Sprintf("%d: a link to %s: %v", 1+strings.Count(text[:m[2]], "\n"), target, err))
		}
	}
	return bad
}

// TestProseRulesCatch breaks each rule of a page.
func TestProseRulesCatch(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"kernel.go":  "package main\n\n//region loop\nvar x int\n//endregion loop\n",
		"kernel.ptx": "\tbar.sync 0;\n",
		"counts.txt": "   2  bar.sync\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	for _, c := range []struct{ why, text, want string }{
		{"a page as it should be", "# V1\n\nSee [the loop](kernel.go#loop), [a barrier](kernel.ptx#bar.sync), of [n](counts.txt#bar).\n\n```sh\ngo run .\n```\n\n[all of it](kernel.go), [above](#v1), [PTX](https://docs.nvidia.com/x.html#y)\n", ""},
		{"a region that is gone", "x\n[loop](kernel.go#main)\n", `2: [loop](kernel.go#main): `},
		{"a file that is gone", "[loop](old.go#loop)", "1: [loop](old.go#loop): open "},
		{"an opcode that is gone", "[wgmma](kernel.ptx#wgmma)", "has no instruction wgmma"},
		{"a count that is gone", "[wgmma](counts.txt#wgmma)", "counts no wgmma"},
		{"a report that is gone", "[speed](x.json#v1/f16/8x8x8/tflops)", "cannot read the report"},
		{"pasted Go", "a\n\n```go\nx := 1\n```\n", `3: a block of "go"`},
		{"pasted PTX", "~~~ptx\nbar.sync 0;\n~~~\n", `1: a block of "ptx"`},
		{"pasted without saying what", "```\nx\n```\n", `1: a block of ""`},
		{"a block in a list", "- x\n\n  ```c\n  x\n  ```\n", `3: a block of "c"`},
		{"a link to nothing", "[x](testdata/kernel.ptx)", "1: a link to testdata/kernel.ptx: "},
		{"a page that is gone", "[x](../v9/lesson.md#ring)", "1: a link to ../v9/lesson.md: "},
	} {
		t.Run(c.why, func(t *testing.T) {
			got := strings.Join(badProse(folder, c.text), "\n")
			if c.want == "" {
				assert.Empty(t, got)
				return
			}
			assert.Contains(t, got, c.want)
		})
	}
}
