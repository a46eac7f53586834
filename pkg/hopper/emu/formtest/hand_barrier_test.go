package formtest

import "fmt"

// barrierTests is the named barriers of a CTA (PTX 9.7.13.1): what the threads
// write before one they read behind it, and its reductions are of all of them.
func barrierTests() (all []micro) {
	const group = "barrier"
	add := func(name, sync string) {
		all = append(all, hand(group, name, shape{threads: 128, out: 4, vars: ".shared .align 4 .b32 word[128];\n"}, fmt.Sprintf(`
			mov.u32 %%r0, word;
			mad.lo.u32 %%r1, %%tx, 4, %%r0;
			mul.lo.u32 %%r2, %%tx, 77;
			st.shared.b32 [%%r1], %%r2;
			mov.b32 %%r8, 5;
			mov.b32 %%r9, 128;
			%s
			xor.b32 %%r3, %%tx, 101;
			mad.lo.u32 %%r3, %%r3, 4, %%r0;
			ld.shared.b32 %%r4, [%%r3];
			st.global.b32 [%%out], %%r4;`, sync)))
	}
	for _, op := range []string{"bar.sync", "bar.cta.sync", "barrier.sync", "barrier.cta.sync", "barrier.sync.aligned", "barrier.cta.sync.aligned"} {
		add(op, "!!"+op+" 0;")
		add(op+" register", "!!"+op+" %r8;")
		add(op+" count", "!!"+op+" 3, 128;")
		add(op+" registers", "!!"+op+" %r8, %r9;")
	}
	for _, op := range []string{"bar.arrive", "bar.cta.arrive", "barrier.arrive", "barrier.cta.arrive", "barrier.arrive.aligned", "barrier.cta.arrive.aligned"} {
		wait := replaceAll(op, "arrive", "sync")
		all = append(all, hand(group, op, shape{threads: 128, out: 4, vars: ".shared .align 4 .b32 word[128];\n"}, fmt.Sprintf(`
			mov.u32 %%r0, word;
			mad.lo.u32 %%r1, %%tx, 4, %%r0;
			setp.ge.u32 %%p0, %%tx, 64;
			@%%p0 bra PRODUCE;
			%s 7, 128;
			ld.shared.b32 %%r4, [%%r1+256];
			st.global.b32 [%%out], %%r4;
			bra DONE;
			PRODUCE:
			mul.lo.u32 %%r2, %%tx, 91;
			st.shared.b32 [%%r1], %%r2;
			!!%s 7, 128;
			st.global.b32 [%%out], %%tx;
			DONE:`, wait, op)))
	}
	for _, op := range []string{"bar.red", "bar.cta.red", "barrier.red", "barrier.cta.red"} {
		for _, aligned := range []string{"", ".aligned"} {
			if aligned != "" && op[:4] == "bar." {
				continue
			}
			body := "ld.global.b32 %r0, [%in];\nmov.b32 %r9, 96;\n"
			for i, p := range []string{"setp.lt.s32 %p0, %r0, 0;", "setp.lt.u32 %p0, %tx, 200;", "setp.gt.u32 %p0, %tx, 200;"} {
				body += fmt.Sprintf("%[1]s\n!!%[2]s.popc%[3]s.u32 %%r1, 2, %%p0;\n!!%[2]s.and%[3]s.pred %%p1, 3, %%r9, %%p0;\n!!%[2]s.or%[3]s.pred %%p2, 4, 96, !%%p0;\nselp.u32 %%r2, 1, 0, %%p1;\nselp.u32 %%r3, 1, 0, %%p2;\nst.global.v4.b32 [%%out+%[4]d], {%%r1, %%r2, %%r3, %%r3};\n", p, op, aligned, 16*i)
			}
			all = append(all, hand(group, op+aligned, shape{threads: 96, in: 4, out: 48}, body))
		}
	}
	return all
}
