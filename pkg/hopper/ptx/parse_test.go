package ptx

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// syntaxCases are statements and what they parse to.
var syntaxCases = []struct {
	why, in string
	want    Stmt
}{
	{"opcode and modifiers", "mad.lo.s32 r0, r1, r2, r3;",
		&Instr{Op: "mad", Mods: []string{"lo", "s32"}, Args: []Operand{Reg{"r0"}, Reg{"r1"}, Reg{"r2"}, Reg{"r3"}}}},
	{"no operands", "ret;", &Instr{Op: "ret"}},
	{"modifiers with colons and digits", "a.2d.shared::cluster.b1024;",
		&Instr{Op: "a", Mods: []string{"2d", "shared::cluster", "b1024"}}},
	{"a guard", "@p ret;", &Instr{Guard: &Guard{Reg: "p"}, Op: "ret"}},
	{"a negated guard", "@!%p1 ret;", &Instr{Guard: &Guard{Reg: "%p1", Not: true}, Op: "ret"}},
	{"a special register is a register", "mov.u32 r0, %tid.x;", args("mov.u32", Reg{"r0"}, Reg{"%tid.x"})},
	{"an element of a vector register", "mov.f32 f0, v.y;", args("mov.f32", Reg{"f0"}, Reg{"v.y"})},
	{"an undeclared name with % is a register", "mov.u32 r0, %x;", args("mov.u32", Reg{"r0"}, Reg{"%x"})},
	{"other undeclared names are symbols", "mov.u32 r0, x;", args("mov.u32", Reg{"r0"}, Sym{Name: "x"})},
	{"a name past the end of its family is a symbol", "mov.u32 r0, r20;", args("mov.u32", Reg{"r0"}, Sym{Name: "r20"})},
	{"a symbol with an offset", "mov.u64 d0, sm+4;", args("mov.u64", Reg{"d0"}, Sym{Name: "sm", Offset: 4})},
	{"an address in a register", "ld.u32 r0, [d0];", args("ld.u32", Reg{"r0"}, Addr{Base: Reg{"d0"}})},
	{"an offset as nvcc writes it", "ld.u32 r0, [d0+-8];", args("ld.u32", Reg{"r0"}, Addr{Base: Reg{"d0"}, Offset: -8})},
	{"an offset as people write it", "ld.u32 r0, [d0 - 8];", args("ld.u32", Reg{"r0"}, Addr{Base: Reg{"d0"}, Offset: -8})},
	{"an address of a variable", "ld.u32 r0, [sm+4];", args("ld.u32", Reg{"r0"}, Addr{Base: Sym{Name: "sm"}, Offset: 4})},
	{"a constant address", "ld.u32 r0, [0x10];", args("ld.u32", Reg{"r0"}, Addr{Base: Int{Value: 16}})},
	{"a list", "mov.b64 d0, {r0, 1};", args("mov.b64", Reg{"d0"}, Vec{[]Operand{Reg{"r0"}, Int{Value: 1}}})},
	{"a sink", "mov.b64 {r0, _}, d0;", args("mov.b64", Vec{[]Operand{Reg{"r0"}, Sink{}}}, Reg{"d0"})},
	{"a pair", "x p|q;", args("x", Pair{Reg{"p"}, Reg{"q"}})},
	{"a pair of a sink", "x _|q;", args("x", Pair{Sink{}, Reg{"q"}})},
	{"a negated predicate", "x !p;", args("x", Not{Reg{"p"}})},
	{"a negated register", "x -r1;", args("x", Neg{Reg{"r1"}})},
	{"a tensor", "x [d0, {r0, 1}], {h0};",
		args("x", Tensor{Map: Reg{"d0"}, Coords: []Operand{Reg{"r0"}, Int{Value: 1}}}, Vec{[]Operand{Reg{"h0"}}})},
	{"a tensor in a variable", "x [sm+64, {r0}];", args("x", Tensor{Map: Sym{Name: "sm"}, Offset: 64, Coords: []Operand{Reg{"r0"}}})},
	{"a call", "call.uni (r0), f, (r1, 2);",
		args("call.uni", Paren{[]Operand{Reg{"r0"}}}, Sym{Name: "f"}, Paren{[]Operand{Reg{"r1"}, Int{Value: 2}}})},
	{"parentheses elsewhere are a constant", "x (1);", args("x", Int{Value: 1})},

	{"decimal", "x 4095;", args("x", Int{Value: 4095})},
	{"hexadecimal", "x 0xFFf;", args("x", Int{Value: 4095})},
	{"octal", "x 07777;", args("x", Int{Value: 4095})},
	{"binary", "x 0b1011;", args("x", Int{Value: 11})},
	{"unsigned", "x 7U;", args("x", Int{Value: 7, Unsigned: true})},
	{"the 64th bit makes it unsigned", "x 0x8000000000000000;", args("x", Int{Value: -1 << 63, Unsigned: true})},
	{"negative", "x -1;", args("x", Int{Value: -1})},
	{"single precision", "x 0f3F800000;", args("x", Float32{0x3F800000})},
	{"double precision", "x 0d3FF0000000000000;", args("x", Float64{0x3FF0000000000000})},
	{"a decimal float is double", "x 1.5;", args("x", Float64{0x3FF8000000000000})},
	{"with an exponent", "x 15e-1;", args("x", Float64{0x3FF8000000000000})},
	{"with a sign", "x -0f3F800000, -1.5;", args("x", Float32{0xBF800000}, Float64{0xBFF8000000000000})},

	{"precedence", "x 1+2*3;", args("x", Int{Value: 7})},
	{"grouping to the left", "x 10-3-2;", args("x", Int{Value: 5})},
	{"parentheses", "x (1+2)*3;", args("x", Int{Value: 9})},
	{"remainder after a number", "x 17%5;", args("x", Int{Value: 2})},
	{"bits", "x 0xF0|0x0F&0x3^1;", args("x", Int{Value: 0xF2})},
	{"shifts", "x 1<<10>>2;", args("x", Int{Value: 256})},
	{"complement", "x ~0xFF;", args("x", Int{Value: ^0xFF})},
	{"logical not", "x !0;", args("x", Int{Value: 1})},
	{"division of unsigned", "x (-2)/2, 0xFFFFFFFFFFFFFFFE/2;", args("x", Int{Value: -1}, Int{Value: 1<<63 - 1, Unsigned: true})},
	{"comparison and choice", "x 3>=3&&1!=2 ? 10 : 20;", args("x", Int{Value: 10})},
	{"the size of a warp", "x WARP_SZ*2;", args("x", Int{Value: 64})},
	{"a cast", "x (.u64)-1;", args("x", Int{Value: -1, Unsigned: true})},

	{"registers", ".reg .b32 %x<8>;", &Regs{Type: "b32", Name: "%x", Count: 8}},
	{"a vector register", ".reg .v2 .f32 w;", &Regs{Type: "f32", Vector: 2, Name: "w"}},
	{"a label", "$L__BB0_1:", &Label{Name: "$L__BB0_1"}},
	{"a pragma", `.pragma "nounroll";`, &Pragma{Text: "nounroll"}},
	{"a variable", ".shared .align 8 .b64 bar[4];", &Var{Space: Shared, Align: 8, Type: "b64", Name: "bar", Dims: []int{4}}},
	{"branch targets", "t: .branchtargets A, B;", &Targets{Label: "t", Kind: "branchtargets", Names: []string{"A", "B"}}},
	{"a prototype", "t: .callprototype (.param .b32 _) _ (.param .b64 _);",
		&Targets{Label: "t", Kind: "callprototype", Proto: "( .param .b32 _ ) _ ( .param .b64 _ )"}},
	{"a block", "{ ret; }", &Block{Stmts: []Stmt{&Instr{Op: "ret"}}}},
	{"a comment in the middle", "ret /* now */ // really\n;", &Instr{Op: "ret"}},
}

// args builds an instruction.
func args(name string, list ...Operand) *Instr {
	parts := strings.Split(name, ".")
	return &Instr{Op: parts[0], Mods: parts[1:], Args: list}
}

func TestParseStatements(t *testing.T) {
	for _, c := range syntaxCases {
		m, err := Parse(snippet(c.in))
		if !assert.NoError(t, err, c.why) {
			continue
		}
		body := m.Decls[0].(*Func).Body.Stmts
		got := body[len(body)-2] // before the ret of the snippet
		wrap := func(s Stmt) *Module {
			return &Module{Decls: []Decl{&Func{Body: &Block{Stmts: []Stmt{s}}}}}
		}
		assert.True(t, Equal(wrap(c.want), wrap(got)), "%s: %s\nwant %#v\ngot  %#v", c.why, c.in, c.want, got)
	}
}

func TestParsePositions(t *testing.T) {
	m, err := Parse(".version 8.6\n.target sm_90a\n.file 1 \"a.cu\"\n.entry k() .maxntid 32\n{\n  ret;\n\t.loc 1 7 3\n@%p\tret;\nL: ret; }\n")
	require.NoError(t, err)
	f := m.Decls[0].(*Func)
	assert.Equal(t, Pos{4, 1}, f.Pos)
	assert.Equal(t, Pos{4, 12}, f.Directives[0].Pos)
	first, guarded := f.Body.Stmts[0].(*Instr), f.Body.Stmts[1].(*Instr)
	assert.Equal(t, Pos{6, 3}, first.Pos)
	assert.Equal(t, Source{}, first.Src, "before the first .loc nothing is known")
	assert.Equal(t, Pos{8, 1}, guarded.Pos, "the guard is part of the instruction")
	assert.Equal(t, Source{File: 1, Line: 7, Col: 3}, guarded.Src)
	assert.Equal(t, Pos{9, 1}, f.Body.Stmts[2].(*Label).Pos)
}

// TestParseInlined checks that a chain of calls is put together from the .loc
// of each call.
func TestParseInlined(t *testing.T) {
	m := parseFile(t, "testdata/nvcc/inlined_lineinfo.ptx")
	var chains []string
	for _, s := range m.Decls[0].(*Func).Body.Stmts {
		if in, ok := s.(*Instr); ok && in.Op == "fma" {
			var lines []string
			for at := &in.Src; at != nil; at = at.InlinedAt {
				lines = append(lines, string(rune('0'+at.Line)))
			}
			chains = append(chains, strings.Join(lines, " in "))
		}
	}
	assert.Equal(t, []string{"3 in 6 in 9", "3 in 6 in 9"}, chains)
}

// TestParseTime checks that hostile texts are refused or read in time that
// grows with their length only.
func TestParseTime(t *testing.T) {
	head := ".version 8.6\n.target sm_90a\n.address_size 64\n"
	many := func(s string) string { return strings.Repeat(s, 100_000) }
	for _, c := range []struct{ why, text string }{
		{"open blocks", head + ".func f() " + many("{")},
		{"open parentheses", snippet("x " + many("(") + ";")},
		{"signs", snippet("x " + many("-") + "1;")},
		{"lists", snippet("x " + many("{") + ";")},
		{"a long expression", snippet("x 1" + many("+1") + ";")},
		{"choices", snippet("x 1" + many("?1:1") + ";")},
		{"initialisers", head + ".global .b32 a[2] = " + many("{") + ";"},
		{"a large nested array", head + ".global .b32 a[1099511627776][1099511627776] = {{1},{2}};"},
		{"padding", head + ".global .b32 a[][1000000] = {" + many("{1},") + "{1}};"},
		{"chained inlining", head + ".func f() {" + many(".loc 1 1 1, function_name f, inlined_at 1 1 1\n") + "ret; }"},
		{"comments", head + many("/* */ ")},
		{"open comments", head + many("/* ")},
		{"open strings", head + many(`"`)},
		{"register families", snippet(many(".reg .b32 zz<9>;"))},
		{"modifiers", snippet("x" + many(".y") + ";")},
	} {
		start := time.Now()
		_, _ = Parse(c.text)
		assert.Less(t, time.Since(start), 2*time.Second, c.why)
	}
}
