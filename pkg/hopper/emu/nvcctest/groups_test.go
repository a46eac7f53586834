package nvcctest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

func TestTiles(t *testing.T) {
	every(t, "groups", func(r rig) {
		const threads = 192
		in := make([]int32, threads)
		for i := range in {
			in[i] = int32(i*i*37%509) - 200
		}
		small, large := r.blank(4*threads), r.blank(4*threads)
		r.run("tiles", grid(1, 1, threads), device.Pointer(r.put(in)), device.Pointer(small), device.Pointer(large))
		gotSmall, gotLarge := get[int32](r, small, threads), get[int32](r, large, threads)
		for i := range threads {
			eight, pair := in[i/8*8:][:8], in[i/64*64:][:64]
			require.Equal(r, slices.Max(eight)+eight[3], gotSmall[i], "the tile of 8 of thread %d", i)
			require.Equal(r, slices.Max(pair)+int32(i/64*1000), gotLarge[i], "the tile of 64 of thread %d", i)
		}
	})
}

func TestCoalescedThreads(t *testing.T) {
	every(t, "groups", func(r rig) {
		const ctas, threads, limit = 3, 80, 40
		in := make([]int32, ctas*threads)
		var want []int32
		for i := range in {
			in[i] = int32(i * 31 % 101)
			if in[i] > limit {
				want = append(want, in[i])
			}
		}
		out, count := r.blank(4*len(in)), r.put([]int32{0})
		r.run("compact", grid(ctas, 1, threads), device.Pointer(r.put(in)), device.Pointer(out), device.Pointer(count), device.Int32(limit))
		require.EqualValues(r, len(want), get[int32](r, count, 1)[0])
		require.ElementsMatch(r, want, get[int32](r, out, len(want)))
	})
}
