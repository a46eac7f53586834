package formtest

import (
	"fmt"
	"strings"
)

// clusterTests is what the CTAs of a cluster do to each other (PTX 9.7.9.12,
// .23, .24, 9.7.13.4, .7).
func clusterTests() (all []micro) {
	const group = "cluster"
	vars := ".shared .align 128 .b8 area[2048];\n.shared .align 8 .b64 bar;\n"
	add := func(name string, s shape, body string) {
		s.threads, s.ctas, s.cluster, s.vars = 64, 8, 4, vars
		all = append(all, hand(group, name, s, body))
	}
	exchange := func(arrive, wait string) string {
		return fmt.Sprintf(`
			mov.u32 %%r0, area;
			mad.lo.u32 %%r1, %%tx, 4, %%r0;
			mad.lo.u32 %%r2, %%id, 3, 7;
			st.shared.b32 [%%r1], %%r2;
			%s
			%s
			mov.u32 %%r3, %%cluster_ctarank;
			add.u32 %%r3, %%r3, 1;
			and.b32 %%r3, %%r3, 3;
			!!mapa.shared::cluster.u32 %%r4, %%r1, %%r3;
			!!getctarank.shared::cluster.u32 %%r5, %%r4;
			!!ld.shared::cluster.b32 %%r6, [%%r4];
			cvt.u64.u32 %%d0, %%r1;
			!!mapa.shared::cluster.u64 %%d1, %%d0, %%r3;
			!!getctarank.shared::cluster.u64 %%r7, %%d1;
			cvta.shared.u64 %%d2, %%d0;
			!!mapa.u64 %%d3, %%d2, %%r3;
			!!getctarank.u64 %%r8, %%d3;
			ld.b32 %%r9, [%%d3];
			!!isspacep.shared::cluster %%p0, %%d3;
			!!isspacep.shared::cta %%p1, %%d3;
			!!isspacep.shared %%p2, %%d3;
			selp.u32 %%r10, 1, 0, %%p0;
			selp.u32 %%r11, 1, 0, %%p1;
			selp.u32 %%r12, 1, 0, %%p2;
			st.global.v4.b32 [%%out], {%%r5, %%r6, %%r7, %%r8};
			st.global.v4.b32 [%%out+16], {%%r9, %%r10, %%r11, %%r12};
			barrier.cluster.arrive;
			barrier.cluster.wait;`, arrive, wait)
	}
	for _, a := range []string{"", ".release"} {
		for _, w := range []string{"", ".acquire"} {
			for _, aligned := range []string{"", ".aligned"} {
				arrive, wait := "barrier.cluster.arrive"+a+aligned, "barrier.cluster.wait"+w+aligned
				add(arrive+wait, shape{out: 32}, exchange("!!"+arrive+";", "!!"+wait+";"))
			}
		}
	}
	for _, aligned := range []string{"", ".aligned"} {
		add("relaxed"+aligned, shape{out: 32}, exchange("fence.acq_rel.cluster;\n!!barrier.cluster.arrive.relaxed"+aligned+";", "barrier.cluster.wait"+aligned+";"))
	}
	init := `
		mov.u32 %r0, area;
		mov.u32 %r9, bar;
		mad.lo.u32 %r1, %tx, 16, %r0;
		ld.global.v2.b64 {%d0, %d1}, [%in];
		ld.global.v4.b32 {%r20, %r21, %r22, %r23}, [%in];
		mov.u32 %r3, %cluster_ctarank;
		add.u32 %r3, %r3, 3;
		and.b32 %r3, %r3, 3;
		mapa.shared::cluster.u32 %r4, %r1, %r3;
		mapa.shared::cluster.u32 %r5, %r9, %r3;
		st.shared.v2.b64 [%r1], {%d0, %d1};
		setp.ne.u32 %p0, %tx, 0;
		@%p0 bra READY;
		mbarrier.init.shared.b64 [%r9], 1;
		fence.mbarrier_init.release.cluster;
		mbarrier.arrive.expect_tx.shared.b64 _, [%r9], BYTES;
		READY:
		barrier.cluster.arrive;
		barrier.cluster.wait;
		`
	finish := bulkWait + "ld.shared.v2.b64 {%d2, %d3}, [%r1];\nst.global.v2.b64 [%out], {%d2, %d3};\nbarrier.cluster.arrive;\nbarrier.cluster.wait;"
	for _, s := range []struct {
		op, regs string
		bytes    int
	}{{"b32", "%r23", 4}, {"u32", "%r22", 4}, {"s32", "%r21", 4}, {"b64", "%d1", 8}, {"u64", "%d1", 8}, {"s64", "%d1", 8},
		{"v2.b32", "{%r21, %r20}", 8}, {"v4.b32", "{%r23, %r21, %r20, %r22}", 16}, {"v2.b64", "{%d1, %d0}", 16}, {"v2.u32", "{%r21, %r20}", 8}, {"v4.s32", "{%r23, %r21, %r20, %r22}", 16},
		{"f32", "%f0", 4}, {"f64", "%x0", 8}, {"v2.f32", "{%f1, %f0}", 8}, {"v4.f32", "{%f1, %f0, %f1, %f1}", 16}} {
		name := "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes." + s.op
		if s.op == "b32" {
			name = "st.async.shared::cluster.mbarrier::complete_tx::bytes." + s.op
		}
		floats := "mov.b32 %f0, %r20;\nmov.b32 %f1, %r23;\nmov.b64 %x0, %d1;\n"
		add(name, shape{in: 16, out: 16}, replaceAll(init, "BYTES", fmt.Sprint(64*s.bytes))+floats+"!!"+name+" [%r4], "+s.regs+", [%r5];"+finish)
	}
	for _, op := range []string{"inc.u32", "dec.u32", "min.u32", "min.s32", "max.u32", "max.s32", "add.u32", "add.s32", "and.b32", "or.b32", "xor.b32", "add.u64", "add.s64"} {
		regs, bytes := "%r22", 4
		if strings.HasSuffix(op, "64") {
			regs, bytes = "%d1", 8
		}
		name := "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." + op
		add(name, shape{in: 16, out: 16}, replaceAll(init, "BYTES", fmt.Sprint(64*bytes))+"!!"+name+" [%r4], "+regs+", [%r5];"+finish)
	}
	add("remote mbarrier", shape{out: 8}, `
		mov.u32 %r9, bar;
		setp.ne.u32 %p0, %tx, 0;
		@%p0 bra READY;
		mbarrier.init.shared.b64 [%r9], 192;
		fence.mbarrier_init.release.cluster;
		READY:
		barrier.cluster.arrive;
		barrier.cluster.wait;
		mov.u32 %r3, %cluster_ctarank;
		add.u32 %r3, %r3, 1;
		and.b32 %r3, %r3, 3;
		mapa.shared::cluster.u32 %r5, %r9, %r3;
		!!mbarrier.arrive.shared::cluster.b64 _, [%r5];
		!!mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r5];
		!!mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%r5], 16;
		!!mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r5], 16;
		!!mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%r5], 0;
		WAIT:
		!!mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [%r9], 0;
		@!%p2 bra WAIT;
		barrier.cluster.arrive;
		barrier.cluster.wait;
		mbarrier.test_wait.parity.shared.b64 %p3, [%r9], 1;
		selp.u32 %r1, 1, 0, %p3;
		st.global.v2.b32 [%out], {%r1, %r3};`)
	for _, to := range []struct{ name, rank string }{{"next", "1"}, {"own", "0"}} {
		for _, kind := range []struct{ op, types string }{{"", "plain"}, {"add", "u32 s32 u64"}, {"min", "u32 s32"}, {"max", "u32 s32"}, {"inc", "u32"}, {"dec", "u32"}, {"and", "b32"}, {"or", "b32"}, {"xor", "b32"}} {
			for typ := range strings.FieldsSeq(kind.types) {
				name := "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." + kind.op + "." + typ
				if kind.op == "" {
					name = "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
				}
				if to.name == "own" && kind.op != "" && kind.op != "add" {
					continue
				}
				add(name+" "+to.name, shape{in: 32, out: 16}, `
					mov.u32 %r0, area;
					mov.u32 %r9, bar;
					setp.ne.u32 %p0, %tx, 0;
					@%p0 bra READY;
					mbarrier.init.shared.b64 [%r9], 1;
					fence.mbarrier_init.release.cluster;
					mbarrier.arrive.expect_tx.shared.b64 _, [%r9], 1024;
					READY:
					ld.global.v2.b64 {%d1, %d2}, [%in];
					ld.global.v2.b64 {%d3, %d4}, [%in+16];
					mad.lo.u32 %r1, %tx, 16, %r0;
					st.shared.v2.b64 [%r1+1024], {%d1, %d2};
					st.shared.v2.b64 [%r1], {%d3, %d4};
					fence.proxy.async;
					barrier.cluster.arrive;
					barrier.cluster.wait;
					@%p0 bra WAIT;
					mov.u32 %r3, %cluster_ctarank;
					add.u32 %r3, %r3, `+to.rank+`;
					and.b32 %r3, %r3, 3;
					add.u32 %r2, %r0, 1024;
					mapa.shared::cluster.u32 %r4, %r0, %r3;
					mapa.shared::cluster.u32 %r5, %r9, %r3;
					!!`+name+" [%r4], [%r2], 1024, [%r5];"+bulkWait+`
					ld.shared.v2.b64 {%d1, %d2}, [%r1];
					st.global.v2.b64 [%out], {%d1, %d2};
					barrier.cluster.arrive;
					barrier.cluster.wait;`)
			}
		}
	}
	multicast := `
		mov.u32 %r0, area;
		mov.u32 %r9, bar;
		setp.ne.u32 %p0, %tx, 0;
		@%p0 bra READY;
		mbarrier.init.shared.b64 [%r9], 1;
		fence.mbarrier_init.release.cluster;
		mbarrier.arrive.expect_tx.shared.b64 _, [%r9], 512;
		READY:
		barrier.cluster.arrive;
		barrier.cluster.wait;
		mov.u32 %r3, %cluster_ctarank;
		setp.gt.u32 %p1, %r3, 1;
		or.pred %p1, %p1, %p0;
		@%p1 bra WAIT;
		mul.lo.u32 %r4, %r3, 2048;
		cvt.u64.u32 %d0, %r4;
		add.u64 %d0, %d0, %inbase;
		mad.lo.u32 %r5, %r3, 256, %r0;
		createpolicy.fractional.L2::evict_last.b64 %d7, 1.0;
		mov.u16 %h0, 15;
		`
	get := bulkWait + "mad.lo.u32 %r1, %tx, 8, %r0;\nld.shared.b64 %d2, [%r1];\nst.global.b64 [%out], %d2;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;"
	add("multicast", shape{in: 16, out: 8}, multicast+"!!cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r5], [%d0], 256, [%r9], %h0;"+get)
	add("multicast hint", shape{in: 16, out: 8}, multicast+"!!cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%r5], [%d0], 256, [%r9], %h0, %d7;"+get)
	all = append(all, probes()...)
	return append(all, tensorMulticast(multicast, get)...)
}

// probes is one CTA that copies to itself through its cluster address, mapped or
// not: without a cluster, where a GPU stops, in a launch with a cluster of one
// CTA, and in an entry that asks for one.
func probes() (all []micro) {
	for i, mapped := range []string{"mapa.shared::cluster.u32 %r3, %r0, 0;\nmapa.shared::cluster.u32 %r4, %r9, 0;", "mov.b32 %r3, %r0;\nmov.b32 %r4, %r9;"} {
		for cluster := range 3 {
			m := hand("cluster", fmt.Sprintf("probe %d %d", i, cluster), shape{threads: 64, in: 16, out: 16, vars: bulkVars}, bulkStart+`
				ld.global.v2.b64 {%d1, %d2}, [%in];
				mad.lo.u32 %r1, %tx, 16, %r0;
				st.shared.v2.b64 [%r1+2048], {%d1, %d2};
				fence.proxy.async.shared::cta;
				bar.sync 0;
				@%p0 bra WAIT;
				mbarrier.arrive.expect_tx.shared.b64 _, [%r9], 1024;
				add.u32 %r2, %r0, 2048;
				`+mapped+`
				!!cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r3], [%r2], 1024, [%r4];`+bulkWait+`
				ld.shared.v2.b64 {%d1, %d2}, [%r1];
				st.global.v2.b64 [%out], {%d1, %d2};`)
			switch cluster {
			case 0:
				m.stops = true
			case 1:
				m.launch.Cluster = [3]int{1, 1, 1}
			case 2:
				m.text = replaceAll(m.text, ".maxntid", ".reqnctapercluster 1, 1, 1\n.explicitcluster\n.maxntid")
			}
			all = append(all, m)
		}
	}
	return all
}
