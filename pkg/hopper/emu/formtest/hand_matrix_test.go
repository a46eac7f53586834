package formtest

import (
	"fmt"
	"slices"
	"strings"

	"gohopper/pkg/hopper/emu"
)

// codes are the values -3 to 3, or 0 to 6, of a matrix type. Products of such
// and their sums are exact in every type, so that the order of a summation
// cannot be seen: these tests are of layout, transposition, scale and sign.
var codes = map[string][]uint32{
	"f16":  {0xc200, 0xc000, 0xbc00, 0x0000, 0x3c00, 0x4000, 0x4200},
	"bf16": {0xc040, 0xc000, 0xbf80, 0x0000, 0x3f80, 0x4000, 0x4040},
	"tf32": {0xc0400000, 0xc0000000, 0xbf800000, 0, 0x3f800000, 0x40000000, 0x40400000},
	"f32":  {0xc0400000, 0xc0000000, 0xbf800000, 0, 0x3f800000, 0x40000000, 0x40400000},
	"e4m3": {0xc4, 0xc0, 0xb8, 0x00, 0x38, 0x40, 0x44},
	"e5m2": {0xc2, 0xc0, 0xbc, 0x00, 0x3c, 0x40, 0x42},
	"s8":   {0xfd, 0xfe, 0xff, 0, 1, 2, 3},
	"u8":   {0, 1, 2, 3, 4, 5, 255},
	"s32":  {0xfffffffd, 0xfffffffe, 0xffffffff, 0, 1, 2, 3},
}

var codeBytes = map[string]int{"f16": 2, "bf16": 2, "tf32": 4, "f32": 4, "e4m3": 1, "e5m2": 1, "s8": 1, "u8": 1, "s32": 4}

// small is n bytes of codes.
func small(name, typ string, n int) []byte {
	b := noise(name+typ, n)
	size, list := codeBytes[typ], codes[typ]
	for i := 0; i < n; i += size {
		v := list[int(b[i])%len(list)]
		for j := range size {
			b[i+j] = byte(v >> (8 * j))
		}
	}
	return b
}

// interleave gives each of n threads its cell of each part.
func interleave(n int, parts ...[]byte) (in []byte) {
	for i := range n {
		for _, p := range parts {
			size := len(p) / n
			in = append(in, p[i*size:][:size]...)
		}
	}
	return in
}

// regList is "{%r5, %r6}".
func regList(from, n int) string {
	var regs []string
	for i := range n {
		regs = append(regs, fmt.Sprintf("%%r%d", from+i))
	}
	return "{" + strings.Join(regs, ", ") + "}"
}

func matrixTests() (all []micro) {
	return slices.Concat(moveMatrixTests(), mmaTests(), wmmaTests(), wgmmaTests())
}

// moveMatrixTests is ldmatrix, stmatrix and movmatrix. Rows are taken in an
// order of their own.
func moveMatrixTests() (all []micro) {
	const group = "matrix moves"
	vars := ".shared .align 128 .b8 area[512];\n"
	start := `
		mov.u32 %r20, area;
		mad.lo.u32 %r21, %tx, 16, %r20;
		ld.global.v2.b64 {%d0, %d1}, [%in];
		st.shared.v2.b64 [%r21], {%d0, %d1};
		mov.b32 %r0, 0;
		mov.b32 %r1, 0;
		mov.b32 %r2, 0;
		mov.b32 %r3, 0;
		bar.sync 0;
		mad.lo.u32 %r22, %lane, 5, 3;
		and.b32 %r22, %r22, 31;
		mad.lo.u32 %r22, %r22, 16, %r20;
		cvt.u64.u32 %d5, %r22;
		cvta.shared.u64 %d5, %d5;
		`
	for _, n := range []int{1, 2, 4} {
		for _, trans := range []string{"", ".trans"} {
			for _, space := range []string{"", ".shared", ".shared::cta"} {
				at := "%r22"
				if space == "" {
					at = "%d5"
				}
				name := fmt.Sprintf("ldmatrix.sync.aligned.m8n8.x%d%s%s.b16", n, trans, space)
				all = append(all, hand(group, name, shape{in: 16, out: 16, vars: vars}, start+"!!"+name+" "+regList(0, n)+", ["+at+"];\nst.global.v4.b32 [%out], {%r0, %r1, %r2, %r3};"))
				name = fmt.Sprintf("stmatrix.sync.aligned.m8n8.x%d%s%s.b16", n, trans, space)
				all = append(all, hand(group, name, shape{in: 16, out: 16, vars: vars}, start+"ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%in];\nbar.sync 0;\n!!"+name+" ["+at+"], "+regList(0, n)+";\nbar.sync 0;\nld.shared.v2.b64 {%d0, %d1}, [%r21];\nst.global.v2.b64 [%out], {%d0, %d1};"))
			}
		}
	}
	return append(all, hand(group, "movmatrix", shape{in: 4, out: 4}, "ld.global.b32 %r0, [%in];\n!!movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;\nst.global.b32 [%out], %r1;"))
}

// formsOf expands the emulator's lines of an opcode.
func formsOf(op string) (all [][]string) {
	refused := refusals()
	for _, line := range emu.Forms() {
		if name, mods, _ := strings.Cut(line, " "); name == op {
			for _, in := range expand(mods) {
				if !refused[dotted(op, in)] {
					all = append(all, in)
				}
			}
		}
	}
	return all
}

func mmaTests() (all []micro) {
	for _, mods := range formsOf("mma") {
		types := mods[len(mods)-4:]
		var k int
		fmt.Sscanf(mods[2], "m16n8k%d", &k)
		bytes := k * codeBytes[types[1]]
		a, b := bytes/8, bytes/16
		count := func(typ string) int { return codeBytes[typ] }
		c, d := count(types[3]), count(types[0])
		name := dotted("mma", mods)
		in := interleave(32, small("a"+name, types[1], 128*a), small("b"+name, types[2], 128*b), small("c"+name, types[3], 128*c))
		var body strings.Builder
		for i := range a + b + c {
			fmt.Fprintf(&body, "ld.global.b32 %%r%d, [%%in+%d];\n", 10+i, 4*i)
		}
		float := func(typ string, from, n int) string {
			if typ == "f32" {
				for i := range n {
					fmt.Fprintf(&body, "mov.b32 %%f%d, %%r%d;\n", i, from+i)
				}
				return "{%f0, %f1, %f2, %f3}"
			}
			return regList(from, n)
		}
		addend := float(types[3], 10+a+b, c)
		result := regList(50, d)
		if types[0] == "f32" {
			result = "{%f4, %f5, %f6, %f7}"
		}
		fmt.Fprintf(&body, "!!%s %s, %s, %s, %s;\n", name, result, regList(10, a), regList(10+a, b), addend)
		for i := range d {
			if types[0] == "f32" {
				fmt.Fprintf(&body, "mov.b32 %%r%d, %%f%d;\n", 50+i, 4+i)
			}
			fmt.Fprintf(&body, "st.global.b32 [%%out+%d], %%r%d;\n", 4*i, 50+i)
		}
		all = append(all, hand("mma", name, shape{in: 4 * (a + b + c), out: 4 * d, input: in}, body.String()))
	}
	return all
}

// wmmaRegisters is how many registers a fragment has (PTX 9.7.14.4.1).
func wmmaRegisters(matrix, shape, typ string) int {
	switch {
	case matrix == "c" || matrix == "d":
		return 8 * codeBytes[typ] / 4
	case typ == "f16":
		return 8
	case typ == "tf32":
		return 4
	case typ == "bf16":
		return map[string]int{"m16n16k16a": 4, "m16n16k16b": 4, "m32n8k16a": 8, "m32n8k16b": 2, "m8n32k16a": 2, "m8n32k16b": 8}[shape+matrix]
	}
	return map[string]int{"m16n16k16a": 2, "m16n16k16b": 2, "m32n8k16a": 4, "m32n8k16b": 1, "m8n32k16a": 1, "m8n32k16b": 4}[shape+matrix]
}

// wmmaTests loads, multiplies and stores: which lane has what is nobody's
// matter but the instructions'. Spaces and layouts take turns.
func wmmaTests() (all []micro) {
	spaces := []struct{ dot, at string }{{".global", "%d"}, {".shared", "%r"}, {".shared::cta", "%r"}, {"", "%d"}}
	layouts := []string{"row", "col"}
	turn := 0
	for _, mods := range formsOf("wmma") {
		if mods[0] != "mma" {
			continue
		}
		shapeName, types := mods[5], slices.Clone(mods[6:])
		if len(types) == 2 {
			types = []string{types[0], "f16", "f16", types[1]}
		}
		var m, n, k int
		fmt.Sscanf(shapeName, "m%dn%dk%d", &m, &n, &k)
		for range 2 {
			turn++
			name := dotted("wmma", mods)
			var body strings.Builder
			body.WriteString("mov.u32 %r200, area;\nmad.lo.u32 %r201, %tx, 16, %r200;\nmul.wide.u32 %d1, %tx, 16;\nadd.u64 %d1, %d1, %inbase;\nmov.b32 %r202, 0;\nCOPY:\nld.global.v2.b64 {%d2, %d3}, [%d1];\nst.shared.v2.b64 [%r201], {%d2, %d3};\nadd.u64 %d1, %d1, 512;\nadd.u32 %r201, %r201, 512;\nadd.u32 %r202, %r202, 1;\nsetp.lt.u32 %p0, %r202, 12;\n@%p0 bra COPY;\nbar.sync 0;\n")
			var in []byte
			load := func(i int, matrix, typ, layout string, rows, cols int) {
				s := spaces[(turn+i)%len(spaces)]
				stride := cols
				if layout == "col" {
					stride = rows
				}
				tail := fmt.Sprintf(", %d", stride)
				if turn%3 == 0 {
					tail = "" // dense without saying so
				} else if turn%3 == 1 {
					stride += 16 / codeBytes[typ]
					tail = fmt.Sprintf(", %d", stride)
				}
				fmt.Fprintf(&body, "add.u64 %%d%d, %%inbase, %d;\nadd.u32 %%r%d, %%r200, %d;\n", 10+i, 2048*i, 210+i, 2048*i)
				at := fmt.Sprintf("%%d%d", 10+i)
				if s.at == "%r" {
					at = fmt.Sprintf("%%r%d", 210+i)
				}
				fmt.Fprintf(&body, "!!wmma.load.%s.sync.aligned.%s.%s%s.%s %s, [%s]%s;\n", matrix, layout, shapeName, s.dot, typ, fragmentOf(typ, matrix, 20+20*i, wmmaRegisters(matrix, shapeName, typ)), at, tail)
				in = append(in, small(name+matrix, typ, 2048)...)
			}
			load(0, "a", types[1], mods[3], m, k)
			load(1, "b", types[2], mods[4], k, n)
			load(2, "c", types[3], layouts[turn/2%2], m, n)
			d := wmmaRegisters("d", shapeName, types[0])
			fmt.Fprintf(&body, "!!%s %s, %s, %s, %s;\n", name, fragmentOf(types[0], "d", 80, d),
				fragmentOf(types[1], "a", 20, wmmaRegisters("a", shapeName, types[1])), fragmentOf(types[2], "b", 40, wmmaRegisters("b", shapeName, types[2])), fragmentOf(types[3], "c", 60, wmmaRegisters("c", shapeName, types[3])))
			layout := layouts[turn%2]
			stride := n
			if layout == "col" {
				stride = m
			}
			s := spaces[turn%len(spaces)]
			at := "%outbase"
			if s.at == "%r" {
				at = "%r200"
			}
			fmt.Fprintf(&body, "bar.sync 0;\n!!wmma.store.d.sync.aligned.%s.%s%s.%s [%s], %s, %d;\n", layout, shapeName, s.dot, types[0], at, fragmentOf(types[0], "d", 80, d), stride)
			if s.at == "%r" {
				fmt.Fprintf(&body, "bar.sync 0;\nmul.wide.u32 %%d1, %%tx, %[1]d;\nadd.u64 %%d1, %%d1, %%outbase;\nmad.lo.u32 %%r201, %%tx, %[1]d, %%r200;\n", 8*codeBytes[types[0]])
				for i := range 2 * codeBytes[types[0]] {
					fmt.Fprintf(&body, "ld.shared.b32 %%r203, [%%r201+%d];\nst.global.b32 [%%d1+%d], %%r203;\n", 4*i, 4*i)
				}
			}
			all = append(all, hand("wmma", fmt.Sprintf("%s %d", name, turn%2), shape{outputs: m * n * codeBytes[types[0]], input: in, vars: ".shared .align 128 .b8 area[6144];\n" + wmmaFloats()}, body.String()))
		}
	}
	return all
}

func wmmaFloats() string { return "\t.reg .f32 %g<200>;\n" }

// fragmentOf is a fragment's registers: floats of 32 bits in their own.
func fragmentOf(typ, matrix string, from, n int) string {
	list := regList(from, n)
	if typ == "f32" {
		return strings.ReplaceAll(list, "%r", "%g")
	}
	return list
}
