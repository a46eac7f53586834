package formtest

import (
	"fmt"
	"strings"
)

func replaceAll(s string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(s) }

// elements are the types of ld and st with the registers that show all of a
// load: integers go to wider ones.
var elements = []struct{ typ, reg string }{
	{"b8", "%d"}, {"u8", "%d"}, {"s8", "%d"}, {"b16", "%d"}, {"u16", "%d"}, {"s16", "%d"},
	{"b32", "%d"}, {"u32", "%d"}, {"s32", "%d"}, {"f32", "%f"}, {"b64", "%d"}, {"u64", "%d"}, {"s64", "%d"}, {"f64", "%x"},
}

func sizeOf(typ string) int {
	n := 0
	fmt.Sscanf(typ[1:], "%d", &n)
	return n / 8
}

// spaces say how a thread reaches 32 bytes of its own in a state space.
var spaces = []struct{ name, vars, address string }{
	{"global", "", "add.u64 %d20, %out, 64;"},
	{"shared", ".shared .align 32 .b8 area[2048];\n", "mov.u64 %d20, area;\nmul.wide.u32 %d21, %tx, 32;\nadd.u64 %d20, %d20, %d21;"},
	{"shared::cta", ".shared .align 32 .b8 area[2048];\n", "mov.u64 %d20, area;\nmul.wide.u32 %d21, %tx, 32;\nadd.u64 %d20, %d20, %d21;"},
	{"shared::cluster", ".shared .align 32 .b8 area[2048];\n", "mov.u64 %d20, area;\nmul.wide.u32 %d21, %tx, 32;\nadd.u64 %d20, %d20, %d21;\nmapa.shared::cluster.u64 %d20, %d20, 0;"},
	{"local", ".local .align 32 .b8 area[64];\n", "mov.u64 %d20, area;\nadd.u64 %d20, %d20, 32;"},
	{"", ".shared .align 32 .b8 area[2048];\n", "mov.u64 %d20, area;\nmul.wide.u32 %d21, %tx, 32;\nadd.u64 %d20, %d20, %d21;\ncvta.shared.u64 %d20, %d20;"},
}

// moves loads and stores every type and vector in every state space.
func moves() (all []micro) {
	for _, s := range spaces {
		for _, e := range elements {
			for _, n := range []int{1, 2, 4} {
				size := sizeOf(e.typ)
				if n*size > 16 {
					continue
				}
				vector, list := "", e.reg+"0"
				if n > 1 {
					vector = fmt.Sprintf(".v%d", n)
					var regs []string
					for i := range n {
						regs = append(regs, fmt.Sprintf("%s%d", e.reg, i))
					}
					list = "{" + strings.Join(regs, ", ") + "}"
				}
				space := ""
				if s.name != "" {
					space = "." + s.name
				}
				var b strings.Builder
				fmt.Fprintf(&b, "%s\n%s", s.address, "ld.global.v2.b64 {%d22, %d23}, [%in];\nmov.b64 %d24, -1;\n")
				fmt.Fprintf(&b, "st%s.b64 [%%d20], %%d22;\nst%s.b64 [%%d20+8], %%d23;\nst%s.b64 [%%d20+16], %%d24;\nst%s.b64 [%%d20+24], %%d24;\n", space, space, space, space)
				fmt.Fprintf(&b, "!!ld%s%s.%s %s, [%%d20];\n!!st%s%s.%s [%%d20+16], %s;\n", space, vector, e.typ, list, space, vector, e.typ, list)
				for i := range n {
					wide := "b64"
					if e.typ == "f32" {
						wide = "f32"
					}
					fmt.Fprintf(&b, "st.global.%s [%%out+%d], %s%d;\n", wide, 8*i, e.reg, i)
				}
				fmt.Fprintf(&b, "ld%s.b64 %%d24, [%%d20+16];\nld%s.b64 %%d25, [%%d20+24];\nst.global.v2.b64 [%%out+32], {%%d24, %%d25};\n", space, space)
				all = append(all, hand("memory "+strings.TrimPrefix(space, "."), fmt.Sprintf("move %s %d %s", s.name, n, e.typ), shape{threads: 64, in: 16, out: 128, vars: s.vars}, b.String()))
			}
		}
	}
	return all
}

// qualified loads and stores with every cache operator, hint and ordering; they
// must give what plain ones give.
func qualified() (all []micro) {
	const group = "memory qualified"
	one := func(body string, regs string) {
		all = append(all, hand(group, body, shape{in: 16, out: 64}, body+"\n"+regs))
	}
	for _, q := range []string{"weak.global", "volatile.global", "relaxed.cta.global", "relaxed.cluster.global", "relaxed.gpu.global", "relaxed.sys.global",
		"acquire.cta.global", "acquire.cluster.global", "acquire.gpu.global", "acquire.sys.global", "mmio.relaxed.sys.global",
		"global.ca", "global.cg", "global.cs", "global.lu", "global.cv", "global.nc", "global.ca.nc", "global.cg.nc", "global.cs.nc",
		"global.L1::evict_normal", "global.L1::evict_unchanged", "global.L1::evict_first", "global.L1::evict_last", "global.L1::no_allocate",
		"global.L2::64B", "global.L2::128B", "global.L2::256B", "global.nc.L1::no_allocate", "global.nc.L1::evict_last.L2::256B", "global.L1::evict_first.L2::128B"} {
		one("!!ld."+q+".b32 %r0, [%in];", "st.global.b32 [%out], %r0;")
		if !strings.HasPrefix(q, "mmio") {
			one("!!ld."+q+".v2.u64 {%d0, %d1}, [%in];", "st.global.v2.b64 [%out], {%d0, %d1};")
		}
	}
	one("createpolicy.fractional.L2::evict_first.b64 %d5, 1.0;\n!!ld.global.L2::cache_hint.b32 %r0, [%in], %d5;", "st.global.b32 [%out], %r0;")
	one("createpolicy.fractional.L2::evict_last.b64 %d5, 0.5;\n!!ld.global.nc.L1::no_allocate.L2::cache_hint.L2::128B.v4.b32 {%r0, %r1, %r2, %r3}, [%in], %d5;", "st.global.v4.b32 [%out], {%r0, %r1, %r2, %r3};")
	for _, q := range []string{"weak.global", "volatile.global", "relaxed.cta.global", "relaxed.cluster.global", "relaxed.gpu.global", "relaxed.sys.global",
		"release.cta.global", "release.cluster.global", "release.gpu.global", "release.sys.global", "mmio.relaxed.sys.global",
		"global.wb", "global.cg", "global.cs", "global.wt", "global.L1::evict_normal", "global.L1::evict_unchanged", "global.L1::evict_first", "global.L1::evict_last", "global.L1::no_allocate"} {
		one("ld.global.b32 %r0, [%in];\n!!st."+q+".b32 [%out], %r0;", "")
	}
	one("ld.global.b32 %r0, [%in];\ncreatepolicy.fractional.L2::evict_unchanged.b64 %d5, 1.0;\n!!st.global.L2::cache_hint.b32 [%out], %r0, %d5;", "")
	for _, q := range []string{"volatile.shared", "relaxed.cta.shared", "acquire.gpu.shared::cta"} {
		all = append(all, hand(group, "ld "+q, shape{in: 4, out: 4, vars: ".shared .align 4 .b32 word[32];\n"},
			"mov.u32 %r1, word;\nmad.lo.u32 %r1, %tx, 4, %r1;\nld.global.b32 %r0, [%in];\nst.shared.b32 [%r1], %r0;\n!!ld."+q+".b32 %r2, [%r1];\nst.global.b32 [%out], %r2;"))
	}
	for _, q := range []string{"volatile.shared", "relaxed.cta.shared", "release.gpu.shared::cta", "release.cluster.shared::cluster"} {
		all = append(all, hand(group, "st "+q, shape{in: 4, out: 4, vars: ".shared .align 4 .b32 word[32];\n"},
			"mov.u32 %r1, word;\nmad.lo.u32 %r1, %tx, 4, %r1;\nld.global.b32 %r0, [%in];\n!!st."+q+".b32 [%r1], %r0;\nld.shared.b32 %r2, [%r1];\nst.global.b32 [%out], %r2;"))
	}
	return all
}

func memoryTests() (all []micro) {
	all = append(moves(), qualified()...)
	const group = "memory other"
	add := func(name string, s shape, body string) { all = append(all, hand(group, name, s, body)) }
	for _, e := range elements {
		store := "b64"
		if e.typ == "f32" {
			store = "f32"
		}
		add("const "+e.typ, shape{out: 8, decl: ".const .align 16 .b8 table_" + e.typ + "[16] = {128, 255, 127, 1, 0, 200, 3, 254, 9, 8, 7, 6, 5, 4, 3, 130};\n"},
			fmt.Sprintf("mov.u64 %%d5, table_%s;\n!!ld.const.%s %s0, [%%d5];\nst.global.%s [%%out], %s0;", e.typ, e.typ, e.reg, store, e.reg))
		add("param "+e.typ, shape{out: 8}, fmt.Sprintf("!!ld.param.%s %s0, [in];\nsub.u64 %%d9, 0, 1;\nst.global.b64 [%%out], %%d9;", e.typ, e.reg))
	}
	for _, e := range elements {
		for _, n := range []int{1, 2, 4} {
			if n*sizeOf(e.typ) > 16 {
				continue
			}
			vector, list, store := "", e.reg+"0", ""
			if n > 1 {
				vector, list = fmt.Sprintf(".v%d", n), "{"+e.reg+"0, "+e.reg+"1"+map[int]string{4: ", " + e.reg + "2, " + e.reg + "3"}[n]+"}"
			}
			for i := range n {
				store += fmt.Sprintf("st.global.%s [%%out+%d], %s%d;\n", map[string]string{"%d": "b64", "%f": "f32", "%x": "f64"}[e.reg], 8*i, e.reg, i)
			}
			add(fmt.Sprintf("param v%d %s", n, e.typ), shape{out: 32, arg: noise("param"+e.typ, 32)}, "!!ld.param"+vector+"."+e.typ+" "+list+", [arg+16];\n"+store)
		}
	}
	for _, q := range []string{"wb", "cg", "cs", "wt"} {
		for _, typ := range []string{"b16", "v2.u16", "v4.f32", "b64"} {
			list := map[string]string{"b16": "%h0", "v2.u16": "{%h1, %h0}", "v4.f32": "{%f0, %f1, %f0, %f1}", "b64": "%d0"}[typ]
			add("st "+q+typ, shape{in: 16, out: 16}, "ld.global.b64 %d0, [%in];\nmov.b64 {%f0, %f1}, %d0;\nld.global.v2.b16 {%h0, %h1}, [%in];\n!!st.global."+q+"."+typ+" [%out], "+list+";")
		}
	}
	add("const v", shape{out: 32, decl: ".const .align 16 .b8 table_v[16] = {128, 255, 127, 1, 0, 200, 3, 254, 9, 8, 7, 6, 5, 4, 3, 130};\n"}, `
		mov.u64 %d5, table_v;
		!!ld.const.v4.b32 {%r0, %r1, %r2, %r3}, [%d5];
		!!ld.const.v2.u16 {%h0, %h1}, [%d5+4];
		st.global.v4.b32 [%out], {%r0, %r1, %r2, %r3};
		st.global.v2.b16 [%out+16], {%h0, %h1};`)
	for _, e := range elements {
		wide, n := map[string]string{"%d": "b64", "%f": "f32", "%x": "f64"}[e.reg], []string{"", ".v2"}[16/sizeOf(e.typ)%3%2]
		list := e.reg + "0"
		if n != "" {
			list = "{" + e.reg + "0, " + e.reg + "1}"
		}
		add("ldu "+e.typ, shape{out: 8, in: 16}, fmt.Sprintf("!!ldu.global%s.%s %s, [%%inbase];\nst.global.%s [%%out], %s0;", n, e.typ, list, wide, e.reg))
	}
	add("ldu", shape{out: 32, in: 16}, `
		!!ldu.global.v4.b32 {%r5, %r6, %r7, %r8}, [%inbase];
		st.global.v4.b32 [%out+16], {%r5, %r6, %r7, %r8};
		!!ldu.b32 %r0, [%inbase];
		!!ldu.global.v2.u32 {%r1, %r2}, [%inbase+8];
		st.global.v2.b32 [%out], {%r0, %r1};
		st.global.b32 [%out+8], %r2;`)
	add("ldu b128", shape{out: 16, in: 16, vars: ".reg .b128 q;\n"}, "!!ldu.global.b128 q, [%inbase];\nst.global.b128 [%out], q;")
	add("b128", shape{out: 32, in: 16, vars: ".reg .b128 q;\n.shared .align 16 .b8 area[512];\n"}, `
		mov.u32 %r0, area;
		mad.lo.u32 %r0, %tx, 16, %r0;
		!!ld.global.b128 q, [%in];
		!!st.shared.b128 [%r0], q;
		!!ld.shared.b128 q, [%r0];
		!!st.global.b128 [%out], q;`)
	for _, q := range []string{"fractional.L2::evict_last", "fractional.L2::evict_normal", "fractional.L2::evict_first", "fractional.L2::evict_unchanged",
		"fractional.L2::evict_last.L2::evict_unchanged", "fractional.L2::evict_first.L2::evict_unchanged"} {
		add("createpolicy "+q, shape{in: 4, out: 4}, "!!createpolicy."+q+".b64 %d0, 0.5;\nld.global.L2::cache_hint.b32 %r0, [%in], %d0;\nst.global.b32 [%out], %r0;")
	}
	add("createpolicy range", shape{in: 4, out: 4}, `
		!!createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %d0, [%inbase], 64, 128;
		!!createpolicy.range.L2::evict_normal.b64 %d0, [%inbase], 64, 128;
		!!createpolicy.range.global.L2::evict_first.b64 %d0, [%inbase], 64, 128;
		!!createpolicy.range.L2::evict_unchanged.L2::evict_first.b64 %d0, [%inbase], 64, 128;
		ld.global.L2::cache_hint.b32 %r0, [%in], %d0;
		st.global.b32 [%out], %r0;`)
	add("createpolicy cvt", shape{in: 4, out: 4}, `
		!!createpolicy.cvt.L2.b64 %d0, 0x12f0000000000000;
		ld.global.b32 %r0, [%in];
		st.global.b32 [%out], %r0;`)
	add("prefetch", shape{in: 4, out: 4, vars: ".local .align 4 .b32 mine;\n"}, `
		!!prefetch.global.L1 [%in];
		!!prefetch.global.L2 [%in];
		!!prefetch.L1 [%in];
		!!prefetch.L2 [%in];
		!!prefetch.global.L2::evict_last [%in];
		!!prefetch.global.L2::evict_normal [%in];
		mov.u64 %d9, mine;
		!!prefetch.local.L1 [%d9];
		!!prefetchu.L1 [%in];
		!!applypriority.global.L2::evict_normal [%inbase], 128;
		ld.global.b32 %r0, [%in];
		st.global.b32 [%out], %r0;`)
	add("discard", shape{in: 4, out: 4, outputs: 256}, `
		!!discard.global.L2 [%outbase+128], 128;
		st.global.b32 [%out+128], %tx;
		st.global.b32 [%out], %tx;`)
	all[len(all)-1].out = 128
	add("cvta", shape{in: 4, out: 32, vars: ".shared .align 4 .b32 word[32];\n.local .align 4 .b32 mine;\n", decl: ".const .align 4 .b32 seven = 7;\n.global .align 4 .b32 nine = 9;\n"}, `
		mov.u64 %d0, word;
		!!cvta.shared.u64 %d1, %d0;
		mul.wide.u32 %d9, %tx, 4;
		add.u64 %d1, %d1, %d9;
		st.b32 [%d1], %tx;
		!!cvta.to.shared.u64 %d2, %d1;
		ld.shared.b32 %r0, [%d2];
		mov.u64 %d3, mine;
		!!cvta.local.u64 %d4, %d3;
		st.b32 [%d4], 77;
		!!cvta.to.local.u64 %d5, %d4;
		ld.local.b32 %r1, [%d5];
		mov.u64 %d6, seven;
		!!cvta.const.u64 %d7, %d6;
		ld.b32 %r2, [%d7];
		!!cvta.to.const.u64 %d8, %d7;
		ld.const.b32 %r3, [%d8];
		mov.u64 %d10, nine;
		!!cvta.global.u64 %d11, %d10;
		ld.b32 %r4, [%d11];
		!!cvta.to.global.u64 %d12, %d11;
		ld.global.b32 %r5, [%d12];
		sub.u64 %d13, %d11, %d12;
		st.global.v4.b32 [%out], {%r0, %r1, %r2, %r3};
		st.global.v2.b32 [%out+16], {%r4, %r5};
		st.global.b64 [%out+24], %d13;`)
	for _, space := range []string{"shared::cta", "shared::cluster"} {
		add("cvta "+space, shape{out: 4, vars: ".shared .align 4 .b32 word[32];\n"}, replaceAll(`
			mov.u64 %d0, word;
			!!cvta.SPACE.u64 %d1, %d0;
			mul.wide.u32 %d9, %tx, 4;
			add.u64 %d1, %d1, %d9;
			st.b32 [%d1], %tx;
			!!cvta.to.SPACE.u64 %d2, %d1;
			ld.shared.b32 %r0, [%d2];
			st.global.b32 [%out], %r0;`, "SPACE", space))
	}
	add("entry's parameters", shape{out: 24}, `
		!!ld.param::entry.u64 %d5, [in];
		sub.u64 %d5, %d5, %inbase;
		mov.b64 %d0, in;
		!!cvta.param::entry.u64 %d1, %d0;
		ld.u64 %d2, [%d1];
		sub.u64 %d2, %d2, %inbase;
		!!isspacep.param %p0, %d1;
		!!isspacep.param::entry %p1, %d1;
		!!isspacep.param %p2, %inbase;
		!!isspacep.global %p3, %d1;
		selp.u32 %r0, 1, 0, %p0;
		selp.u32 %r1, 1, 0, %p1;
		selp.u32 %r2, 1, 0, %p2;
		selp.u32 %r3, 1, 0, %p3;
		st.global.b32 [%out], %d5;
		st.global.b32 [%out+4], %d2;
		st.global.v2.b32 [%out+8], {%r0, %r1};
		st.global.v2.b32 [%out+16], {%r2, %r3};`)
	add("cvta param", shape{out: 4}, `
		mov.b64 %d0, in;
		!!cvta.param.u64 %d1, %d0;
		ld.u64 %d2, [%d1];
		sub.u64 %d2, %d2, %inbase;
		st.global.b32 [%out], %d2;`)
	body, i := "mov.u64 %d0, word;\ncvta.shared.u64 %d1, %d0;\nmov.u64 %d2, mine;\ncvta.local.u64 %d2, %d2;\nmov.u64 %d3, seven;\ncvta.const.u64 %d3, %d3;\nmov.b64 %d4, %inbase;\n", 0
	for _, space := range []string{"global", "shared", "shared::cta", "shared::cluster", "local", "const"} {
		for a := 1; a <= 4; a++ {
			body += fmt.Sprintf("!!isspacep.%s %%p0, %%d%d;\nselp.u32 %%r0, 1, 0, %%p0;\nst.global.b32 [%%out+%d], %%r0;\n", space, a, 4*i)
			i++
		}
	}
	add("isspacep", shape{out: 4 * i, vars: ".shared .align 4 .b32 word[32];\n.local .align 4 .b32 mine;\n", decl: ".const .align 4 .b32 seven_i = 7;\n"}, replaceAll(body, "seven", "seven_i"))
	return all
}
