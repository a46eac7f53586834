package nvcctest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/num"
)

func TestBlockAlgorithms(t *testing.T) {
	every(t, "library", func(r rig) {
		const n = 512
		in := make([]int32, n)
		for i := range in {
			in[i] = int32(i*7919%10007) - 5000
		}
		sorted, sums, total := r.blank(4*n), r.blank(4*n), r.blank(4)
		r.run("sort", grid(1, 1, 128), device.Pointer(r.put(in)), device.Pointer(sorted), device.Pointer(sums), device.Pointer(total))
		slices.Sort(in)
		require.Equal(r, in, get[int32](r, sorted, n))
		for i := 1; i < n; i++ {
			in[i] += in[i-1]
		}
		require.Equal(r, in, get[int32](r, sums, n))
		require.Equal(r, in[n-1], get[int32](r, total, 1)[0])
	})
}

func TestAtomicReferences(t *testing.T) {
	every(t, "library", func(r rig) {
		const ctas, threads = 2, 50
		words, wide, real := r.put(make([]int32, 3)), r.put(make([]uint64, 1)), r.put(make([]float64, 1))
		halves, brains := r.put(make([]num.F16, 2)), r.put(make([]num.BF16, 2))
		four, ticket := r.put(make([]float32, 4)), r.put(make([]uint16, 2))
		r.run("references", grid(ctas, 1, threads), device.Pointer(words), device.Pointer(wide), device.Pointer(real),
			device.Pointer(halves), device.Pointer(brains), device.Pointer(four), device.Pointer(ticket))
		const n = ctas * threads
		require.Equal(r, []int32{n*(n-1)/2 + 1000*n, 100, 1<<31 - 1}, get[int32](r, words, 3))
		require.Equal(r, []uint64{n << 32}, get[uint64](r, wide, 1))
		require.Equal(r, []float64{n / 2}, get[float64](r, real, 1))
		require.Equal(r, []num.F16{num.F16FromFloat32(n), num.F16FromFloat32(n / 2)}, get[num.F16](r, halves, 2))
		require.Equal(r, []num.BF16{num.BF16FromFloat32(n), num.BF16FromFloat32(2 * n)}, get[num.BF16](r, brains, 2))
		require.Equal(r, []float32{n, 2 * n, 3 * n, 4 * n}, get[float32](r, four, 4))
		require.Equal(r, []uint16{3 * n, 0}, get[uint16](r, ticket, 2))
	})
}
