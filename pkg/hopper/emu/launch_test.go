package emu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

func TestLaunchRefusals(t *testing.T) {
	good := device.Pointer(0)
	box := func(x, y, z int) [3]int { return [3]int{x, y, z} }
	cases := []struct {
		name, bounds string
		l            device.Launch
		args         []device.Arg
		want         string
	}{
		{"an empty grid", "", device.Launch{Grid: box(0, 1, 1), Block: box(1, 1, 1)}, []device.Arg{good}, "grid x is 0; it must be 1 to"},
		{"a large block", "", device.Launch{Grid: box(1, 1, 1), Block: box(1024, 2, 1)}, []device.Arg{good}, "the block has 2048 threads; at most 1024"},
		{"a deep block", "", device.Launch{Grid: box(1, 1, 1), Block: box(1, 1, 65)}, []device.Arg{good}, "block z is 65"},
		{"a wide grid", "", device.Launch{Grid: box(1, 65536, 1), Block: box(1, 1, 1)}, []device.Arg{good}, "grid y is 65536"},
		{"too much shared memory", "", device.Launch{Grid: box(1, 1, 1), Block: box(1, 1, 1), Shared: 232449}, []device.Arg{good}, "needs 232449 bytes of shared memory"},
		{"a grid that the cluster does not divide", "", device.Launch{Grid: box(3, 1, 1), Block: box(1, 1, 1), Cluster: box(2, 1, 1)}, []device.Arg{good}, "grid x is 3, not a multiple of the cluster's 2"},
		{"a cluster of 17", "", device.Launch{Grid: box(17, 1, 1), Block: box(1, 1, 1), Cluster: box(17, 1, 1)}, []device.Arg{good}, "at most 16"},
		{"another block than required", ".reqntid 64\n", device.Launch{Grid: box(1, 1, 1), Block: box(32, 1, 1)}, []device.Arg{good}, "requires [64 1 1] (.reqntid)"},
		{"more threads than allowed", ".maxntid 64\n", device.Launch{Grid: box(1, 1, 1), Block: box(96, 1, 1)}, []device.Arg{good}, "allows 64 (.maxntid)"},
		{"another cluster than required", ".reqnctapercluster 2\n", device.Launch{Grid: box(4, 1, 1), Block: box(1, 1, 1), Cluster: box(4, 1, 1)}, []device.Arg{good}, "requires [2 1 1] (.reqnctapercluster)"},
		{"no arguments", "", threads(1), nil, "0 arguments for 1 parameters"},
		{"an argument of another size", "", threads(1), []device.Arg{device.Int32(1)}, "argument 0 has 4 bytes; the parameter out has 8"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := New(Config{})
			mod, err := m.Load(header + ".visible .entry k(.param .u64 out)\n" + c.bounds + "{\n\tret;\n}\n")
			require.NoError(t, err)
			k, err := mod.Kernel("k")
			require.NoError(t, err)
			err = k.Launch(c.l, c.args...)
			require.Error(t, err)
			assert.Contains(t, err.Error(), "launch of k: ")
			assert.Contains(t, err.Error(), c.want)
		})
	}
}

func TestLoadRefusals(t *testing.T) {
	m := New(Config{})
	_, err := m.Load(header + `.visible .entry k()
{
	.reg .b32 %r<2>;
	tex.1d.v4.f32.s32 {%r0, %r1, %r0, %r1}, [%r0, {%r1}];
	ret;
}
`)
	require.Error(t, err)
	assert.Contains(t, err.Error(), "ptx:7:")

	mod, err := m.Load(header + `.visible .entry other()
{
	.reg .b32 %r<2>;
	tex.1d.v4.f32.s32 {%r0, %r1, %r0, %r1}, [%r0, {%r1}];
	ret;
}
.visible .entry k()
{
	ret;
}
`)
	require.NoError(t, err, "an entry that is not used does not stand in the way")
	_, err = mod.Kernel("k")
	assert.NoError(t, err)
	_, err = mod.Kernel("other")
	assert.ErrorContains(t, err, "ptx:7:2: the emulator does not know tex.1d.v4.f32.s32; it has no texture unit")
	_, err = mod.Kernel("third")
	assert.EqualError(t, err, `the module has no kernel "third"; it has k`)

	_, err = m.Load(header + `.visible .entry k()
{
	.reg .b32 %r<2>;
	mov.u32 %r0, %envreg2;
	ret;
}
`)
	assert.ErrorContains(t, err, "ptx:7:2: %envreg2 is set by a cooperative launch")

	_, err = m.Load(header + `.file 1 "kernel.cu"
.visible .entry other()
{
	.reg .b32 %r<2>;
	.loc 1 30 5
	frobnicate.b32 %r0, %r1;
	ret;
}
.visible .entry k()
{
	ret;
}
`)
	assert.ErrorContains(t, err, `ptx:9:2 (kernel.cu:30): frobnicate.b32: PTX has no instruction "frobnicate"`,
		"what no PTX is refused, though an entry without it could run")
}

// Special registers tell a thread where it is.
func TestSpecialRegisters(t *testing.T) {
	const body = `
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, %tid.y;
	mov.u32 %r2, %ntid.x;
	mad.lo.u32 %r3, %r1, %r2, %r0;
	mov.u32 %r4, %ctaid.x;
	mov.u32 %r5, %nctaid.x;
	mov.u32 %r6, %cluster_ctarank;
	mov.u32 %r7, %clusterid.x;
	mov.u32 %r8, %laneid;
	mov.u32 %r9, %warpid;
	mul.lo.u32 %r10, %r4, 64;
	add.u32 %r10, %r10, %r3;
	mul.wide.u32 %rd1, %r10, 4;
	add.s64 %rd1, %rd0, %rd1;
	shl.b32 %r4, %r4, 24;
	shl.b32 %r5, %r5, 20;
	shl.b32 %r6, %r6, 16;
	shl.b32 %r7, %r7, 12;
	shl.b32 %r9, %r9, 8;
	or.b32 %r1, %r4, %r5;
	or.b32 %r1, %r1, %r6;
	or.b32 %r1, %r1, %r7;
	or.b32 %r1, %r1, %r9;
	or.b32 %r1, %r1, %r8;
	st.global.u32 [%rd1], %r1;
	ret;`
	e := newEmulation(t, Config{}, 256)
	got, findings := e.run(t, entry("", body), device.Launch{
		Grid: [3]int{4, 1, 1}, Block: [3]int{16, 4, 1}, Cluster: [3]int{2, 1, 1},
	})
	require.Empty(t, findings)
	for i, v := range got {
		cta, thread := uint32(i)/64, uint32(i)%64
		want := cta<<24 | 4<<20 | cta%2<<16 | cta/2<<12 | thread/32<<8 | thread%32
		require.Equal(t, want, v, "thread %d", i)
	}
}

// Time goes on between two readings of the clock.
func TestClock(t *testing.T) {
	e := newEmulation(t, Config{}, 1)
	got, _ := e.run(t, entry("", `
	mov.u32 %r2, %clock;
	mov.u64 %rd1, %clock64;
	mov.u32 %r3, %clock;
	sub.u32 %r1, %r3, %r2;`+storeR1), threads(1))
	require.NotZero(t, got[0])
}

// The share of the fullest part of the register file is everyone's. What is
// expected was read from ptxas of CUDA 12.9 and 13.0, given a kernel with more
// to hold than any share; only in eights, which 255 is not.
func TestRegistersAtLaunch(t *testing.T) {
	for _, c := range []struct {
		threads, minctas, maxnreg, want int
		why                             string
	}{
		{128, 1, 0, 256, "one warp in each part"},
		{256, 1, 0, 256, "two in each"},
		{288, 1, 0, 168, "a ninth warp: three in one part"},
		{352, 1, 0, 168, "eleven warps have no more"},
		{384, 1, 0, 168, "than twelve"},
		{416, 1, 0, 128, "a thirteenth"},
		{544, 1, 0, 96, "a seventeenth"},
		{1024, 1, 0, 64, "eight in each"},
		{160, 2, 0, 168, "ten warps of two CTAs"},
		{96, 4, 0, 168, "twelve of four"},
		{270, 1, 0, 168, "part of a warp is a warp"},
		{288, 0, 0, 168, "one CTA, if nothing is said"},
		{288, 1, 96, 96, "a cap of the kernel's own"},
	} {
		l := &launch{
			prog:  &program{limits: limits{minctas: c.minctas, maxnreg: c.maxnreg}},
			shape: device.Launch{Block: [3]int{c.threads, 1, 1}},
		}
		assert.Equal(t, c.want, l.registers(), c.why)
	}
}
