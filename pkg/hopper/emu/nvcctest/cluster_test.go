package nvcctest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

// clusters is a launch of CTAs of n threads, so many to a cluster.
func clusters(ctas, n, size int) device.Launch {
	l := grid(ctas, 1, n)
	l.Cluster = [3]int{size, 1, 1}
	return l
}

func TestClusterSum(t *testing.T) {
	every(t, "cluster", func(r rig) {
		const rows, width, threads, size = 3, 700, 64, 4
		in := make([]float32, rows*width)
		for i := range in {
			in[i] = float32(i%17) - 5 // sums are exact in any order
		}
		sums, counts := r.blank(4*rows), r.blank(4*rows)
		r.run("row_sum", grid(rows*size, 1, threads), // the entry fixes the cluster
			device.Pointer(r.put(in)), device.Pointer(sums), device.Pointer(counts), device.Int32(width))
		for row, got := range get[float32](r, sums, rows) {
			var want float32
			for _, x := range in[row*width : (row+1)*width] {
				want += x
			}
			require.Equal(r, want, got, "row %d", row)
		}
		for row, got := range get[uint32](r, counts, rows) {
			require.EqualValues(r, size*threads, got, "the counter of row %d", row)
		}
	})
}

func TestHistogram(t *testing.T) {
	every(t, "cluster", func(r rig) {
		for _, size := range []int{1, 2, 8} {
			const n, bins = 900, 64
			in, want := make([]uint32, n), make([]uint32, bins)
			for i := range in {
				in[i] = uint32(i*i) * 2654435761 >> 7
				want[in[i]%bins]++
			}
			out := r.blank(4 * bins)
			l := clusters(size, 64, size)
			l.Shared = 4 * bins / size
			r.run("histogram", l, device.Pointer(r.put(in)), device.Pointer(out), device.Int32(n), device.Int32(bins))
			require.Equal(r, want, get[uint32](r, out, bins), "a cluster of %d", size)
		}
	})
}

func TestRelay(t *testing.T) {
	every(t, "cluster", func(r rig) {
		for _, size := range []int{2, 4, 8} {
			out := r.blank(4 * 2 * size)
			r.run("relay", clusters(2*size, 32, size), device.Pointer(out), device.Uint32(500))
			for i, got := range get[uint32](r, out, 2*size) {
				require.EqualValues(r, 500+i%size, got, "CTA %d, clusters of %d", i, size)
			}
		}
	})
}
