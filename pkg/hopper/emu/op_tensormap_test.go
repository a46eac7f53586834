package emu_test

import (
	"strings"
	"testing"

	"gohopper/pkg/hopper/device"
)

// TestReplace rebuilds mapA in shared memory so that it describes b's layout,
// publishes it in the spare 128 bytes behind the data of a, and loads through
// it.
func TestReplace(t *testing.T) {
	// a is 8 rows of 128 bytes, then room for a map; the new map sees 16 rows of 64.
	m := device.TensorMap{Type: device.MapU32, Dims: []uint64{32, 8}, Strides: []uint64{128}, Box: []uint32{32, 8}, Swizzle: device.Swizzle128B}
	const bring = `	shl.b32 %r4, %r0, 2;
	cvt.u64.u32 %rd5, %r4;
	add.u64 %rd5, %rd1, %rd5;
	ld.u32 %r5, [%rd5];
	add.u32 %r6, %r1, %r4;
	st.shared.u32 [%r6], %r5;
	bar.sync 0;
	@!%p0 bra DONE;
`
	const replace = `	tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%r1], 1;
	tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r1], 0, 32;
	mov.u32 %r7, 16;
	tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r1], 1, %r7;
	mov.u64 %rd6, 64;
	tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%r1], 0, %rd6;
	tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%r1], %rd3;
	tensormap.replace.tile.rank.shared::cta.b1024.b32 [%r1], 1;
	tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r1], 1, 16;
	tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%r1], 1, 1;
	tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%r1], 0;
	tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%r1], 0;
	tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%r1], 0;
`
	const publish = `DONE:
	bar.warp.sync 0xffffffff;
	add.u64 %rd7, %rd3, 1024;
	tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd7], [%r1], 128;
	fence.proxy.tensormap::generic.acquire.gpu [%rd7], 128;
	@!%p0 bra END;
`
	load := initBar + expect(1024) +
		"\tcp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1+1024], [%rd7, {0, 0}], [%r2];\n" + waitBar +
		"\tcp.async.bulk.global.shared::cta.bulk_group [%rd4], [%r1+1024], 1024;\n" + waitStores + "END:\n"
	p := &copyProbe{a: numbered(1024 + 128), b: background(1024), mapA: m, body: bring + replace + publish + load}
	p.clean(t, p.a[:1024])

	// From 128 zeros, as Triton's kernels make maps.
	p.body = strings.Replace(p.body, "ld.u32 %r5, [%rd5]", "mov.u32 %r5, 0", 1)
	p.body = strings.Replace(p.body, replace, replace+`	tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r1], 0, 32;
	tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%r1], 0, 1;
`, 1)
	p.clean(t, p.a[:1024])

	// A value that breaks a rule shows when the map is used.
	q := *p
	q.body = strings.Replace(p.body, "mov.u64 %rd6, 64", "mov.u64 %rd6, 72", 1)
	q.finding(t, "tensor-map", "tensor map: Strides[0] is 72 bytes; TMA strides are multiples of 16 bytes")

	q.body = strings.Replace(p.body, "mov.u32 %r5, 0", "mov.u32 %r5, 7", 1)
	q.finding(t, "tensor-map", "the 128 bytes are no tensor map")
}
