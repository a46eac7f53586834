package formtest

import "fmt"

// controlTests is branches, calls, clocks, fences and what else deals with the
// execution itself (PTX 9.7.12, 9.7.13, 9.7.19, 10).
func controlTests() (all []micro) {
	const group = "control"
	add := func(name string, s shape, body string) { all = append(all, hand(group, name, s, body)) }
	add("bra", shape{in: 4, out: 4}, `
		ld.global.b32 %r0, [%in];
		and.b32 %r0, %r0, 15;
		mov.b32 %r1, 0;
		LOOP:
		setp.eq.u32 %p0, %r0, 0;
		@%p0 !!bra DONE;
		mad.lo.u32 %r1, %r1, 3, %r0;
		sub.u32 %r0, %r0, 1;
		!!bra.uni LOOP;
		DONE:
		st.global.b32 [%out], %r1;`)
	add("brx", shape{out: 4}, `
		rem.u32 %r0, %lane, 3;
		TARGETS: .branchtargets A, B, C;
		mov.b32 %r1, 1;
		!!brx.idx %r0, TARGETS;
		A: mov.b32 %r1, 10;
		B: add.u32 %r1, %r1, 100;
		C: add.u32 %r1, %r1, 1000;
		MORE: .branchtargets E, D;
		!!brx.idx.uni 1, MORE;
		D: add.u32 %r1, %r1, 5;
		E: add.u32 %r1, %r1, 50000;
		st.global.b32 [%out], %r1;`)
	add("exit", shape{out: 4}, `
		setp.gt.u32 %p0, %lane, 7;
		st.global.b32 [%out], 3;
		@%p0 !!exit;
		st.global.b32 [%out], 4;
		setp.gt.u32 %p1, %lane, 3;
		@%p1 !!ret;
		st.global.b32 [%out], 5;
		!!ret.uni;`)
	add("call", shape{in: 4, out: 16, decl: `.func (.reg .b32 r) twice(.reg .b32 a)
{
	.reg .pred p;
	shl.b32 r, a, 1;
	setp.lt.s32 p, a, 0;
	@p ret;
	add.u32 r, r, 1;
	ret;
}
.func (.param .b32 r) thrice(.param .b32 a, .param .align 8 .b8 pair[8])
{
	.reg .b32 x<5>;
	ld.param.b32 x0, [a];
	ld.param.v2.b32 {x2, x3}, [pair];
	mad.lo.u32 x1, x0, 3, x2;
	xor.b32 x1, x1, x3;
	st.param.b32 [r], x1;
	ret;
}
`}, `
		ld.global.b32 %r0, [%in];
		{
		.param .b32 pa;
		.param .align 8 .b8 pb[8];
		.param .b32 pr;
		!!st.param.b32 [pa], %r0;
		!!st.param.v2.b32 [pb], {%r0, %tx};
		call (pr), thrice, (pa, pb);
		!!ld.param.b32 %r3, [pr];
		!!st.param::func.b32 [pa], %r3;
		!!call.uni (pr), thrice, (pa, pb);
		!!ld.param::func.b32 %r4, [pr];
		}
		st.global.v2.b32 [%out+8], {%r3, %r4};
		!!call (%r1), twice, (%r0);
		!!call.uni (%r2), twice, (%r1);
		st.global.v2.b32 [%out], {%r1, %r2};`)
	add("nanosleep", shape{out: 4}, `
		!!nanosleep.u32 100;
		mov.b32 %r0, 50;
		!!nanosleep.u32 %r0;
		st.global.b32 [%out], 1;`)
	add("pmevent", shape{out: 4}, "!!pmevent 3;\n!!pmevent.mask 5;\nst.global.b32 [%out], 1;")
	add("griddepcontrol", shape{out: 4}, "!!griddepcontrol.launch_dependents;\n!!griddepcontrol.wait;\nst.global.b32 [%out], 1;")
	for i, c := range []string{"clock64", "globaltimer", "clock", "globaltimer_lo"} { // never back, and it moves on in the end
		typ, reg := "u64", "%d"
		if i > 1 {
			typ, reg = "u32", "%r"
		}
		signed := "s" + typ[1:]
		add("special "+c, shape{out: 4}, fmt.Sprintf(`
			mov.b32 %%r9, 0;
			mov.%[1]s %[2]s0, %%%[3]s;
			WAIT:
			mov.%[1]s %[2]s1, %%%[3]s;
			sub.%[1]s %[2]s2, %[2]s1, %[2]s0;
			setp.lt.%[4]s %%p0, %[2]s2, 0;
			@%%p0 mov.b32 %%r9, 5;
			setp.eq.%[1]s %%p1, %[2]s2, 0;
			@%%p1 bra WAIT;
			st.global.b32 [%%out], %%r9;`, typ, reg, c, signed))
		all[len(all)-1].forms = []string{"%" + c}
	}
	body, names := "", []string{}
	for i, r := range []string{"tid.x", "tid.y", "tid.z", "ntid.x", "ntid.y", "ntid.z", "laneid", "ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z",
		"lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge", "lanemask_gt",
		"clusterid.x", "clusterid.y", "clusterid.z", "nclusterid.x", "nclusterid.y", "nclusterid.z", "cluster_ctaid.x", "cluster_ctaid.y", "cluster_ctaid.z",
		"cluster_nctaid.x", "cluster_nctaid.y", "cluster_nctaid.z", "cluster_ctarank", "cluster_nctarank", "dynamic_smem_size", "total_smem_size", "aggr_smem_size",
		"reserved_smem_offset_begin", "reserved_smem_offset_end", "reserved_smem_offset_cap"} {
		body += fmt.Sprintf("mov.u32 %%r0, %%%s;\nst.global.b32 [%%out+%d], %%r0;\n", r, 4*i)
		names = append(names, "%"+r)
	}
	body += fmt.Sprintf("mov.pred %%p0, %%is_explicit_cluster;\nselp.u32 %%r0, 1, 0, %%p0;\nst.global.b32 [%%out+%d], %%r0;\n", 4*len(names))
	names = append(names, "%is_explicit_cluster")
	add("special registers", shape{threads: 64, ctas: 4, out: 4 * len(names), shared: 512}, body)
	all[len(all)-1].forms = names
	add("special registers of a cluster", shape{threads: 64, ctas: 8, cluster: 4, out: 4 * len(names), shared: 512}, body)
	all[len(all)-1].forms = names
	fences := ""
	for _, f := range []string{"membar.cta", "membar.gl", "membar.sys", "membar.proxy.alias",
		"fence.cta", "fence.sc.cta", "fence.acq_rel.cta", "fence.sc.cluster", "fence.acq_rel.cluster", "fence.sc.gpu", "fence.acq_rel.gpu", "fence.sc.sys", "fence.acq_rel.sys",
		"fence.acquire.sync_restrict::shared::cluster.cluster", "fence.release.sync_restrict::shared::cta.cluster",
		"fence.mbarrier_init.release.cluster", "fence.proxy.alias", "fence.proxy.async", "fence.proxy.async.global", "fence.proxy.async.shared::cta", "fence.proxy.async.shared::cluster",
		"fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster", "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
		"fence.proxy.tensormap::generic.release.cta", "fence.proxy.tensormap::generic.release.cluster", "fence.proxy.tensormap::generic.release.gpu", "fence.proxy.tensormap::generic.release.sys"} {
		fences += "!!" + f + ";\n"
	}
	for _, s := range []string{"cta", "cluster", "gpu", "sys"} {
		fences += "!!fence.proxy.tensormap::generic.acquire." + s + " [%inbase], 128;\n"
	}
	add("fences", shape{in: 4, out: 4}, "ld.global.b32 %r0, [%in];\nst.global.b32 [%out], %r0;\n"+fences+"ld.global.b32 %r1, [%out];\nadd.u32 %r1, %r1, 1;\nst.global.b32 [%out], %r1;")
	all[len(all)-1].in = noise("fences", 4096)
	m := hand(group, "setmaxnreg", shape{threads: 256, in: 4, out: 4}, `
		ld.global.b32 %r0, [%in];
		setp.ge.u32 %p0, %tx, 128;
		@%p0 bra GROW;
		!!setmaxnreg.dec.sync.aligned.u32 24;
		bra.uni REST;
		GROW:
		!!setmaxnreg.inc.sync.aligned.u32 232;
		add.u32 %r0, %r0, 1;
		REST:
		st.global.b32 [%out], %r0;`)
	m.text = replaceAll(m.text, ".maxntid 256, 1, 1", ".maxntid 256, 1, 1\n.maxnreg 128")
	return append(all, m)
}
