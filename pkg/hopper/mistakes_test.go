package hopper

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/ptx"
)

// mistake is a call that an author may plausibly write, and what it is told.
type mistake struct {
	name    string
	call    func(k *Kernel) (line string) // where the message must point
	want    string                        // HERE stands for the line
	options []Option
}

func mistakes() []mistake {
	var all []mistake
	for _, table := range [][]mistake{kernelMistakes(), scopeMistakes(), valueMistakes(), sharedMistakes(), mbarrierMistakes(), copyMistakes(), matrixMistakes()} {
		all = append(all, table...)
	}
	return all
}

// here is the line of its caller, as a message gives it.
func here() string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("hopper/%s:%d", filepath.Base(file), line)
}

// previous is a line of the same file, further up.
func previous(line string, by int) string {
	file, number, _ := strings.Cut(line, ":")
	n, err := strconv.Atoi(number)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("%s:%d", file, n-by)
}

// TestMistakes holds each mistake to its exact message and its line.
func TestMistakes(t *testing.T) {
	for _, c := range mistakes() {
		t.Run(c.name, func(t *testing.T) {
			k := New("wrong", c.options...)
			line := c.call(k)
			m, err := k.Module()
			assert.Nil(t, m)
			want := line + ": " + strings.ReplaceAll(c.want, "HERE", line)
			assert.EqualError(t, err, "kernel wrong cannot be recorded:\n"+want)
		})
	}
}

// TestEveryMistakeHasACase reads the package's source: each format that is
// given to mistake or mistakeAt has a case that it could have written.
func TestEveryMistakeHasACase(t *testing.T) {
	formats := mistakeFormats(t)
	require.Greater(t, len(formats), 50)
	var wants []string
	for _, c := range mistakes() {
		wants = append(wants, c.want)
	}
	for _, c := range newMistakes() {
		wants = append(wants, c.want)
	}
	verb := regexp.MustCompile(`%[#0-9]*[a-zA-Z]`)
	for _, format := range formats {
		pattern := regexp.MustCompile("(?s)^" + verb.ReplaceAllString(regexp.QuoteMeta(format), ".*") + "$")
		found := false
		for _, want := range wants {
			found = found || pattern.MatchString(want)
		}
		assert.True(t, found, "no case makes the mistake %q", format)
	}
}

func mistakeFormats(t *testing.T) []string {
	files := token.NewFileSet()
	sources, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var formats []string
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, source, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || name.Sel.Name != "mistake" && name.Sel.Name != "mistakeAt" {
				return true
			}
			for _, arg := range call.Args {
				if text, ok := arg.(*ast.BasicLit); ok && text.Kind == token.STRING {
					format, err := strconv.Unquote(text.Value)
					require.NoError(t, err)
					formats = append(formats, format)
					break
				}
			}
			return true
		})
	}
	return formats
}

// TestMistakesAreReportedTogether: one run shows the author everything, in the
// order of the code, and a mistake that a Go loop repeats once.
func TestMistakesAreReportedTogether(t *testing.T) {
	k := New("wrong")
	var first string
	for range 3 {
		k.SetMaxRegDec(23)
		first = previous(here(), 1)
	}
	k.TMAWait(-1)
	second := previous(here(), 1)
	_, err := k.Module()
	assert.EqualError(t, err, "kernel wrong cannot be recorded:\n"+
		first+": SetMaxRegDec(23): a thread has 24 to 256 registers, in steps of 8\n"+
		second+": TMAWait(-1): the number of groups that may be pending is not negative")
}

// TestWordsAfterModule: the module is made, so what comes later is not in it.
func TestWordsAfterModule(t *testing.T) {
	k := New("late")
	first, err := k.Module()
	require.NoError(t, err)
	again, err := k.Module()
	require.NoError(t, err)
	assert.Same(t, first, again)

	for name, late := range map[string]func(){
		"an instruction": func() { k.Sync() },
		"a tile":         func() { k.Shared(F16, 8, 64, Swizzle128B) },
		"a loop": func() {
			for range k.Range(0, 1, 1) {
				k.Sync()
			}
		},
	} {
		late()
		m, err := k.Module()
		assert.Nil(t, m, name)
		assert.ErrorContains(t, err, "a word after Module: the recording has ended", name)
	}
	assert.Len(t, first.Decls, 1)
	assert.Zero(t, k.SharedBytes())
}

// TestVerifyHasTheLastWord: what the vocabulary lets pass, ptx.Verify reports
// with the same positions.
func TestVerifyHasTheLastWord(t *testing.T) {
	k := New("wrong")
	tile := oneTile(k)
	tile.Type = "f64"
	k.Wgmma(k.Accumulator(64, 64), tile, tile)
	line := previous(here(), 1)
	m, err := k.Module()
	assert.Nil(t, m)
	assert.ErrorContains(t, err, "kernel wrong cannot be recorded:\n"+line+": wgmma.mma_async.sync.aligned.m64n64k16.f32.f64.f64: ")
	assert.Equal(t, 1, strings.Count(err.Error(), "wgmma.mma_async"), "four instructions, one mistake")
	var problem *ptx.Error
	assert.ErrorAs(t, err, &problem)
}

// TestMistakesDoNotPanic: after a mistake the words go on and still
// return something usable.
func TestMistakesDoNotPanic(t *testing.T) {
	k := New("wrong", Threads(32), Cluster(-3))
	bad := k.SharedRing(-1, "f64", -8, -7, 33)
	k.Wgmma(k.Accumulator(-64, -8), bad.Stage(-2), bad.From(-1, -1))
	k.Wgmma(nil, Tile{}, Tile{})
	k.Stmatrix(bad.Tile, k.Accumulator(1<<30, 1<<30), -1, -1)
	k.TMALoadMulticast(bad.Tile, Box{}, k.Mbarriers(-1).Stage(-1), -1)
	k.MmaSync(k.WarpAccumulator(7, 7), -1, -1, "", nil, nil)
	k.StoreGlobal(Matrix{}, Int{}, Int{}, nil)
	k.Pipeline(-1).Init(0, 0)
	k.GroupedRaster(Int{}, Int{}, Int{}, 0)
	k.If(Pred{}, func() { k.BlockIdx(-1).Div(0).Shl(-1).CeilDiv(0) })
	_, err := k.Module()
	assert.Error(t, err)
}
