package formtest

import "fmt"

// mbarrierTests is mbarriers (PTX 9.7.13.15). What an mbarrier or a state holds
// is the hardware's matter: the results are what waits and pending counts say.
func mbarrierTests() (all []micro) {
	const group = "mbarrier"
	vars := ".shared .align 8 .b64 bar[2];\n"
	add := func(name string, s shape, body string) {
		s.vars = vars
		all = append(all, hand(group, name, s, body))
	}
	for _, space := range []string{"", ".shared", ".shared::cta"} {
		address := "mov.u32 %r0, bar;\ncvt.u64.u32 %d0, %r0;\ncvta.shared.u64 %d0, %d0;\n"
		at := "%d0"
		if space != "" {
			at = "%r0"
		}
		start := address + "setp.ne.u32 %p15, %tx, 0;\n@%p15 bra READY;\n"
		test := func(i int, parity string) string {
			return fmt.Sprintf("!!mbarrier.test_wait.parity%s.b64 %%p1, [%s], %s;\nselp.u32 %%r5, 1, 0, %%p1;\nst.global.b32 [%%out+%d], %%r5;\n", space, at, parity, 4*i)
		}
		add("phases "+space, shape{threads: 1, out: 40}, replaceAll(start+
			"!!mbarrier.init"+space+".b64 [AT], 3;\n"+test(0, "0")+test(1, "1")+
			"!!mbarrier.arrive"+space+".b64 %d1, [AT];\n!!mbarrier.pending_count.b64 %r6, %d1;\nst.global.b32 [%out+8], %r6;\n"+
			"!!mbarrier.arrive.noComplete"+space+".b64 %d2, [AT], 1;\n!!mbarrier.pending_count.b64 %r7, %d2;\nst.global.b32 [%out+12], %r7;\n"+test(4, "0")+
			"!!mbarrier.test_wait"+space+".b64 %p2, [AT], %d2;\nselp.u32 %r5, 1, 0, %p2;\nst.global.b32 [%out+20], %r5;\n"+
			"!!mbarrier.arrive"+space+".b64 %d3, [AT], 1;\n"+
			"!!mbarrier.test_wait"+space+".b64 %p2, [AT], %d2;\nselp.u32 %r5, 1, 0, %p2;\nst.global.b32 [%out+24], %r5;\n"+test(7, "0")+test(8, "1")+
			"!!mbarrier.inval"+space+".b64 [AT];\nmov.b32 %r6, 9;\nst.global.b32 [%out+36], %r6;\nREADY:", "AT", at))
		add("drop "+space, shape{threads: 1, out: 32}, replaceAll(start+
			"mbarrier.init"+space+".b64 [AT], 4;\n!!mbarrier.arrive_drop"+space+".b64 %d1, [AT];\nmbarrier.pending_count.b64 %r6, %d1;\nst.global.b32 [%out], %r6;\n"+
			"!!mbarrier.arrive_drop.noComplete"+space+".b64 %d2, [AT], 1;\nmbarrier.pending_count.b64 %r6, %d2;\nst.global.b32 [%out+4], %r6;\n"+
			"mbarrier.arrive"+space+".b64 %d3, [AT], 2;\n"+test(2, "0")+test(3, "1")+
			"mbarrier.arrive"+space+".b64 %d3, [AT];\nmbarrier.pending_count.b64 %r6, %d3;\nst.global.b32 [%out+16], %r6;\n"+test(5, "1")+
			"mbarrier.arrive"+space+".b64 _, [AT];\n"+test(6, "1")+test(7, "0")+"READY:", "AT", at))
		add("bytes "+space, shape{threads: 1, out: 32}, replaceAll(start+
			"mbarrier.init"+space+".b64 [AT], 2;\n!!mbarrier.expect_tx.relaxed.cta"+space+".b64 [AT], 64;\n"+
			"!!mbarrier.arrive.expect_tx"+space+".b64 %d1, [AT], 32;\nmbarrier.pending_count.b64 %r6, %d1;\nst.global.b32 [%out], %r6;\n"+
			"!!mbarrier.arrive_drop.expect_tx"+space+".b64 %d2, [AT], 16;\n"+test(1, "0")+
			"!!mbarrier.complete_tx.relaxed.cta"+space+".b64 [AT], 96;\n"+test(2, "0")+
			"mbarrier.complete_tx.relaxed.cta"+space+".b64 [AT], 16;\n"+test(3, "0")+
			"!!mbarrier.try_wait.parity"+space+".b64 %p1, [AT], 0;\nselp.u32 %r5, 1, 0, %p1;\nst.global.b32 [%out+16], %r5;\n"+
			"!!mbarrier.try_wait"+space+".b64 %p1, [AT], %d2;\nselp.u32 %r5, 1, 0, %p1;\nst.global.b32 [%out+20], %r5;\n"+
			"!!mbarrier.try_wait.parity"+space+".b64 %p1, [AT], 1, 1000;\nselp.u32 %r5, 1, 0, %p1;\nst.global.b32 [%out+24], %r5;\n"+
			"mbarrier.arrive"+space+".b64 %d3, [AT];\n"+test(7, "1")+"READY:", "AT", at))
	}
	for _, q := range []string{".release.cta", ".release.cluster", ".relaxed.cta", ".relaxed.cluster"} {
		wait := replaceAll(q, "release", "acquire")
		add("order "+q, shape{threads: 1, out: 16}, fmt.Sprintf(`
			mov.u32 %%r0, bar;
			setp.ne.u32 %%p15, %%tx, 0;
			@%%p15 bra READY;
			mbarrier.init.shared.b64 [%%r0], 3;
			!!mbarrier.arrive%[1]s.shared::cta.b64 %%d1, [%%r0];
			!!mbarrier.arrive.expect_tx%[1]s.shared::cta.b64 %%d2, [%%r0], 0;
			!!mbarrier.arrive_drop%[1]s.shared::cta.b64 %%d3, [%%r0];
			!!mbarrier.test_wait%[2]s.shared::cta.b64 %%p0, [%%r0], %%d1;
			!!mbarrier.test_wait.parity%[2]s.shared::cta.b64 %%p1, [%%r0], 0;
			!!mbarrier.try_wait%[2]s.shared::cta.b64 %%p2, [%%r0], %%d1;
			!!mbarrier.try_wait.parity%[2]s.shared::cta.b64 %%p3, [%%r0], 0;
			selp.u32 %%r1, 1, 0, %%p0;
			selp.u32 %%r2, 1, 0, %%p1;
			selp.u32 %%r3, 1, 0, %%p2;
			selp.u32 %%r4, 1, 0, %%p3;
			st.global.v4.b32 [%%out], {%%r1, %%r2, %%r3, %%r4};
			READY:`, q, wait))
	}
	add("ring", shape{threads: 128, in: 4, out: 4}, `
		.shared .align 4 .b32 word[64];
		mov.u32 %r0, bar;
		mov.u32 %r1, word;
		setp.ne.u32 %p0, %tx, 0;
		@%p0 bra READY;
		mbarrier.init.shared::cta.b64 [%r0], 64;
		mbarrier.init.shared::cta.b64 [%r0+8], 64;
		READY:
		bar.sync 0;
		mov.b32 %r2, 0;
		mov.b32 %r3, 0;
		and.b32 %r4, %tx, 63;
		mad.lo.u32 %r5, %r4, 4, %r1;
		xor.b32 %r6, %r4, 63;
		mad.lo.u32 %r6, %r6, 4, %r1;
		setp.ge.u32 %p1, %tx, 64;
		@%p1 bra CONSUME;
		PRODUCE:
		and.b32 %r7, %r2, 1;
		xor.b32 %r7, %r7, 1;
		EMPTY:
		!!mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r0+8], %r7;
		@!%p2 bra EMPTY;
		mad.lo.u32 %r8, %r2, 1000, %tx;
		st.shared.b32 [%r5], %r8;
		!!mbarrier.arrive.shared::cta.b64 _, [%r0];
		add.u32 %r2, %r2, 1;
		setp.lt.u32 %p3, %r2, 5;
		@%p3 bra PRODUCE;
		st.global.b32 [%out], %tx;
		bra DONE;
		CONSUME:
		and.b32 %r7, %r2, 1;
		FULL:
		!!mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r0], %r7, 100;
		@!%p2 bra FULL;
		ld.shared.b32 %r8, [%r6];
		mad.lo.u32 %r3, %r3, 7, %r8;
		!!mbarrier.arrive.shared::cta.b64 %d1, [%r0+8];
		add.u32 %r2, %r2, 1;
		setp.lt.u32 %p3, %r2, 5;
		@%p3 bra CONSUME;
		st.global.b32 [%out], %r3;
		DONE:`)
	return all
}
