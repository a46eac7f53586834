package formtest

import "fmt"

// copyTests is cp.async and its groups (PTX 9.7.9.25.3).
func copyTests() (all []micro) {
	const group = "cp.async"
	vars := ".shared .align 16 .b8 area[2048];\n.shared .align 8 .b64 bar;\n"
	start := "mov.u32 %r0, area;\nmad.lo.u32 %r0, %tx, 32, %r0;\nmov.b64 %d0, -1;\nst.shared.v2.b64 [%r0], {%d0, %d0};\nst.shared.v2.b64 [%r0+16], {%d0, %d0};\nand.b32 %r1, %tx, 3;\nsetp.eq.u32 %p0, %r1, 1;\n"
	end := "\nld.shared.v2.b64 {%d1, %d2}, [%r0];\nld.shared.v2.b64 {%d3, %d4}, [%r0+16];\nst.global.v2.b64 [%out], {%d1, %d2};\nst.global.v2.b64 [%out+16], {%d3, %d4};"
	add := func(name, body string) {
		all = append(all, hand(group, name, shape{threads: 64, in: 32, out: 32, vars: vars}, start+body+end))
	}
	wait := "\ncp.async.wait_all;"
	for _, space := range []string{"shared", "shared::cta"} {
		for _, op := range []string{"ca", "cg"} {
			for _, hint := range []string{"", ".L2::64B", ".L2::128B", ".L2::256B"} {
				for _, n := range []int{4, 8, 16} {
					if op == "cg" && n < 16 || hint != "" && (n < 16 || space == "shared") {
						continue
					}
					name := fmt.Sprintf("cp.async.%s.%s.global%s", op, space, hint)
					add(fmt.Sprintf("%s %d", name, n), fmt.Sprintf("!!%s [%%r0], [%%in+16], %d;%s", name, n, wait))
					add(fmt.Sprintf("%s %d size", name, n), fmt.Sprintf("mul.lo.u32 %%r2, %%r1, %d;\n!!%s [%%r0], [%%in], %d, %%r2;%s", n/4, name, n, wait))
					add(fmt.Sprintf("%s %d ignore", name, n), fmt.Sprintf("!!%s [%%r0+16], [%%in], %d, %%p0;%s", name, n, wait))
				}
			}
		}
	}
	policy := "createpolicy.fractional.L2::evict_first.b64 %d7, 1.0;\n"
	add("hint", policy+"!!cp.async.ca.shared.global.L2::cache_hint [%r0], [%in], 8, %d7;\n!!cp.async.cg.shared::cta.global.L2::cache_hint.L2::128B [%r0+16], [%in], 16, 5, %d7;"+wait)
	add("groups", `
		cp.async.ca.shared.global [%r0], [%in], 8;
		!!cp.async.commit_group;
		cp.async.ca.shared.global [%r0+8], [%in+16], 8;
		!!cp.async.commit_group;
		!!cp.async.wait_group 1;
		ld.shared.b64 %d5, [%r0];
		st.shared.b64 [%r0+16], %d5;
		!!cp.async.wait_group 0;
		cp.async.ca.shared.global [%r0+24], [%in+24], 8;
		!!cp.async.wait_all;`)
	for i, op := range []string{"cp.async.mbarrier.arrive.b64", "cp.async.mbarrier.arrive.shared.b64", "cp.async.mbarrier.arrive.shared::cta.b64",
		"cp.async.mbarrier.arrive.noinc.b64", "cp.async.mbarrier.arrive.noinc.shared.b64", "cp.async.mbarrier.arrive.noinc.shared::cta.b64"} {
		count, at, extra := 64, "%r9", "mbarrier.arrive.shared.b64 _, [%r9];"
		if i >= 3 {
			extra = ""
		}
		if i%3 == 0 {
			at = "%d9"
		}
		add(op, fmt.Sprintf(`
			mov.u32 %%r9, bar;
			cvt.u64.u32 %%d9, %%r9;
			cvta.shared.u64 %%d9, %%d9;
			setp.ne.u32 %%p1, %%tx, 0;
			@%%p1 bra READY;
			mbarrier.init.shared.b64 [%%r9], %d;
			READY:
			bar.sync 0;
			cp.async.ca.shared.global [%%r0], [%%in], 16;
			!!%s [%s];
			%s
			WAIT:
			mbarrier.try_wait.parity.shared.b64 %%p2, [%%r9], 0;
			@!%%p2 bra WAIT;`, count, op, at, extra))
	}
	return all
}
