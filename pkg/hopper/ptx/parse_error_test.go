package ptx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const errorHead = ".version 8.6\n.target sm_90a\n.address_size 64\n"

// errorCases are texts that do not parse; testdata/errors.golden has their
// messages.
var errorCases = []struct{ why, text string }{
	{"an empty text", ""},
	{"no version", ".target sm_90a\n"},
	{"a version without a minor number", ".version 8\n"},
	{"a byte that is not PTX", errorHead + ".global .b32 a = §;\n"},
	{"an open comment", errorHead + "/* never closed\n"},
	{"an open string", ".version 8.6\n.file 1 \"a.cu\n"},
	{"an instruction outside a function", errorHead + "add.s32 a, b, c;\n"},
	{"an unknown directive", errorHead + ".globl .b32 a;\n"},
	{"an unknown type", errorHead + ".global .int a;\n"},
	{"a missing type", errorHead + ".global a;\n"},
	{"two types", errorHead + ".global .b32 .f32 a;\n"},
	{"two spaces", errorHead + ".global .shared .b32 a;\n"},
	{"too many values", errorHead + ".global .b32 a[2] = {1, 2, 3};\n"},
	{"a row that is too long", errorHead + ".global .b32 a[2][2] = {{1, 2, 3}, {4}};\n"},
	{"a negative extent", errorHead + ".global .b32 a[-1];\n"},
	{"a parameter list that goes on", errorHead + ".entry k(.param .b32 a .param .b32 b) { ret; }\n"},
	{"an unknown function directive", errorHead + ".entry k() .maxthreads 128 { ret; }\n"},
	{"a kernel without a body", errorHead + ".entry k()\nadd.s32 a, b, c;\n"},
	{"a missing semicolon is missed at the end of its line", errorHead + ".func f() {\n\tadd.s32 a, b, c\n\tret;\n}\n"},
	{"and on one line at the token behind it", errorHead + ".func f() { add.s32 a, b c; }\n"},
	{"a missing comma in a list", errorHead + ".func f() { mov.b64 a, {b c}; }\n"},
	{"an open bracket", errorHead + ".func f() { ld.u32 a, [b; }\n"},
	{"an open block", errorHead + ".func f() {\n\tret;\n"},
	{"a block too many", errorHead + ".func f() { ret; } }\n"},
	{"a missing operand", errorHead + ".func f() { add.s32 a, , c; }\n"},
	{"a guard without an instruction", errorHead + ".func f() { @p ; }\n"},
	{"an unknown directive in a body", errorHead + ".func f() { .register .b32 a; }\n"},
	{"registers of no type", errorHead + ".func f() { .reg %r<4>; }\n"},
	{"no registers", errorHead + ".func f() { .reg .b32 %r<0>; }\n"},
	{"a bit pattern of the wrong length", errorHead + ".func f() { mov.f32 a, 0f3F80; }\n"},
	{"an integer of more than 64 bits", errorHead + ".func f() { mov.u64 a, 18446744073709551616; }\n"},
	{"a digit that is not octal", errorHead + ".func f() { mov.u64 a, 09; }\n"},
	{"a division by zero", errorHead + ".func f() { mov.u64 a, 1/(2-2); }\n"},
	{"arithmetic on floats", errorHead + ".func f() { mov.f32 a, 1.0+2.0; }\n"},
	{"a complement of a float", errorHead + ".func f() { mov.f32 a, ~1.0; }\n"},
	{"a float as an offset", errorHead + ".func f() { ld.f32 a, [b+1.0]; }\n"},
	{"coordinates without braces", errorHead + ".func f() { x [map, a]; }\n"},
	{"a .loc with something else", errorHead + ".func f() { .loc 1 2 3, inlined 4; }\n"},
	{"targets without a label", errorHead + ".func f() { .branchtargets A; }\n"},
	{"deep nesting", errorHead + ".func f() " + strings.Repeat("{", 300)},
	{"an open section", errorHead + ".section .debug_str {\n"},
}

func TestParseErrors(t *testing.T) {
	var got []string
	for _, c := range errorCases {
		_, err := Parse(c.text)
		if assert.Error(t, err, c.why) {
			assert.IsType(t, &Error{}, err, c.why)
			got = append(got, c.why+"\n\t"+err.Error())
		}
	}
	text := ""
	for _, g := range got {
		text += g + "\n"
	}
	golden(t, "errors.golden", text)
}
