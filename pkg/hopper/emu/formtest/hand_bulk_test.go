package formtest

import (
	"encoding/binary"
	"slices"
	"strings"
)

// Waiting for one phase of an mbarrier of one arrival, which thread 0 has made.
const (
	bulkVars  = ".shared .align 128 .b8 area[8192];\n.shared .align 8 .b64 bar;\n"
	bulkStart = `
		mov.u32 %r0, area;
		mov.u32 %r9, bar;
		setp.ne.u32 %p0, %tx, 0;
		@%p0 bra READY;
		mbarrier.init.shared.b64 [%r9], 1;
		fence.mbarrier_init.release.cluster;
		READY:
		bar.sync 0;
		`
	bulkWait = `
		WAIT:
		mbarrier.try_wait.parity.shared.b64 %p2, [%r9], 0;
		@!%p2 bra WAIT;
		`
	bulkDone = `
		cp.async.bulk.commit_group;
		cp.async.bulk.wait_group 0;
		`
)

// bulkTests is bulk copies without a tensor map (PTX 9.7.9.25.4). Each of 64
// threads has 16 bytes.
func bulkTests() (all []micro) {
	const group = "cp.async.bulk"
	add := func(name string, s shape, body string) {
		s.threads, s.vars = 64, bulkVars
		all = append(all, hand(group, name, s, body))
	}
	get := "mad.lo.u32 %r1, %tx, 16, %r0;\nld.shared.v2.b64 {%d1, %d2}, [%r1];\nst.global.v2.b64 [%out], {%d1, %d2};"
	policy := "createpolicy.fractional.L2::evict_last.b64 %d7, 1.0;\n"
	for _, space := range []string{"shared::cluster", "shared::cta"} {
		for _, hint := range []string{"", ".L2::cache_hint"} {
			last := ""
			if hint != "" {
				last = ", %d7"
			}
			name := "cp.async.bulk." + space + ".global.mbarrier::complete_tx::bytes" + hint
			add(name, shape{in: 16, out: 16}, bulkStart+policy+"@%p0 bra WAIT;\nmbarrier.arrive.expect_tx.shared.b64 _, [%r9], 1024;\n!!"+name+" [%r0], [%inbase], 1024, [%r9]"+last+";"+bulkWait+get)
		}
	}
	fill := "ld.global.v2.b64 {%d1, %d2}, [%in];\nmad.lo.u32 %r1, %tx, 16, %r0;\nst.shared.v2.b64 [%r1], {%d1, %d2};\nfence.proxy.async.shared::cta;\nbar.sync 0;\n"
	for _, hint := range []string{"", ".L2::cache_hint"} {
		last := ""
		if hint != "" {
			last = ", %d7"
		}
		name := "cp.async.bulk.global.shared::cta.bulk_group" + hint
		add(name, shape{in: 16, out: 16}, bulkStart+policy+fill+"@%p0 bra DONE;\n!!"+name+" [%outbase], [%r0], 1024"+last+";\n!!cp.async.bulk.commit_group;\n!!cp.async.bulk.wait_group.read 0;\n!!cp.async.bulk.wait_group 0;\nDONE:")
	}
	add("prefetch", shape{in: 16, out: 4}, policy+"setp.ne.u32 %p0, %tx, 0;\n@%p0 bra DONE;\n!!cp.async.bulk.prefetch.L2.global [%inbase], 1024;\n!!cp.async.bulk.prefetch.L2.global.L2::cache_hint [%inbase], 512, %d7;\nDONE:\nld.global.b32 %r1, [%in];\nst.global.b32 [%out], %r1;")
	for _, kind := range []struct{ op, types string }{
		{"add", "u32 s32 u64 f32 f64"}, {"add.noftz", "f16 bf16"}, {"min", "u32 s32 u64 s64 f16 bf16"}, {"max", "u32 s32 u64 s64 f16 bf16"},
		{"inc", "u32"}, {"dec", "u32"}, {"and", "b32 b64"}, {"or", "b32 b64"}, {"xor", "b32 b64"},
	} {
		for typ := range strings.FieldsSeq(kind.types) {
			input := noise("bulk"+kind.op+typ, 64*32)
			if strings.Contains(typ, "f") {
				input = bulkPairs(kind.op+typ, typ)
			}
			name := "cp.reduce.async.bulk.global.shared::cta.bulk_group." + kind.op + "." + typ
			start := bulkStart + "ld.global.v2.b64 {%d1, %d2}, [%in];\nmad.lo.u32 %r1, %tx, 16, %r0;\nst.shared.v2.b64 [%r1], {%d1, %d2};\nld.global.v2.b64 {%d3, %d4}, [%in+16];\nst.global.v2.b64 [%out], {%d3, %d4};\nfence.proxy.async;\nbar.sync 0;\n@%p0 bra DONE;\n"
			add(name, shape{in: 32, out: 16, input: input}, start+"!!"+name+" [%outbase], [%r0], 1024;"+bulkDone+"DONE:")
			if typ == "u32" && kind.op == "add" {
				name = "cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.u32"
				add(name, shape{in: 32, out: 16, input: input}, start+policy+"!!"+name+" [%outbase], [%r0], 1024, %d7;"+bulkDone+"DONE:")
			}
		}
	}
	return append(all, tensorTests()...)
}

// bulkPairs is 16 bytes of shared and 16 of global memory for each of 64
// threads, whose elements meet in pairs of special values.
func bulkPairs(name, typ string) (in []byte) {
	list, size := specials(typ), bitsOf(typ)/8
	list = append(slices.Clone(list[:7]), list[9], list[10], list[13], list[14])
	more, element := operands(name, []string{typ, typ}), 0
	for range 64 {
		var sides [2][]byte
		for range 16 / size {
			a, b := more[8*(element%cases):], more[8*(cases+element%cases):]
			if element < len(list)*len(list) {
				a = binary.LittleEndian.AppendUint64(nil, list[element%len(list)])
				b = binary.LittleEndian.AppendUint64(nil, list[element/len(list)])
			}
			sides[0], sides[1] = append(sides[0], a[:size]...), append(sides[1], b[:size]...)
			element++
		}
		in = append(append(in, sides[0]...), sides[1]...)
	}
	return in
}
