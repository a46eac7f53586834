package ptx

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// golden compares text with a file of testdata, or rewrites the file.
func golden(t *testing.T, name, got string) {
	path := "testdata/" + name
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "run go test -update if the change of %s is meant", path)
}

func parseFile(t *testing.T, path string) *Module {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	m, err := Parse(string(text))
	require.NoError(t, err, path)
	return m
}

// TestPrint shows the layout of everything there is to print, with and
// without source positions.
func TestPrint(t *testing.T) {
	m := parseFile(t, "testdata/syntax.ptx")
	golden(t, "syntax.golden", Print(m))
	golden(t, "syntax_bare.golden", PrintBare(m))
}

// TestPrintSource checks when a .loc is written.
func TestPrintSource(t *testing.T) {
	at := func(line int) Source { return Source{File: 2, Line: line, Col: 1} }
	ret := func(s Source) *Instr { return &Instr{Op: "ret", Src: s} }
	m := &Module{
		Version: Version{8, 6}, Target: []string{"sm_90a"}, AddressSize: 64,
		Files: []File{{Index: 2, Name: "kernel.go"}},
		Decls: []Decl{
			&Func{Entry: true, Name: "k", Body: &Block{Stmts: []Stmt{
				ret(Source{}), ret(at(5)), ret(at(5)), &Block{Stmts: []Stmt{ret(at(5)), ret(at(6))}}, ret(at(6)), ret(Source{}),
			}}},
			&Func{Name: "f", Body: &Block{Stmts: []Stmt{ret(at(6))}}},
		},
	}
	assert.Equal(t, `.version 8.6
.target sm_90a
.address_size 64

.file 2 "kernel.go"

.entry k()
{
	ret;
	.loc 2 5 1
	ret;
	ret;
	{
		ret;
		.loc 2 6 1
		ret;
	}
	ret;
	.loc 2 0 0
	ret;
}

.func f()
{
	.loc 2 6 1
	ret;
}
`, Print(m), "a line is given when it changes, and again in every function")
	back, err := Parse(Print(m))
	require.NoError(t, err)
	assert.True(t, Equal(m, back), "an unknown position among known ones survives")
}

func TestInstrString(t *testing.T) {
	in := &Instr{
		Guard: &Guard{Reg: "%p1", Not: true}, Op: "ld", Mods: []string{"global", "v2", "f32"},
		Args: []Operand{Vec{[]Operand{Reg{"%f1"}, Sink{}}}, Addr{Base: Reg{"%rd1"}, Offset: -8}},
	}
	assert.Equal(t, "@!%p1 ld.global.v2.f32 {%f1, _}, [%rd1+-8];", in.String())
}
