package formtest

import (
	"fmt"
	"strings"
)

// atomicKinds are the operations of atom and red with the types that they
// have (PTX 9.7.13.6, 9.7.13.7).
var atomicKinds = []struct{ op, types string }{
	{"and", "b32 b64"}, {"or", "b32 b64"}, {"xor", "b32 b64"}, {"exch", "b32 b64"}, {"cas", "b16 b32 b64"},
	{"inc", "u32"}, {"dec", "u32"}, {"add", "u32 s32 u64 f32 f64"}, {"min", "u32 s32 u64 s64"}, {"max", "u32 s32 u64 s64"},
	{"add.noftz", "f16 bf16 f16x2 bf16x2"},
}

// atomicTests: each thread works on a word of its own, whose old and new value
// come back, and the lanes of a warp on one word that they share, of which the
// sum comes back where their order does not matter.
func atomicTests() (all []micro) {
	for _, space := range []string{"global", "shared", "shared::cta", "shared::cluster", ""} {
		for _, kind := range atomicKinds {
			for typ := range strings.FieldsSeq(kind.types) {
				for _, op := range []string{"atom", "red"} {
					if op == "red" && (kind.op == "exch" || kind.op == "cas") {
						continue
					}
					all = append(all, atomic(op, space, kind.op, typ))
				}
			}
		}
	}
	for _, sem := range []string{"relaxed", "acquire", "release", "acq_rel"} {
		for _, scope := range []string{"cta", "cluster", "gpu", "sys"} {
			all = append(all, hand("atomic order", "order "+sem+scope, shape{in: 4, out: 8}, fmt.Sprintf(
				"ld.global.b32 %%r0, [%%in];\nst.global.b32 [%%out], %%tx;\n!!atom.%s.%s.global.add.u32 %%r1, [%%out], %%r0;\nst.global.b32 [%%out+4], %%r1;", sem, scope)))
			if sem == "relaxed" || sem == "release" {
				all = append(all, hand("atomic order", "red order "+sem+scope, shape{in: 4, out: 4}, fmt.Sprintf(
					"ld.global.b32 %%r0, [%%in];\nst.global.b32 [%%out], %%tx;\n!!red.%s.%s.global.add.u32 [%%out], %%r0;", sem, scope)))
			}
		}
	}
	for _, typ := range []string{"f32", "f16", "bf16", "f16x2", "bf16x2"} {
		for _, n := range []int{2, 4, 8} {
			size := bitsOf(typ) / 8
			if n*size > 16 {
				continue
			}
			for _, kind := range []string{"add", "min", "max"} {
				if typ == "f32" && kind != "add" {
					continue
				}
				noftz := ".noftz"
				if typ == "f32" {
					noftz = ""
				}
				list := func(from int) string {
					var regs []string
					for i := range n {
						regs = append(regs, fmt.Sprintf("%%%c%d", map[int]byte{2: 'h', 4: 'r'}[size], from+i))
					}
					return "{" + strings.Join(regs, ", ") + "}"
				}
				move := func(instr, at string, from int) (text string) {
					for i := range n {
						reg := fmt.Sprintf("%%%c%d", map[int]byte{2: 'h', 4: 'r'}[size], from+i)
						if instr == "ld" {
							text += fmt.Sprintf("ld.global.b%d %s, [%s+%d];\n", 8*size, reg, at, i*size)
						} else {
							text += fmt.Sprintf("st.global.b%d [%s+%d], %s;\n", 8*size, at, i*size, reg)
						}
					}
					return text
				}
				start := "ld.global.v2.b64 {%d0, %d1}, [%in+16];\nst.global.v2.b64 [%out], {%d0, %d1};\n"
				all = append(all, hand("atomic vector", fmt.Sprintf("vector %d %s %s", n, kind, typ), shape{threads: 128, in: 32, out: 32, input: floatNoise(kind+typ, typ, 128*32)},
					move("ld", "%in", 0)+start+fmt.Sprintf("!!atom.global.%s%s.v%d.%s %s, [%%out], %s;\n", kind, noftz, n, typ, list(8), list(0))+move("st", "%out+16", 8)))
				all = append(all, hand("atomic vector", fmt.Sprintf("red vector %d %s %s", n, kind, typ), shape{threads: 128, in: 32, out: 16, input: floatNoise(kind+typ, typ, 128*32)},
					move("ld", "%in", 0)+start+fmt.Sprintf("!!red.global.%s%s.v%d.%s [%%out], %s;\n", kind, noftz, n, typ, list(0))))
			}
		}
	}
	all = append(all, hand("atomic order", "cache hint", shape{in: 4, out: 8},
		"ld.global.b32 %r0, [%in];\nst.global.b32 [%out], %tx;\ncreatepolicy.fractional.L2::evict_last.b64 %d0, 1.0;\n!!atom.global.add.L2::cache_hint.u32 %r1, [%out], %r0, %d0;\n!!red.global.add.L2::cache_hint.u32 [%out], %r0, %d0;\nst.global.b32 [%out+4], %r1;"))
	return all
}

// atomic is one operation in one space.
func atomic(op, space, kind, typ string) micro {
	bits := max(bitsOf(typ), 16)
	reg := map[int]string{16: "%h", 32: "%r", 64: "%d"}[bits]
	dot, vars, address := "", "", "mov.b64 %d20, %out;"
	if space != "" {
		dot = "." + space
	}
	if strings.HasPrefix(space, "shared") || space == "" {
		vars = ".shared .align 8 .b64 area[512];\n"
		address = "mov.u64 %d20, area;\nmul.wide.u32 %d21, %tx, 8;\nadd.u64 %d20, %d20, %d21;"
	}
	switch space {
	case "shared::cluster":
		address += "\nmapa.shared::cluster.u64 %d20, %d20, 0;"
	case "":
		address += "\ncvta.shared.u64 %d20, %d20;"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nld.global.b%d %s0, [%%in];\nld.global.b%d %s1, [%%in+8];\nld.global.b%d %s2, [%%in+16];\nst%s.b%d [%%d20], %s0;\n", address, bits, reg, bits, reg, bits, reg, dot, bits, reg)
	args := reg + "1"
	if kind == "cas" { // even threads compare with what is there
		fmt.Fprintf(&b, "and.b32 %%r9, %%tx, 1;\nsetp.eq.u32 %%p0, %%r9, 0;\n@%%p0 mov.b%d %s1, %s0;\n", bits, reg, reg)
		args += ", " + reg + "2"
	}
	if op == "atom" {
		fmt.Fprintf(&b, "!!atom%s.%s.%s %s3, [%%d20], %s;\nst.global.b%d [%%out+8], %s3;\n", dot, kind, typ, reg, args, bits, reg)
	} else {
		fmt.Fprintf(&b, "!!red%s.%s.%s [%%d20], %s;\n", dot, kind, typ, args)
	}
	fmt.Fprintf(&b, "ld%s.b%d %s4, [%%d20];\nst.global.b%d [%%out+16], %s4;\n", dot, bits, reg, bits, reg)
	threads, input := 128, noise("atomic"+kind+typ, 128*24)
	if strings.Contains(typ, "f") {
		threads, input = cases, crossed(kind+typ, typ, 3)
	} else { // near values, so that min, inc and dec go both ways
		for i := 0; i < len(input)/3; i += 24 {
			copy(input[i+8:i+16], input[i:i+8])
			input[i+8] += byte(i/24%3) - 1
		}
	}
	return hand("atomic "+space, fmt.Sprintf("%s %s %s %s", op, space, kind, typ), shape{threads: threads, in: 24, out: 24, vars: vars, input: input}, b.String())
}
