package hopper

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/ptx"
)

// sources lists the instructions of a kernel as "position opcode".
func sources(t *testing.T, k *Kernel) []string {
	m, err := k.Module()
	require.NoError(t, err)
	files := map[int]string{}
	for _, f := range m.Files {
		files[f.Index] = f.Name
	}
	var out []string
	for _, s := range m.Decls[len(m.Decls)-1].(*ptx.Func).Body.Stmts {
		if in, ok := s.(*ptx.Instr); ok {
			out = append(out, fmt.Sprintf("%s:%d %s", files[in.Src.File], in.Src.Line, in.Name()))
		}
	}
	return out
}

// TestPositions: every instruction has the line of the word that asked for it,
// wherever the word stands.
func TestPositions(t *testing.T) {
	k := New("positions")
	start := here()
	n := k.Int32("n")
	k.If(n.Less(3), func() {
		k.Sync()
	})
	for x := range k.Range(0, n, 2) {
		x.Add(1)
	}
	deep := func(body func()) { body() }
	k.OneThread(func() {
		deep(func() {
			k.TMACommit()
		})
	})
	at := func(line int) string { return previous(start, -line) }

	assert.Equal(t, []string{
		at(1) + " ld.param.u32",
		at(2) + " setp.lt.s32",
		at(2) + " bra",
		at(3) + " bar.sync",
		at(5) + " mov.b32", // before the first turn
		at(5) + " setp.ge.s32",
		at(5) + " bra",
		at(6) + " add.s32",
		at(5) + " add.s32", // after each
		at(5) + " setp.lt.s32",
		at(5) + " bra",
		at(9) + " mov.u32",
		at(9) + " setp.eq.s32",
		at(9) + " bra",
		at(11) + " cp.async.bulk.commit_group",
		at(11) + " ret", // where the recording ended
	}, sources(t, k))
}

// TestPositionsThroughValues: the compiler puts a function of its own between
// a method value, or a promoted method in an interface, and the word.
func TestPositionsThroughValues(t *testing.T) {
	k := New("values")
	v, sync := k.Var(0), k.Sync
	var adder interface{ Add(b Number) Int } = v
	add := v.Add
	start := here()
	sync()
	adder.Add(1)
	add(2)
	Int.Add(v.Int, 3)
	got := sources(t, k)
	require.Len(t, got, 6)
	for i, opcode := range []string{"bar.sync", "add.s32", "add.s32", "add.s32"} {
		assert.Equal(t, previous(start, -i-1)+" "+opcode, got[i+1])
	}
}

// TestPositionsOfLongWords: a word of many instructions has one line, also
// where its parts are words themselves.
func TestPositionsOfLongWords(t *testing.T) {
	k := New("long")
	n, p := k.Int32("n"), k.Pipeline(2)
	c, acc, tile := k.Matrix("c", F16, n, n), k.Accumulator(64, 64), oneTile(k)
	at := p.Consumer()
	row, col := k.GroupedRaster(n, n, n, 8)
	before := len(k.body.Stmts)
	for i, call := range []func(){
		func() { at.Acquire() },
		func() { at.Advance() },
		func() { k.Wgmma(acc, tile, tile) },
		func() { k.Stmatrix(tile, acc, 0, 0) },
		func() { k.StoreGlobal(c, row, col, acc) },
		func() { k.ElectOne(func() {}) },
	} {
		call()
		line := previous(here(), 8-i)
		for _, s := range k.body.Stmts[before:] {
			if in, ok := s.(*ptx.Instr); ok {
				assert.Equal(t, line, fmt.Sprintf("%s:%d", k.files[in.Src.File-1].Name, in.Src.Line), in.Name())
			}
		}
		before = len(k.body.Stmts)
	}
}

// TestFileNames: a module names a file by its folder and its name, as
// "v1/kernel.go". Where the repository lies must not show in the text. The
// compiler gives either an absolute path or, with -trimpath, one that begins
// with the module; both end in folder and file.
func TestFileNames(t *testing.T) {
	k := New("files")
	k.Sync()
	m, err := k.Module()
	require.NoError(t, err)
	assert.Equal(t, []ptx.File{{Index: 1, Name: "hopper/positions_test.go"}}, m.Files)

	k = New("files")
	k.Sync()
	controlWords()[0].record(k)
	m, err = k.Module()
	require.NoError(t, err)
	assert.Equal(t, []ptx.File{
		{Index: 1, Name: "hopper/positions_test.go"},
		{Index: 2, Name: "hopper/words_value_test.go"},
	}, m.Files, "each file once, in the order of use")

	locs := 0
	for line := range strings.Lines(ptx.Print(m)) {
		if strings.HasPrefix(strings.TrimSpace(line), ".loc") {
			locs++
		}
	}
	assert.Positive(t, locs)
}
