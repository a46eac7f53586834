package emu

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/event"
)

func TestMemoryFindings(t *testing.T) {
	const arrays = ".shared .align 16 .b8 tile[64];\n.const .align 4 .b32 fixed[2] = {7, 8};\n"
	cases := []struct {
		name    string
		body    string
		rule    string
		message string
		want    uint32 // %r1 of lane 0
	}{
		{"a load past the end", `
	ld.global.u32 %r1, [%rd0+4096];`,
			"out-of-bounds", "reads 4 bytes at global address 0x7f0000001000, 3968 bytes past the end of the allocation of 128 bytes at 0x7f0000000000", poison32},
		{"a load across the end", `
	ld.global.v2.u32 {%r1, %r2}, [%rd0+128];`,
			"out-of-bounds", "reads 8 bytes at global address 0x7f0000000080, 0 bytes past the end of the allocation of 128 bytes at 0x7f0000000000", poison32},
		{"a load before the start", `
	ld.global.u32 %r1, [%rd0-4];`,
			"out-of-bounds", "reads 4 bytes at global address 0x7efffffffffc, 4 bytes before the start of the allocation of 128 bytes at 0x7f0000000000", poison32},
		{"a store to no allocation", `
	mov.u64 %rd1, 64;
	mov.u32 %r1, 1;
	st.global.u32 [%rd1], %r1;`,
			"out-of-bounds", "writes 4 bytes at global address 0x40, which is near no allocation", 1},
		{"shared memory beyond the CTA's", `
	ld.shared.u32 %r1, [tile+64];`,
			"out-of-bounds", "reads 4 bytes at shared+0x440, 4 bytes past the end of the CTA's 64 bytes of shared memory", poison32},
		{"the shared memory that the hardware keeps", `
	mov.u32 %r2, 0;
	ld.shared.u32 %r1, [%r2];`,
			"out-of-bounds", "reads 4 bytes at shared+0x0, but a CTA's own shared memory starts at 0x400", poison32},
		{"a rank that the cluster does not have", `
	mov.u32 %r2, 0x4000400;
	ld.shared::cluster.u32 %r1, [%r2];`,
			"out-of-bounds", "reads 4 bytes at shared+0x400 of CTA rank 3, but the cluster has only 1 CTAs", poison32},
		{"a misaligned vector", `
	ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd0+8];`,
			"misaligned", "reads 16 bytes at global address 0x7f0000000008, which is not a multiple of 16", poison32},
		{"shared memory that was never written", `
	mov.u32 %r2, 5;
	st.shared.u8 [tile+5], %r2;
	ld.shared.u32 %r1, [tile+4];`,
			"uninitialized", "reads 4 bytes of which the one at shared+0x404 (tile+4) was never written", 0xffff05ff},
		{"a store to const memory", `
	mov.u64 %rd1, fixed;
	cvta.const.u64 %rd1, %rd1;
	mov.u32 %r1, 3;
	st.u32 [%rd1], %r1;`,
			"out-of-bounds", "writes 4 bytes of const memory at const+0x0, which a kernel may only read", 3},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := newEmulation(t, Config{}, 32)
			got, findings := e.run(t, entry(arrays, c.body+storeR1), threads(32))
			require.Len(t, findings, 1)
			f := findings[0]
			assert.Equal(t, c.rule, f.Rule)
			assert.Equal(t, event.Error, f.Severity)
			assert.Equal(t, c.message, f.Message)
			assert.Equal(t, c.want, got[0])
			assert.NotZero(t, f.At.Pos.Line)
			assert.NotEmpty(t, f.At.Text)
		})
	}
}

func TestFreedMemory(t *testing.T) {
	e := newEmulation(t, Config{}, 32)
	old, err := e.machine.Alloc(256)
	require.NoError(t, err)
	require.NoError(t, e.machine.Fill(old, 1, 256))
	require.NoError(t, e.machine.Free(old))
	_, findings := e.run(t, entry("", `
	mov.u64 %rd1, `+fmt.Sprintf("%#x", uint64(old))+`;
	ld.global.u32 %r1, [%rd1+8];`+storeR1), threads(1))
	require.Len(t, findings, 1)
	assert.Contains(t, findings[0].Message, "inside the allocation of 256 bytes")
	assert.Contains(t, findings[0].Message, "which was freed")
	assert.Error(t, e.machine.Free(old), "twice")
	assert.Error(t, e.machine.Upload(old, []byte{1}), "freed")
}

// Every form of load and store, through every space and through generic
// addresses, brings back what was stored.
func TestLoadStoreForms(t *testing.T) {
	const decl = `.shared .align 16 .b8 tile[4096];
.global .align 8 .b32 counter[2] = {11, 12};
.const .align 4 .b32 fixed[2] = {7, 8};
`
	cases := []struct {
		name, body string
		want       func(lane uint32) uint32
	}{
		{"bytes and signs", `
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, tile;
	add.u32 %r3, %r3, %r2;
	or.b32 %r4, %r2, 0x80;
	st.shared.u8 [%r3], %r4;
	ld.shared.s8 %r5, [%r3];
	ld.shared.u8 %r6, [%r3];
	add.u32 %r1, %r5, %r6;`, func(lane uint32) uint32 { return 2*(lane|0x80) - 256 }},
		{"16 bits into a narrow and a wide register", `
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, tile;
	shl.b32 %r4, %r2, 1;
	add.u32 %r3, %r3, %r4;
	cvt.u16.u32 %h0, %r2;
	st.shared.u16 [%r3], %h0;
	ld.shared.u16 %h1, [%r3];
	ld.shared.u16 %r5, [%r3];
	cvt.u32.u16 %r6, %h1;
	add.u32 %r1, %r5, %r6;`, func(lane uint32) uint32 { return 2 * lane }},
		{"a vector of four through a generic address", `
	mov.u32 %r2, %tid.x;
	mov.u64 %rd1, tile;
	cvta.shared.u64 %rd1, %rd1;
	mul.wide.u32 %rd2, %r2, 16;
	add.s64 %rd1, %rd1, %rd2;
	st.v4.u32 [%rd1], {%r2, %r2, 3, %r2};
	cvta.to.shared.u64 %rd3, %rd1;
	ld.shared.v2.u32 {%r3, %r4}, [%rd3+8];
	ld.v2.b64 {%rd4, %rd5}, [%rd1];
	cvt.u32.u64 %r5, %rd4;
	add.u32 %r1, %r3, %r4;
	add.u32 %r1, %r1, %r5;`, func(lane uint32) uint32 { return 3 + 2*lane }},
		{"local memory is each thread's own", `
	.local .align 8 .b8 frame[16];
	mov.u32 %r2, %tid.x;
	mov.u64 %rd1, frame;
	cvta.local.u64 %rd2, %rd1;
	st.u32 [%rd2+4], %r2;
	ld.local.u32 %r1, [%rd1+4];`, func(lane uint32) uint32 { return lane }},
		{"global and const variables with initialisers", `
	ld.global.u32 %r2, [counter+4];
	ld.const.u32 %r3, [fixed];
	mov.u64 %rd1, fixed;
	cvta.const.u64 %rd1, %rd1;
	ld.u32 %r4, [%rd1+4];
	add.u32 %r1, %r2, %r3;
	add.u32 %r1, %r1, %r4;`, func(uint32) uint32 { return 27 }},
		{"a parameter through its address", `
	mov.b64 %rd1, out;
	cvta.param.u64 %rd2, %rd1;
	ld.u64 %rd3, [%rd2];
	ld.param.u64 %rd4, [%rd1];
	setp.eq.u64 %p0, %rd3, %rd0;
	setp.eq.and.u64 %p0, %rd4, %rd0, %p0;
	selp.u32 %r1, 1, 0, %p0;`, func(uint32) uint32 { return 1 }},
		{"spaces of generic addresses", `
	mov.u64 %rd1, tile;
	cvta.shared.u64 %rd1, %rd1;
	isspacep.shared %p0, %rd1;
	isspacep.global %p1, %rd1;
	isspacep.global %p2, %rd0;
	selp.u32 %r1, 1, 0, %p0;
	selp.u32 %r2, 2, 0, %p1;
	selp.u32 %r3, 4, 0, %p2;
	add.u32 %r1, %r1, %r2;
	add.u32 %r1, %r1, %r3;`, func(uint32) uint32 { return 5 }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := newEmulation(t, Config{}, 32)
			got, findings := e.run(t, entry(decl, c.body+storeR1), threads(32))
			require.Empty(t, findings)
			for lane, v := range got {
				require.Equal(t, c.want(uint32(lane)), v, "lane %d", lane)
			}
		})
	}
}
