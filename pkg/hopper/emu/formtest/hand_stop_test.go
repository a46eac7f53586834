package formtest

import (
	"strings"

	"gohopper/pkg/hopper/device"
)

// stopTests is what a GPU stops at. The emulator must report each.
func stopTests() (all []micro) {
	add := func(name string, s shape, body string) {
		m := hand("stops", name, s, body)
		m.stops = true
		all = append(all, m)
	}
	add("trap", shape{out: 4}, "st.global.b32 [%out], 1;\n!!trap;")
	add("misaligned load", shape{in: 8, out: 4}, "ld.global.b32 %r0, [%in+2];\nst.global.b32 [%out], %r0;")
	add("misaligned shared", shape{out: 4, vars: bulkVars}, "mov.u32 %r1, area;\nst.shared.v2.b32 [%r1+4], {%r1, %r1};\nld.shared.v2.b32 {%r2, %r3}, [%r1+4];\nst.global.b32 [%out], %r2;")
	add("beyond shared", shape{out: 4, vars: bulkVars}, "mov.u32 %r1, 0x00ff0000;\nld.shared.b32 %r2, [%r1];\nst.global.b32 [%out], %r2;")
	copied := func(change ...string) string {
		return bulkStart + replaceAll(`
			@%p0 bra WAIT;
			mbarrier.arrive.expect_tx.shared.b64 _, [%r9], 1024;
			mov.b64 %d0, %inbase;
			mov.b32 %r1, %r0;
			mov.b32 %r2, 1024;
			cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d0], %r2, [%r9];`, change...) + bulkWait + "st.global.b32 [%out], 1;"
	}
	bulk := shape{threads: 64, in: 32, out: 4, vars: bulkVars}
	add("bulk source", bulk, copied("%d0, %inbase;", "%d0, %inbase;\nadd.u64 %d0, %d0, 8;"))
	add("bulk destination", bulk, copied("%r1, %r0;", "%r1, %r0;\nadd.u32 %r1, %r1, 8;"))
	add("bulk size", bulk, copied("%r2, 1024;", "%r2, 1016;"))
	box := func(name string, typ device.MapType, coords, load string) {
		map2 := func(in, out device.Ptr) device.TensorMap {
			at := in
			if strings.HasPrefix(load, "cp.async.bulk.tensor.2d.global") {
				at = out
			}
			return device.TensorMap{Type: typ, Address: at, Dims: []uint64{32, 16}, Strides: []uint64{256}, Box: []uint32{16, 8}}
		}
		var m micro
		if strings.HasPrefix(load, "cp.async.bulk.tensor.2d.global") {
			m = storeBox(name, map2, noise("tensor", tensorBytes), coords, load, "")
		} else {
			m = loadBox(name, map2, 128*typ.Bytes(), coords, load, "")
		}
		m.group, m.forms, m.stops = "stops", nil, true
		all = append(all, m)
	}
	const load = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
	const store = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group"
	box("inner coordinate u16", device.MapU16, "{4, 1}", load)
	box("inner coordinate u32", device.MapU32, "{1, 1}", load)
	box("inner coordinate u8", device.MapU8, "{8, 1}", load)
	box("inner coordinate outside", device.MapU16, "{-3, 1}", load)
	box("inner coordinate stored", device.MapU16, "{4, 1}", store)
	box("negative row stored", device.MapU16, "{0, -1}", store)
	box("negative column stored", device.MapU16, "{-8, 1}", store)
	return all
}
