package emu

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Clusters run in parallel: each adds to shared counters and to its own words.
func TestWorkersDoNotChangeResults(t *testing.T) {
	const body = `
	mov.u32 %r0, %ctaid.x;
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ntid.x;
	mad.lo.u32 %r3, %r0, %r2, %r1;
	and.b32 %r4, %r3, 7;
	mul.wide.u32 %rd1, %r4, 4;
	add.s64 %rd1, %rd0, %rd1;
	mov.u32 %r5, 0;
LOOP:
	red.global.add.u32 [%rd1], 1;
	atom.global.add.f32 %f0, [%rd0+32], 0f3F800000;
	add.u32 %r5, %r5, 1;
	setp.lt.u32 %p0, %r5, 4;
	@%p0 bra LOOP;
	mul.wide.u32 %rd2, %r3, 4;
	add.s64 %rd2, %rd0, %rd2;
	st.global.u32 [%rd2+64], %r3;
	ld.global.u32 %r6, [%rd0+65536];
	ret;`
	var first []uint32
	for workers := 1; workers <= 4; workers++ {
		var found []string
		for range 2 {
			e := newEmulation(t, Config{Seed: 3, Workers: workers}, 16+20*64)
			got, findings := e.run(t, entry("", body), ctas(20, 64, 2))
			require.Len(t, findings, 1, "the load past the end")
			require.Equal(t, 20*2, findings[0].Count, "once a warp")
			found = append(found, findings[0].String())
			require.Equal(t, uint32(20*64/8*4), got[0])
			require.Equal(t, uint32(0x45a00000), got[8], "5120 as float32")
			if first == nil {
				first = got
			}
			require.Equal(t, first, got)
		}
		require.Equal(t, found[0], found[1])
	}
}

// More clusters than fit on the device run in turns.
func TestMoreClustersThanFit(t *testing.T) {
	e := newEmulation(t, Config{SMs: 2}, 32)
	got, findings := e.run(t, entry("", `
	red.global.add.u32 [%rd0], 1;
	ret;`), ctas(300, 1024, 1))
	require.Empty(t, findings)
	require.Equal(t, uint32(300*1024), got[0])
}
