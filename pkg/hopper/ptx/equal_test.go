package ptx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const equalText = `.version 8.6
.target sm_90a
.address_size 64
.file 1 "a.cu"
.global .b32 v[2] = {1, 2};
.entry k(.param .b32 n) .maxntid 128
{
	.reg .pred p;
	.reg .b32 r<4>;
	.loc 1 5 1
	@p add.s32 r0, r1, 7;
	{ ld.shared.u32 r0, [r1+4]; }
	ret;
}
`

// TestEqual changes one thing at a time.
func TestEqual(t *testing.T) {
	same := func(m *Module) {}
	instr := func(m *Module) *Instr { return m.Decls[1].(*Func).Body.Stmts[2].(*Instr) }
	for _, c := range []struct {
		why    string
		change func(m *Module)
		equal  bool
	}{
		{"nothing", same, true},
		{"a position in the text", func(m *Module) { instr(m).Pos = Pos{99, 1} }, true},
		{"an empty list for a missing one", func(m *Module) { m.Decls[1].(*Func).Returns = []*Var{} }, true},
		{"the version", func(m *Module) { m.Version.Minor++ }, false},
		{"a target", func(m *Module) { m.Target = append(m.Target, "debug") }, false},
		{"a declaration less", func(m *Module) { m.Decls = m.Decls[:1] }, false},
		{"a value", func(m *Module) { m.Decls[0].(*Var).Init[1] = Int{Value: 3} }, false},
		{"the kind of a value", func(m *Module) { m.Decls[0].(*Var).Init[1] = Float64{2} }, false},
		{"a body", func(m *Module) { m.Decls[1].(*Func).Body = nil }, false},
		{"a guard", func(m *Module) { instr(m).Guard = nil }, false},
		{"a guard's sense", func(m *Module) { instr(m).Guard.Not = true }, false},
		{"a modifier", func(m *Module) { instr(m).Mods[0] = "u32" }, false},
		{"an operand", func(m *Module) { instr(m).Args[1] = Reg{"r2"} }, false},
		{"a source position", func(m *Module) { instr(m).Src.Line++ }, false},
		{"a call that was inlined", func(m *Module) { instr(m).Src.InlinedAt = &Source{1, 2, 3, nil} }, false},
		{"something inside a block", func(m *Module) {
			m.Decls[1].(*Func).Body.Stmts[3].(*Block).Stmts[0].(*Instr).Args[1] = Addr{Base: Reg{"r1"}}
		}, false},
	} {
		a, err := Parse(equalText)
		require.NoError(t, err)
		b, err := Parse(equalText)
		require.NoError(t, err)
		c.change(b)
		assert.Equal(t, c.equal, Equal(a, b), c.why)
		assert.Equal(t, c.equal, Equal(b, a), "%s, the other way round", c.why)
	}
}
