package emu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

// benchLoop times a kernel whose loop body is repeated a million times by one
// full warp, and reports the time of one warp instruction.
func benchLoop(b *testing.B, body string, perIteration int) {
	const iterations = 100_000
	e := newEmulation(b, Config{Workers: 1}, 4096)
	mod, err := e.machine.Load(entry(".shared .align 16 .b8 tile[4096];\n", `
	mov.u32 %r0, %tid.x;
	mul.wide.u32 %rd1, %r0, 4;
	add.s64 %rd2, %rd0, %rd1;
	shl.b32 %r9, %r0, 2;
	mov.u32 %r10, tile;
	add.u32 %r10, %r10, %r9;
	st.shared.u32 [%r10], %r0;
	mov.u32 %r1, 0;
	mov.u32 %r2, 1;
	mov.u32 %r4, 100000;
LOOP:
`+body+`
	add.u32 %r1, %r1, 1;
	setp.lt.u32 %p0, %r1, %r4;
	@%p0 bra LOOP;
	st.global.u32 [%rd2], %r2;
	ret;`))
	require.NoError(b, err)
	k, err := mod.Kernel("k")
	require.NoError(b, err)
	b.ResetTimer()
	for b.Loop() {
		require.NoError(b, k.Launch(threads(32), device.Pointer(e.out)))
	}
	require.Empty(b, e.machine.Findings())
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/iterations/float64(perIteration+3), "ns/warp-instruction")
}

func BenchmarkInteger(b *testing.B) {
	benchLoop(b, `
	add.u32 %r2, %r2, %r1;
	xor.b32 %r3, %r2, %r1;
	mad.lo.u32 %r2, %r3, 5, %r2;
	shr.u32 %r3, %r2, 3;
	add.u32 %r2, %r2, %r3;`, 5)
}

func BenchmarkSharedLoadStore(b *testing.B) {
	benchLoop(b, `
	ld.shared.u32 %r3, [%r10];
	add.u32 %r2, %r2, %r3;
	st.shared.u32 [%r10], %r2;`, 3)
}

func BenchmarkGlobalLoadStore(b *testing.B) {
	benchLoop(b, `
	ld.global.u32 %r3, [%rd2];
	add.u32 %r2, %r2, %r3;
	st.global.u32 [%rd2], %r2;`, 3)
}

func BenchmarkScatteredLoadStore(b *testing.B) {
	benchLoop(b, `
	xor.b32 %r11, %r10, 4;
	ld.shared.u32 %r3, [%r11];
	add.u32 %r2, %r2, %r3;
	st.shared.u32 [%r11], %r2;`, 4)
}
