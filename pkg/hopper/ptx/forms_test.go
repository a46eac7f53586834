package ptx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestForms checks the table itself: letters and types that exist, and no line
// that an earlier one of its opcode always hides.
func TestForms(t *testing.T) {
	for op, list := range forms {
		assert.True(t, opcodes[op], op)
		for i, f := range list {
			name := op + "." + strings.Join(f.mods, ".")
			for _, p := range f.args {
				assert.Contains(t, "dDosSapqmtilvx", string(p.letter), name)
				assert.True(t, p.typ == "" || p.typ.known(), "%s: .%s", name, p.typ)
				if p.second != 0 {
					assert.Equal(t, byte('p'), p.second, name)
				}
			}
			for _, earlier := range list[:i] {
				assert.False(t, carries(f.mods, earlier.mods), "%s is hidden by %s.%s", name, op, strings.Join(earlier.mods, "."))
			}
		}
	}
}

// TestTypeTable checks that the instructions with listed types have a form.
func TestTypeTable(t *testing.T) {
	for op := range opTypes {
		assert.True(t, op == "mov" || forms[op] != nil, op)
	}
}

func TestReadParam(t *testing.T) {
	for text, want := range map[string]param{
		"d":                    {letter: 'd', which: 1},
		"s2":                   {letter: 's', which: 2},
		"dw":                   {letter: 'd', which: 1, double: true},
		"s:u32?":               {letter: 's', typ: "u32", optional: true},
		"a:":                   {letter: 'a'},
		"o:b32|p":              {letter: 'o', typ: "b32", second: 'p'},
		"p|p?":                 {letter: 'p', which: 1, second: 'p', loose: true},
		"s:u64@L2::cache_hint": {letter: 's', typ: "u64", when: "L2::cache_hint"},
		"x*":                   {letter: 'x', which: 1, repeated: true},
	} {
		assert.Equal(t, want, readParam(text), text)
	}
}

// TestVerifyRecorded checks that a module without positions reports the line
// it was recorded from, and that odd modules do not stop the verifier.
func TestVerifyRecorded(t *testing.T) {
	m := &Module{
		Version: Version{8, 6}, Target: []string{"sm_90a"}, AddressSize: 64,
		Files: []File{{Index: 1, Name: "lessons/v1/kernel.go"}},
		Decls: []Decl{&Func{Entry: true, Name: "k", Body: &Block{Stmts: []Stmt{
			&Regs{Type: "b32", Name: "%r", Count: 2},
			&Instr{Op: "add", Mods: []string{"s32"}, Args: []Operand{Reg{"%r0"}, Reg{"%r9"}, Int{Value: 1}}, Src: Source{File: 1, Line: 12}},
			&Instr{Op: "ret"},
		}}}},
	}
	errs := Verify(m)
	require.Len(t, errs, 1)
	assert.Equal(t, "lessons/v1/kernel.go:12: add.s32: the register %r9 is not declared before this use", errs[0].Error())
	assert.Equal(t, RuleUndeclared, errs[0].Rule)

	assert.NotEmpty(t, Verify(&Module{}), "an empty module has no version")
	body := m.Decls[0].(*Func).Body
	for _, in := range []*Instr{
		{}, {Op: "mov"}, {Op: "mov", Mods: []string{"b32"}, Args: []Operand{nil, nil}}, {Op: "add", Mods: []string{"s32"}, Args: []Operand{Reg{}, Sym{}, nil}},
		{Op: "call"}, {Op: "call", Args: []Operand{Paren{}}}, {Op: "wgmma", Mods: []string{"mma_async"}}, {Op: "wgmma", Mods: []string{"mma_async", "m64n8k16", "f32", "f16", "f16"}},
		{Op: "mbarrier", Mods: []string{"init"}}, {Op: "bar", Mods: []string{"sync"}}, {Op: "setmaxnreg"}, {Guard: &Guard{}, Op: "ret"},
	} {
		body.Stmts = []Stmt{in, &Instr{Op: "ret"}}
		assert.NotPanics(t, func() { Verify(m) }, "%#v", in)
	}
}
