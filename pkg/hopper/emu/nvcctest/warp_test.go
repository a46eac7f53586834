package nvcctest

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

func TestBlockSum(t *testing.T) {
	every(t, "warp", func(r rig) {
		for _, s := range []struct{ n, threads int }{{1000, 128}, {5, 64}, {777, 32}, {300, 96}} {
			in := make([]float32, s.n)
			var want float32
			for i := range in {
				in[i] = float32(i%13) - 4
				want += in[i]
			}
			out := r.blank(4)
			r.run("block_sum", grid(1, 1, s.threads), device.Pointer(r.put(in)), device.Pointer(out), device.Int32(int32(s.n)))
			require.Equal(r, want, get[float32](r, out, 1)[0], "%d numbers, %d threads", s.n, s.threads)
		}
	})
}

// exchanged is what lane gets from each collective of the kernel exchange.
func exchanged(in []uint32, lane int) (r [16]uint32) {
	x := in[lane]
	up, down := lane, lane
	if lane >= 3 {
		up = lane - 3
	}
	if lane%16+5 < 16 {
		down = lane + 5
	}
	r[0], r[1], r[2], r[3] = in[lane*7%32], in[up], in[down], in[lane^9]
	least, most, all, any, odd := ^uint32(0), uint32(0), ^uint32(0), uint32(0), uint32(0)
	same := uint32(1)
	for i, y := range in {
		r[4] |= y & 1 << i
		if y%5 == x%5 {
			r[6] |= 1 << i
		}
		if y/1000 != in[0]/1000 {
			same = 0
		}
		r[8] += y
		least, most = min(least, y), max(most, y)
		all, any, odd = all&(y|8), any|y, odd^y
		if y == 7 {
			r[5] |= 1
		}
		if lane%2 == 1 && i%2 == 1 && y > 40 {
			r[14] |= 1 << i
		}
	}
	if most < 1000 {
		r[5] |= 2
	}
	if same == 1 {
		r[7] = ^uint32(1)
	}
	r[9], r[10], r[11] = least<<16|most, all, any^odd
	r[12] = uint32(int32(most) - 50)
	r[13] = uint32(uint64(in[(31-lane)>>1]) * 0x100000001)
	if lane%2 == 0 {
		r[14] = 15 * 16 // 0 + 2 + … + 30
	}
	r[15] = lanes
	return r
}

const lanes = 32

func TestExchange(t *testing.T) {
	every(t, "warp", func(r rig) {
		for _, top := range []uint32{90, 999, 3000} { // alike above 1000 or not
			in := make([]uint32, lanes)
			for i := range in {
				in[i] = (uint32(i)*uint32(i)*31 + 7) % top
			}
			out := r.blank(4 * 16 * lanes)
			r.run("exchange", grid(1, 1, lanes), device.Pointer(r.put(in)), device.Pointer(out))
			got := get[uint32](r, out, 16*lanes)
			for lane := range lanes {
				for k, want := range exchanged(in, lane) {
					require.Equal(r, want, got[k*lanes+lane], "r[%d] of lane %d", k, lane)
				}
			}
		}
	})
}

func TestAtomics(t *testing.T) {
	every(t, "warp", func(r rig) {
		const ctas, threads = 3, 40
		in := make([]int32, ctas*threads)
		for i := range in {
			in[i] = int32(i*37%101 - 50)
		}
		start := make([]int32, 16+ctas)
		start[2], start[5], start[6], start[7] = -1, 1, 1000, -1000
		out, wide := r.put(start), r.put([]uint64{5, 0})
		reals, doubles := r.put([]float32{0}), r.put([]float64{0})
		r.run("atomics", grid(ctas, 1, threads), device.Pointer(r.put(in)), device.Pointer(out), device.Pointer(wide),
			device.Pointer(reals), device.Pointer(doubles))

		want := append([]int32(nil), start...)
		var half float64
		product := uint32(1)
		for _, x := range in {
			want[0] += x
			want[1] -= 2
			want[2] &^= 1 << (x & 31)
			want[3] |= 1 << (x & 31)
			want[4] ^= x
			product *= uint32(2*x + 1)
			want[6], want[7] = min(want[6], x), max(want[7], x)
			half += float64(x) / 2
		}
		want[5] = int32(product)
		want[8] = ctas * (threads % 10)
		got := get[int32](r, out, len(start))
		require.Equal(r, want[:9], got[:9])
		// Each CTA took what another had left in out[9], or zero: a permutation.
		require.ElementsMatch(r, []int32{0, 1, 2, 3}, append(got[16:], got[9]))
		n := uint64(len(in))
		require.Equal(r, []uint64{5 + n<<33, (n - 1) << 32}, get[uint64](r, wide, 2))
		require.Equal(r, float32(n)/4, get[float32](r, reals, 1)[0])
		require.Equal(r, half, get[float64](r, doubles, 1)[0])
	})
}

func TestLock(t *testing.T) {
	every(t, "warp", func(r rig) {
		const ctas, threads, rounds = 2, 64, 3
		lock, counter := r.put([]int32{0}), r.put([]int32{0})
		r.run("locked", grid(ctas, 1, threads), device.Pointer(lock), device.Pointer(counter), device.Int32(rounds))
		require.EqualValues(r, ctas*(threads/lanes*rounds+threads), get[int32](r, counter, 1)[0])
	})
}

func TestLastBlock(t *testing.T) {
	every(t, "warp", func(r rig) {
		const ctas, threads = 5, 64
		in := make([]int32, ctas*threads)
		var want int32
		for i := range in {
			in[i] = int32(bits.OnesCount(uint(i))) - 4
			if in[i] > 0 {
				want++
			}
		}
		arrived, out := r.put([]uint32{0}), r.blank(4)
		r.run("last_block", grid(ctas, 1, threads), device.Pointer(r.put(in)), device.Pointer(r.blank(4*ctas)),
			device.Pointer(arrived), device.Pointer(out))
		require.Equal(r, want, get[int32](r, out, 1)[0])
	})
}
