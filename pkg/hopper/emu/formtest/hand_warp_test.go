package formtest

import "fmt"

// warpTests is the exchanges between the lanes of a warp (PTX 9.7.9.6, 9.7.13):
// in whole warps, and in the 13 lanes of a membermask that took a branch.
func warpTests() (all []micro) {
	const group = "warp"
	some := func(name, body string, s shape) {
		s.threads = 64
		all = append(all, hand(group, name, s, body))
		branch := "setp.gt.u32 %p15, %lane, 12;\n@%p15 bra END;\n" + body + "\nEND:"
		all = append(all, hand(group, name+" some", s, replaceAll(branch, "0xffffffff", "0x1fff")))
	}
	for _, mode := range []string{"up", "down", "bfly", "idx"} {
		body := "ld.global.b32 %r0, [%in];\nld.global.b32 %r1, [%in+4];\nmov.b32 %r7, 0;\n"
		clamps := []string{"0x1f", "0x181f", "0x1c1f", "0x100f", "0x1c03"}
		if mode == "up" {
			clamps = []string{"0", "0x1800", "0x1c00", "0x1003", "0x1e01"}
		}
		for i, c := range clamps {
			body += fmt.Sprintf("!!shfl.sync.%s.b32 %%r2|%%p0, %%r0, %%r1, %s, 0xffffffff;\nselp.u32 %%r3, 1, 0, %%p0;\nst.global.v2.b32 [%%out+%d], {%%r2, %%r3};\n", mode, c, 8*i)
		}
		m := hand(group, "shfl "+mode, shape{threads: 64, in: 8, out: 40}, body)
		all = append(all, m)
	}
	for _, op := range []string{"all", "any", "uni"} {
		body := ""
		for i, p := range []string{"setp.lt.u32 %p0, %lane, 40;", "setp.lt.u32 %p0, %lane, 7;", "setp.gt.u32 %p0, %lane, 40;"} {
			body += fmt.Sprintf("%s\n!!vote.sync.%s.pred %%p1, %%p0, 0xffffffff;\n!!vote.sync.%s.pred %%p2, !%%p0, 0xffffffff;\nselp.u32 %%r0, 1, 0, %%p1;\nselp.u32 %%r1, 1, 0, %%p2;\nst.global.v2.b32 [%%out+%d], {%%r0, %%r1};\n", p, op, op, 8*i)
		}
		some("vote "+op, body, shape{in: 4, out: 24})
	}
	some("vote ballot", "ld.global.b32 %r0, [%in];\nsetp.lt.s32 %p0, %r0, 0;\n!!vote.sync.ballot.b32 %r1, %p0, 0xffffffff;\n!!vote.sync.ballot.b32 %r2, !%p0, 0xffffffff;\nst.global.v2.b32 [%out], {%r1, %r2};", shape{in: 4, out: 8})
	for _, typ := range []string{"b32", "b64"} {
		r, scale := "%r", "mul.lo.u32 %r0, %r0, 77777777;\nmov.b32 %r3, %r0;\nmov.b32 %r4, 5;"
		if typ == "b64" {
			r, scale = "%d", "cvt.u64.u32 %d3, %r0;\nshl.b64 %d3, %d3, 33;\nmov.b64 %d4, 0x500000000;"
		}
		some("match any "+typ, fmt.Sprintf("ld.global.b32 %%r0, [%%in];\nand.b32 %%r0, %%r0, 5;\n%s\n!!match.any.sync.%s %%r1, %s3, 0xffffffff;\nst.global.b32 [%%out], %%r1;", scale, typ, r), shape{in: 4, out: 4})
		some("match all "+typ, fmt.Sprintf("ld.global.b32 %%r0, [%%in];\nand.b32 %%r0, %%r0, 5;\n%s\n!!match.all.sync.%s %%r1|%%p0, %s3, 0xffffffff;\n!!match.all.sync.%s %%r2|%%p1, %s4, 0xffffffff;\nselp.u32 %%r5, 1, 0, %%p0;\nselp.u32 %%r6, 1, 0, %%p1;\nst.global.v4.b32 [%%out], {%%r1, %%r2, %%r5, %%r6};", scale, typ, r, typ, r), shape{in: 4, out: 16})
	}
	for _, op := range []string{"add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32", "or.b32", "xor.b32"} {
		some("redux "+op, fmt.Sprintf("ld.global.b32 %%r0, [%%in];\nor.b32 %%r2, %%r0, 0x10000;\nand.b32 %%r3, %%r0, 0x6000ffff;\n!!redux.sync.%s %%r1, %%r2, 0xffffffff;\n!!redux.sync.%s %%r4, %%r3, 0xffffffff;\nst.global.v2.b32 [%%out], {%%r1, %%r4};", op, op), shape{in: 4, out: 8})
	}
	some("elect", "!!elect.sync %r0|%p0, 0xffffffff;\n!!elect.sync _|%p1, 0xffffffff;\nselp.u32 %r1, 1, 0, %p0;\nselp.u32 %r2, 1, 0, %p1;\nst.global.v4.b32 [%out], {%r0, %r1, %r2, %r2};", shape{out: 16})
	some("activemask", "!!activemask.b32 %r0;\nst.global.b32 [%out], %r0;", shape{out: 4})
	all = append(all, hand(group, "bar.warp.sync", shape{threads: 32, out: 4, vars: ".shared .align 4 .b32 word[32];\n"}, `
		mov.u32 %r0, word;
		mad.lo.u32 %r1, %lane, 4, %r0;
		mad.lo.u32 %r2, %lane, 7, 3;
		st.shared.u32 [%r1], %r2;
		!!bar.warp.sync 0xffffffff;
		xor.b32 %r3, %lane, 21;
		mad.lo.u32 %r3, %r3, 4, %r0;
		ld.shared.u32 %r4, [%r3];
		!!bar.warp.sync -1;
		st.global.u32 [%out], %r4;`))
	return all
}
