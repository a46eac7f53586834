package devicetest

import (
	"math/bits"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

func testReverse(r rig) {
	k := r.kernel("shared.ptx", "reverse")
	assert.GreaterOrEqual(r, k.Resources().SharedBytes, 1024, "static shared memory")
	in := make([]uint32, 256)
	for i := range in {
		in[i] = uint32(i*i + 1)
	}
	out := r.blank(256)
	r.run(k, line(1, 256), device.Pointer(r.put(in)), device.Pointer(out))
	got := make([]uint32, 256)
	r.get(out, got)
	for i, v := range got {
		require.Equal(r, in[255-i], v, "word %d", i)
	}
}

// testDynamicShared goes to each side of 48 KB, where the driver wants the
// limit raised first, and to the most a CTA may have.
func testDynamicShared(r rig) {
	const static = 4096
	k := r.kernel("shared.ptx", "fill")
	for _, bytes := range []int{16, 48<<10 - static, 48 << 10, 48<<10 + 16, 100_000, r.Info().SharedBytes - static, 1024} {
		words := bytes / 4
		out := r.blank(words)
		r.run(k, shared(bytes), device.Pointer(out), device.Uint32(uint32(words)))
		got := make([]uint32, words)
		r.get(out, got)
		for i, v := range got {
			require.Equal(r, uint32(3*(words-1-i)+1), v, "word %d of %d", i, words)
		}
		require.NoError(r, r.Free(out))
	}
}

func testWarp(r rig) {
	out := r.blank(8 * 32)
	r.run(r.kernel("warp.ptx", "warp"), line(1, 32), device.Pointer(out))
	got := make([]uint32, 8*32)
	r.get(out, got)

	v := func(lane int) uint32 { return uint32(lane*lane + 7) }
	var sum uint32
	for lane := range 32 {
		sum += v(lane)
	}
	for lane := range 32 {
		down := v(lane) + 1000
		if lane+3 < 32 {
			down = v(lane + 3)
		}
		want := []uint32{v(5), v(max(lane-1, 0)), down, v(lane ^ 16), 0x11111111, 1, sum, 1}
		require.Equal(r, want, got[8*lane:8*lane+8], "lane %d", lane)
	}
}

func testAtomics(r rig) {
	const ctas, threads = 5, 96
	const n = ctas * threads
	out := r.put([]uint32{0, 0, 0, 0, 0xFFFFFFFF})
	r.run(r.kernel("atomic.ptx", "atomic"), line(ctas, threads), device.Pointer(out))
	var got [5]uint32
	r.get(out, &got)
	assert.Equal(r, uint32(n*(n-1)/2), got[0], "the sum of all indices")
	assert.Equal(r, uint32(n), got[1], "one for each thread")
	assert.Equal(r, uint32(n-1), got[2], "the largest index")
	assert.Equal(r, uint32(n), got[3], "the shared counters")
	assert.Less(r, got[4], uint32(n), "exactly one thread's index")
}

func testDivergence(r rig) {
	out := r.blank(32)
	r.run(r.kernel("diverge.ptx", "diverge"), line(1, 32), device.Pointer(out))
	got := make([]uint32, 32)
	r.get(out, got)
	for i, v := range got {
		want := uint32(bits.OnesCount32(^uint32(0)))
		for n := i + 1; n > 1; want++ {
			if n%2 == 1 {
				n = 3*n + 1
			} else {
				n /= 2
			}
		}
		if i%2 == 1 && i > 20 {
			want += 1000
		}
		require.Equal(r, want, v, "lane %d", i)
	}
}

// testMbarrier counts rounds so that the last phase has either parity.
func testMbarrier(r rig) {
	k := r.kernel("mbarrier.ptx", "ring")
	for _, rounds := range []int{1, 2, 3, 8, 33} {
		out := r.blank(rounds)
		r.run(k, line(1, 64), device.Pointer(out), device.Uint32(uint32(rounds)))
		got := make([]uint32, rounds)
		r.get(out, got)
		for i, v := range got {
			require.Equal(r, uint32(i*i+1), v, "round %d of %d", i, rounds)
		}
	}
}

func testFixedCluster(r rig) {
	r.checkCluster(r.kernel("cluster.ptx", "fixed"), line(6, 64), 2)
}

func testChosenCluster(r rig) {
	k := r.kernel("cluster.ptx", "chosen")
	for _, size := range []int{1, 2, 4, 8} {
		r.checkCluster(k, clustered(16, size), size)
	}
}

// checkCluster runs a kernel that reads the word of the cluster's next CTA.
func (r rig) checkCluster(k device.Kernel, l device.Launch, size int) {
	n := 64 * l.Grid[0]
	out := r.blank(n)
	r.run(k, l, device.Pointer(out))
	got := make([]uint32, n)
	r.get(out, got)
	for i, v := range got {
		rank := i / 64 % size
		require.Equal(r, uint32(1000*((rank+1)%size)+i%64), v, "thread %d of CTA %d, cluster of %d", i%64, i/64, size)
	}
}
