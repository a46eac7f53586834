package emu

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

// scalarCase is a line of testdata/scalar.txt.
type scalarCase struct {
	line                int
	form                string
	operands, results   []scalarValue
	vectorIn, vectorOut bool
	reason              string
}

// scalarValue is an operand or a result: a register of the width that the
// number of its hexadecimal digits gives, a predicate, or literal text.
type scalarValue struct {
	kind  string // "b16", "b32", "b64", "pred", or "" for text
	value uint64
	text  string
}

func readScalarCases(t testing.TB) []scalarCase {
	f, err := os.Open("testdata/scalar.txt")
	require.NoError(t, err)
	defer f.Close()
	var cases []scalarCase
	scan := bufio.NewScanner(f)
	for n := 1; scan.Scan(); n++ {
		line := strings.TrimSpace(scan.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		parts := strings.Split(line, ";")
		require.Len(t, parts, 4, "line %d: form; operands; results; reason", n)
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		c := scalarCase{line: n, form: parts[0], reason: parts[3]}
		c.operands, c.vectorIn = scalarValues(t, n, parts[1])
		c.results, c.vectorOut = scalarValues(t, n, parts[2])
		cases = append(cases, c)
	}
	require.NoError(t, scan.Err())
	return cases
}

func scalarValues(t testing.TB, line int, list string) (values []scalarValue, vector bool) {
	inner := strings.Trim(list, "{}")
	for word := range strings.FieldsSeq(inner) {
		v := scalarValue{text: word}
		switch word {
		case "T", "F":
			v.kind = "pred"
			if word == "T" {
				v.value = 1
			}
		case "_":
		default:
			if literal, ok := strings.CutPrefix(word, "="); ok {
				v.text = literal
				break
			}
			digits := strings.ReplaceAll(word, "_", "")
			v.kind = map[int]string{4: "b16", 8: "b32", 16: "b64"}[len(digits)]
			require.NotEmpty(t, v.kind, "line %d: %q has neither 4, 8 nor 16 digits", line, word)
			_, err := fmt.Sscanf(digits, "%x", &v.value)
			require.NoError(t, err, "line %d: %q", line, word)
		}
		values = append(values, v)
	}
	return values, inner != list
}

// kernel is an entry that runs the form twice: in all lanes, and in those of
// the mask, the others keeping what they had. Out has 16 bytes for each lane
// and run.
func (c scalarCase) kernel() string {
	var decl, load, init, store strings.Builder
	var from, to []string
	for i, v := range c.operands {
		name := fmt.Sprintf("%%a%d", i)
		switch v.kind {
		case "":
			name = v.text
		case "pred":
			fmt.Fprintf(&decl, "\t.reg .pred %s;\n", name)
			fmt.Fprintf(&load, "\tld.global.b32 %%t, [%%in+%d];\n\tsetp.ne.u32 %s, %%t, 0;\n", 8*i, name)
		default:
			fmt.Fprintf(&decl, "\t.reg .%s %s;\n", v.kind, name)
			fmt.Fprintf(&load, "\tld.global.%s %s, [%%in+%d];\n", v.kind, name, 8*i)
		}
		from = append(from, name)
	}
	for i, v := range c.results {
		name := fmt.Sprintf("%%d%d", i)
		switch v.kind {
		case "":
			name = v.text
		case "pred":
			fmt.Fprintf(&decl, "\t.reg .pred %s;\n", name)
			fmt.Fprintf(&init, "\tsetp.ne.u32 %s, %%lane, %%lane;\n", name)
			fmt.Fprintf(&store, "\tselp.u32 %%t, 1, 0, %s;\n\tst.global.b32 [%%out+%d], %%t;\n", name, 8*i)
		default:
			fmt.Fprintf(&decl, "\t.reg .%s %s;\n", v.kind, name)
			fmt.Fprintf(&init, "\tmov.%s %s, 0;\n", v.kind, name)
			fmt.Fprintf(&store, "\tst.global.%s [%%out+%d], %s;\n", v.kind, 8*i, name)
		}
		to = append(to, name)
	}
	join := func(names []string, vector bool, by string) string {
		if vector {
			return "{" + strings.Join(names, ", ") + "}"
		}
		return strings.Join(names, by)
	}
	body := func(guard string) (text string) {
		forms := strings.Split(c.form, " + ")
		if len(forms) == 1 {
			return fmt.Sprintf("\t%s%s %s, %s;\n", guard, c.form, join(to, c.vectorOut, "|"), join(from, c.vectorIn, ", "))
		}
		each := len(from) / len(forms)
		for i, form := range forms {
			text += fmt.Sprintf("\t%s%s %s, %s;\n", guard, form, to[i], strings.Join(from[i*each:(i+1)*each], ", "))
		}
		return text
	}
	return fmt.Sprintf(`.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 lanes)
{
	.reg .b64 %%in, %%out, %%w;
	.reg .b32 %%t, %%lane, %%set;
	.reg .pred %%on;
%s	ld.param.u64 %%in, [in];
	ld.param.u64 %%out, [out];
	ld.param.u32 %%set, [lanes];
	mov.u32 %%lane, %%tid.x;
	mul.wide.u32 %%w, %%lane, 16;
	add.s64 %%out, %%out, %%w;
	shr.u32 %%t, %%set, %%lane;
	and.b32 %%t, %%t, 1;
	setp.ne.u32 %%on, %%t, 0;
%s%s%s%s	add.s64 %%out, %%out, 512;
%s%s%s	ret;
}
`, decl.String(), load.String(), init.String(), body(""), store.String(), init.String(), body("@%on "), store.String())
}

const scalarLanes = 0xa5a5_0ff0 // of the second run

func TestScalarForms(t *testing.T) {
	m := New(Config{Workers: 1})
	in, err := m.Alloc(64)
	require.NoError(t, err)
	out, err := m.Alloc(1024)
	require.NoError(t, err)
	for _, c := range readScalarCases(t) {
		t.Run(fmt.Sprintf("%d %s", c.line, c.form), func(t *testing.T) {
			operands := make([]byte, 64)
			for i, v := range c.operands {
				binary.LittleEndian.PutUint64(operands[8*i:], v.value)
			}
			require.NoError(t, m.Upload(in, operands))
			require.NoError(t, m.Fill(out, 0, 1024))
			mod, err := m.Load(c.kernel())
			require.NoError(t, err, c.kernel())
			k, err := mod.Kernel("k")
			require.NoError(t, err)
			one := [3]int{1, 1, 1}
			require.NoError(t, k.Launch(device.Launch{Grid: one, Block: [3]int{lanes, 1, 1}},
				device.Pointer(in), device.Pointer(out), device.Uint32(scalarLanes)))
			require.NoError(t, m.Synchronize())
			require.Empty(t, m.Findings())

			got := make([]byte, 1024)
			require.NoError(t, m.Download(got, out))
			for run, on := range []mask{allLanes, scalarLanes} {
				for lane := range lanes {
					for i, v := range c.results {
						if v.kind == "" {
							continue
						}
						want := v.value
						if on>>lane&1 == 0 {
							want = 0
						}
						have := binary.LittleEndian.Uint64(got[512*run+16*lane+8*i:])
						if !assert.Equal(t, fmt.Sprintf("%x", want), fmt.Sprintf("%x", have),
							"%s: run %d, lane %d, result %d", c.reason, run, lane, i) {
							return
						}
					}
				}
			}
		})
	}
}

// TestScalarFormsAreCovered wants a case for every form that real GEMM kernels
// use, and for their neighbours.
func TestScalarFormsAreCovered(t *testing.T) {
	text, err := os.ReadFile("testdata/scalar_forms.txt")
	require.NoError(t, err)
	have := map[string]bool{}
	for _, c := range readScalarCases(t) {
		for form := range strings.SplitSeq(c.form, " + ") {
			have[form] = true
		}
	}
	n := 0
	for form := range strings.FieldsSeq(string(text)) {
		assert.True(t, have[form], "testdata/scalar.txt has no case for %s", form)
		n++
	}
	assert.Equal(t, 98, n, "forms of the kernels in testdata/scalar_forms.txt")
}

// TestScalarTablesAreCovered wants a case for every line of the tables.
func TestScalarTablesAreCovered(t *testing.T) {
	covered := map[string]bool{"mov b128": true} // by TestMove128
	for _, c := range readScalarCases(t) {
		for form := range strings.SplitSeq(c.form, " + ") {
			parts := strings.Split(form, ".")
			covered[parts[0]+" "+firstMatch(t, parts[0], parts[1:])] = true
		}
	}
	n := 0
	for _, table := range scalarTables {
		for name, forms := range table {
			for _, f := range forms {
				assert.True(t, covered[name+" "+f.mods], "testdata/scalar.txt has no case for %s %s", name, f.mods)
				n++
			}
		}
	}
	t.Logf("%d lines in the tables", n)
}

// firstMatch is the line of the tables that compiles an opcode.
func firstMatch(t *testing.T, name string, mods []string) string {
	for _, table := range scalarTables {
		for _, f := range table[name] {
			if f.matches(mods) {
				return f.mods
			}
		}
	}
	require.Fail(t, "no line compiles it", "%s %v", name, mods)
	return ""
}

// TestMove128 moves two 64-bit registers through a 128-bit one, crosswise.
func TestMove128(t *testing.T) {
	m := New(Config{Workers: 1})
	out, err := m.Alloc(16)
	require.NoError(t, err)
	mod, err := m.Load(`.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .b64 %d<5>;
	.reg .b128 %q, %s;
	ld.param.u64 %d0, [out];
	mov.u64 %d1, 0x1122334455667788;
	mov.u64 %d2, 0x99aabbccddeeff00;
	mov.b128 %q, {%d1, %d2};
	mov.b128 %s, %q;
	mov.b128 {%d2, %d1}, %s;
	st.global.v2.b64 [%d0], {%d1, %d2};
	ret;
}
`)
	require.NoError(t, err)
	k, err := mod.Kernel("k")
	require.NoError(t, err)
	one := [3]int{1, 1, 1}
	require.NoError(t, k.Launch(device.Launch{Grid: one, Block: one}, device.Pointer(out)))
	require.NoError(t, m.Synchronize())
	got := make([]byte, 16)
	require.NoError(t, m.Download(got, out))
	assert.Equal(t, uint64(0x99aabbccddeeff00), binary.LittleEndian.Uint64(got), "the upper half")
	assert.Equal(t, uint64(0x1122334455667788), binary.LittleEndian.Uint64(got[8:]), "the lower half")
}

// TestScalarRefusals loads what PTX does not have.
func TestScalarRefusals(t *testing.T) {
	for name, body := range map[string]string{
		"saturation of an unsigned sum":      "add.sat.u32 %r1, %r1, %r2;",
		"an unsigned order of signed values": "setp.lo.s32 %p, %r1, %r2;",
		"an order of bits":                   "setp.lt.b32 %p, %r1, %r2;",
		"a conversion without its rounding":  "cvt.f32.s32 %r1, %r2;",
		"modifiers in the wrong order":       "fma.f32.rn %r1, %r1, %r2, %r3;",
		"an unknown mode of prmt":            "prmt.b32.f5e %r1, %r1, %r2, %r3;",
		"a vector of three":                  "mov.b64 %d1, {%r1, %r2, %r3};",
		"lop3 with a table that varies":      "lop3.b32 %r1, %r1, %r2, %r3, %r3;",
	} {
		t.Run(name, func(t *testing.T) {
			m := New(Config{Workers: 1})
			mod, err := m.Load(".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n" +
				"\t.reg .b32 %r<4>;\n\t.reg .b64 %d<4>;\n\t.reg .pred %p;\n\t" + body + "\n\tret;\n}\n")
			if err == nil {
				_, err = mod.Kernel("k")
			}
			require.Error(t, err)
			assert.Contains(t, err.Error(), "9:2", "the position")
		})
	}
}
