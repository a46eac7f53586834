package notebook

import (
	"bytes"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/lessons"
)

const repository = "../.."

// read is a notebook as Jupyter reads it.
type read struct {
	Cells []struct {
		Kind    string    `json:"cell_type"`
		ID      string    `json:"id"`
		Source  []string  `json:"source"`
		Outputs *[]string `json:"outputs"`
	} `json:"cells"`
	Metadata map[string]map[string]string `json:"metadata"`
	Format   int                          `json:"nbformat"`
	Minor    int                          `json:"nbformat_minor"`
}

func load(t *testing.T, data []byte) (n read) {
	t.Helper()
	require.NoError(t, json.Unmarshal(data, &n))
	return n
}

// code is the text of the cells that run, in order.
func (n read) code() (texts []string) {
	for _, c := range n.Cells {
		if c.Kind == "code" {
			texts = append(texts, strings.Join(c.Source, ""))
		}
	}
	return texts
}

// prose is the text of the others.
func (n read) prose() string {
	var texts []string
	for _, c := range n.Cells {
		if c.Kind == "markdown" {
			texts = append(texts, strings.Join(c.Source, ""))
		}
	}
	return strings.Join(texts, "\n\n")
}

// TestEveryLesson: what nbformat 4.5 asks of a notebook, and that nothing of a
// page is left that leads nowhere.
func TestEveryLesson(t *testing.T) {
	leftover := regexp.MustCompile(`\]\((?:[^)h]|h[^t])[^)]*\)`)
	for _, l := range lessons.All() {
		t.Run(l.Name, func(t *testing.T) {
			data, err := Make(repository, l)
			require.NoError(t, err)
			again, err := Make(repository, l)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(data, again), "the same sources give the same bytes")
			assert.True(t, Is(data))
			assert.False(t, strings.Contains(string(data), `\u003c`), "it reads well in a diff")

			n := load(t, data)
			assert.Equal(t, 4, n.Format)
			assert.Equal(t, 5, n.Minor)
			assert.Equal(t, "gonb", n.Metadata["kernelspec"]["name"])
			ids := map[string]bool{}
			for _, c := range n.Cells {
				assert.Regexp(t, `^[a-zA-Z0-9_-]{1,64}$`, c.ID)
				assert.False(t, ids[c.ID], "two cells have the id %s", c.ID)
				ids[c.ID] = true
				assert.Equal(t, c.Kind == "code", c.Outputs != nil, "outputs belong to code")
				assert.NotEmpty(t, strings.TrimSpace(strings.Join(c.Source, "")))
				for i, line := range c.Source {
					assert.Equal(t, i < len(c.Source)-1, strings.HasSuffix(line, "\n"), "every line but the last has its end")
				}
			}
			for _, target := range leftover.FindAllString(n.prose(), -1) {
				assert.Regexp(t, `^\]\((data:image/svg\+xml;base64,|v\d\.ipynb\))`, target)
			}

			kernel, err := os.ReadFile(filepath.Join(repository, l.Folder, "kernel.go"))
			require.NoError(t, err)
			handed := 0
			for _, text := range n.code() {
				if rest, ok := strings.CutPrefix(text, "%%writefile "); ok {
					_, text, _ := strings.Cut(rest, "\n")
					assert.Equal(t, string(kernel), text+"\n", "the reader gets the whole kernel")
					handed++
					continue
				}
				for _, line := range strings.Split(text, "\n") {
					assert.True(t, strings.HasPrefix(line, "!"), "a line of Go would run alone, without the lesson: %s", line)
					assert.NotContains(t, line, "-tags cuda")
				}
			}
			assert.Equal(t, 1, handed)
		})
	}
}

// TestV3 looks at the parts of one notebook.
func TestV3(t *testing.T) {
	l, ok := lessons.Find("v3")
	require.True(t, ok)
	data, err := Make(repository, l)
	require.NoError(t, err)
	n := load(t, data)
	prose := n.prose()
	for part, want := range map[string]string{
		"its title":                 "# V3: producer warp, consumer warpgroup\n",
		"a piece of the kernel":     "*The consumer's loop*, `lessons/v3/kernel.go`, from line ",
		"in Go":                     "```go\nacc := k.Accumulator(t.M, t.N)\n",
		"a number that is recorded": "V3 reaches 5",
		"a figure":                  "![A producer and a consumer over time, with two stages.",
		"the next lesson":           "[V4](v4.ipynb) puts",
		"a link to the Web":         "(https://github.com/NVIDIA/cutlass/issues/1840)",
		"what needs a GPU":          "```sh\ngo run -tags cuda ./lessons/v3 -bench -tile-n 128 -stages 3\n```",
	} {
		assert.True(t, strings.Contains(prose, want), "%s: %s", part, want)
	}
	code := n.code()
	assert.Equal(t, "!go list -m", code[0])
	assert.Equal(t, "!go run gohopper/lessons/v3", code[1])
	assert.Equal(t, "!go run -overlay=/tmp/gohopper-v3-overlay.json gohopper/lessons/v3 -device emu", code[len(code)-1], "an exercise runs the reader's kernel")
}

// TestMistakes: what a page names and is not there is told with its line.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ why, text, want string }{
		{"a region", "# L\n\n[x](kernel.go#gone)\n", "lessons/v0/lesson.md:3: [x](kernel.go#gone): "},
		{"a region in a sentence", "# L\n\none\ntwo [x](kernel.go#gone).\n", "lessons/v0/lesson.md:4: [x](kernel.go#gone): "},
		{"a report", "[x](no.json#v1/f16/8x8x8/tflops)\n", "lessons/v0/lesson.md:1: "},
		{"a page", "a\n\n[x](gone.md)\n", "lessons/v0/lesson.md:3: [x](gone.md): there is no lessons/v0/gone.md"},
		{"a figure", "![A thing.](gone.svg)\n", "lessons/v0/lesson.md:1: ![A thing.](gone.svg): "},
		{"a figure of another kind", "![A thing.](gone.png)\n", "only SVG figures"},
		{"a figure of another site", "![A thing.](https://example.org/x.svg)\n", "is outside of the repository"},
		{"two at once", "[x](gone.md) and\n[y](gone.md)\n", "lesson.md:2: [y](gone.md)"},
	} {
		t.Run(c.why, func(t *testing.T) {
			_, err := Make(tree(t, c.text), lessons.All()[0])
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.want)
		})
	}
}

// tree is a repository of one lesson.
func tree(t *testing.T, text string) string {
	root := t.TempDir()
	folder := filepath.Join(root, filepath.FromSlash(lessons.All()[0].Folder))
	require.NoError(t, os.MkdirAll(folder, 0o755))
	for name, text := range map[string]string{"lesson.md": text, "kernel.go": "package main\n"} {
		require.NoError(t, os.WriteFile(path.Join(folder, name), []byte(text), 0o644))
	}
	return root
}

func TestBlocks(t *testing.T) {
	got := blocks("# T\n\none\ntwo\n```sh\na\n\nb\n```\nthree\n")
	require.Len(t, got, 4)
	assert.Equal(t, "one\ntwo", got[1].text)
	assert.Equal(t, 3, got[1].line)
	assert.False(t, got[1].code)
	assert.Equal(t, "```sh\na\n\nb\n```", got[2].text, "an empty line in a fence belongs to it")
	assert.Equal(t, "sh", got[2].fence)
	assert.Equal(t, 5, got[2].line)
	assert.Equal(t, 10, got[3].line)
}

// TestCommands: what needs a GPU, or is no lesson's run, stays text.
func TestCommands(t *testing.T) {
	l, _ := lessons.Find("v3")
	for _, c := range []struct {
		why, command, want string
		changed            bool
	}{
		{"by its import path", "go run ./lessons/v3 -seed 2", "go run gohopper/lessons/v3 -seed 2", false},
		{"the reader's kernel", "go run ./lessons/v3 -seed 2", "go run -overlay=/tmp/gohopper-v3-overlay.json gohopper/lessons/v3 -seed 2", true},
		{"another lesson is as it is", "go run ./lessons/v2", "go run gohopper/lessons/v2", true},
		{"a pipe", "go run ./lessons/v2 -ptx | grep -c wgmma", "go run gohopper/lessons/v2 -ptx | grep -c wgmma", false},
		{"built for a GPU", "go run -tags cuda ./lessons/v3", "", false},
		{"timed", "go run ./lessons/v3 -bench", "", false},
		{"something else", "nvidia-smi", "", false},
	} {
		got, ok := (&writer{lesson: l, changed: c.changed}).command(c.command)
		assert.Equal(t, c.want != "", ok, c.why)
		assert.Equal(t, c.want, got, c.why)
	}
}
