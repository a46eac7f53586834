package hopper

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/ptx"
)

var update = flag.Bool("update", false, "rewrite testdata/words.txt")

// word is a small recording of one word. Its PTX is in testdata/words.txt,
// under the same name and reason.
type word struct {
	name    string // "Kernel.Sync", "Int.Add", "New"
	why     string // why the PTX is as it is
	record  func(k *Kernel)
	options []Option
}

func words() []word {
	var all []word
	for _, table := range [][]word{kernelWords(), valueWords(), controlWords(), sharedWords(), copyWords(), matrixWords(), pipelineWords()} {
		all = append(all, table...)
	}
	return all
}

// module records a word in a kernel of its own.
func (w word) module(t *testing.T) *ptx.Module {
	k := New("words", w.options...)
	w.record(k)
	m, err := k.Module()
	require.NoError(t, err)
	return m
}

func (w word) title() string { return w.name + ": " + w.why }

const wordsFile = "testdata/words.txt"

// TestWords holds each word to the PTX that it must emit.
func TestWords(t *testing.T) {
	if *update {
		var b strings.Builder
		for _, w := range words() {
			b.WriteString(w.title() + "\n" + w.emitted(t) + "\n")
		}
		require.NoError(t, os.WriteFile(wordsFile, []byte(b.String()), 0o644))
	}
	want := sections(t, wordsFile)
	for _, w := range words() {
		t.Run(w.name, func(t *testing.T) {
			require.NotEmpty(t, w.why, "a case says why its PTX is as it is")
			require.Contains(t, want, w.title(), "go test -update writes %s", wordsFile)
			assert.Equal(t, want[w.title()], w.emitted(t), w.title())
			delete(want, w.title())
		})
	}
	assert.Empty(t, want, "%s has sections that no case writes; run go test -update", wordsFile)
}

// TestEveryWordHasACase reads the package's source, so that a new word fails
// here until it has a case.
func TestEveryWordHasACase(t *testing.T) {
	have := map[string]bool{}
	for _, w := range words() {
		have[w.name] = true
	}
	exported := exportedWords(t)
	require.Greater(t, len(exported), 80)
	for _, name := range exported {
		assert.True(t, have[name], "%s has no case among the words", name)
	}
	for name := range have {
		assert.Contains(t, exported, name, "a case for a word that does not exist")
	}
}

// TestWordsRoundTrip prints and parses every recording.
func TestWordsRoundTrip(t *testing.T) {
	for _, w := range words() {
		t.Run(w.name, func(t *testing.T) {
			m := w.module(t)
			text := ptx.Print(m)
			back, err := ptx.Parse(text)
			require.NoError(t, err, text)
			assert.True(t, ptx.Equal(m, back), text)
		})
	}
}

// emitted is what a word adds to the text of a kernel that records nothing,
// without the declarations of registers.
func (w word) emitted(t *testing.T) string {
	empty := word{record: func(*Kernel) {}}.module(t)
	common := map[string]bool{"": true, ")": true}
	if w.name != "New" {
		for line := range strings.Lines(ptx.PrintBare(empty)) {
			common[strings.TrimSpace(line)] = true
		}
	}
	var b strings.Builder
	for line := range strings.Lines(ptx.PrintBare(w.module(t))) {
		line = strings.TrimSpace(line)
		if !common[line] && !strings.HasPrefix(line, ".reg") && line != ".visible .entry words(" {
			b.WriteString("\t" + line + "\n")
		}
	}
	return b.String()
}

// sections reads a file of titles at the margin, each with indented lines.
func sections(t *testing.T, file string) map[string]string {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	out := map[string]string{}
	title := ""
	for _, line := range strings.SplitAfter(string(text), "\n") {
		switch {
		case strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "\t"):
			out[title] += line
		default:
			title = strings.TrimSpace(line)
			require.NotContains(t, out, title, "two sections of one title")
			out[title] = ""
		}
	}
	return out
}

// exportedWords are the functions and methods that the package exports:
// "New", "Kernel.Sync".
func exportedWords(t *testing.T) []string {
	files := token.NewFileSet()
	sources, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var names []string
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, source, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				receiver := f.Recv.List[0].Type
				if star, ok := receiver.(*ast.StarExpr); ok {
					receiver = star.X
				}
				name = receiver.(*ast.Ident).Name + "." + name
			}
			names = append(names, name)
		}
	}
	return names
}
