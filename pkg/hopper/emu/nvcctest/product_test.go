package nvcctest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/num"
)

// matrix is row-major numbers that a format holds exactly.
func matrix(rng *rand.Rand, n int) []float32 {
	m := make([]float32, n)
	for i := range m {
		m[i] = float32(rng.IntN(513)-256) / 64
	}
	return m
}

// halves are the f16 codes of numbers that f16 holds exactly.
func halves(m []float32) []uint16 {
	h := make([]uint16, len(m))
	num.Float32sToF16(h, m)
	return h
}

// requireProduct holds c against the m x n product of a, m x k, and b, whose
// element (i, j) is at(i, j). The elements here are multiples of 1/64 below 4:
// all products and sums are exact in float32, whatever their order.
func requireProduct(r rig, a []float32, b func(i, j int) float32, c []float32, m, n, k int) {
	r.Helper()
	for i := range m {
		for j := range n {
			var sum float64
			for x := range k {
				sum += float64(a[i*k+x]) * float64(b(x, j))
			}
			require.Equal(r, float32(sum), c[i*n+j], "row %d, column %d", i, j)
		}
	}
}

func TestMatmul(t *testing.T) {
	every(t, "matmul", func(r rig) {
		rng := rand.New(rand.NewPCG(1, 2))
		for _, s := range []struct{ m, n, k int }{{16, 16, 16}, {33, 17, 50}, {1, 1, 1}, {20, 40, 3}} {
			a, b := matrix(rng, s.m*s.k), matrix(rng, s.k*s.n)
			c := r.blank(4 * s.m * s.n)
			l := device.Launch{Grid: [3]int{(s.n + 15) / 16, (s.m + 15) / 16, 1}, Block: [3]int{16, 16, 1}}
			r.run("matmul", l, device.Pointer(r.put(a)), device.Pointer(r.put(b)), device.Pointer(c),
				device.Int32(int32(s.m)), device.Int32(int32(s.n)), device.Int32(int32(s.k)))
			requireProduct(r, a, func(i, j int) float32 { return b[i*s.n+j] }, get[float32](r, c, s.m*s.n), s.m, s.n, s.k)
		}
	})
}

// operands are A, m x k, and B, n x k, in f16, and blank memory for C.
type operands struct {
	a, b       []float32
	pa, pb, pc device.Ptr
	m, n, k    int
}

func (r rig) operands(rng *rand.Rand, m, n, k int) operands {
	o := operands{a: matrix(rng, m*k), b: matrix(rng, n*k), m: m, n: n, k: k}
	o.pa, o.pb, o.pc = r.put(halves(o.a)), r.put(halves(o.b)), r.blank(4*m*n)
	return o
}

// requireTransposed holds C against A Bᵀ.
func (o operands) require(r rig) {
	r.Helper()
	requireProduct(r, o.a, func(i, j int) float32 { return o.b[j*o.k+i] }, get[float32](r, o.pc, o.m*o.n), o.m, o.n, o.k)
}

func TestWgmma(t *testing.T) {
	every(t, "wgmma", func(r rig) {
		rng := rand.New(rand.NewPCG(3, 4))
		for _, s := range []struct{ m, n, k int }{{64, 128, 64}, {128, 256, 192}} {
			o := r.operands(rng, s.m, s.n, s.k)
			mapA := r.tensorMap(device.MapF16, o.pa, s.m, s.k, 64, 64, device.Swizzle128B)
			mapB := r.tensorMap(device.MapF16, o.pb, s.n, s.k, 128, 64, device.Swizzle128B)
			r.run("wgmma_tile", grid(s.n/128, s.m/64, 128), mapA, mapB, device.Pointer(o.pc), device.Int32(int32(s.n)), device.Int32(int32(s.k)))
			o.require(r)
		}
	})
}

func TestRing(t *testing.T) {
	const shared = 3*2*128*64*2 + 3*2*8
	every(t, "ring", func(r rig) {
		rng := rand.New(rand.NewPCG(5, 6))
		for _, slabs := range []int{1, 2, 3, 4, 7} { // around the number of stages
			o := r.operands(rng, 128, 128, 64*slabs)
			mapA := r.tensorMap(device.MapF16, o.pa, o.m, o.k, 128, 64, device.Swizzle128B)
			mapB := r.tensorMap(device.MapF16, o.pb, o.n, o.k, 128, 64, device.Swizzle128B)
			l := grid(o.n/128, o.m/128, 384)
			l.Shared = shared
			r.run("ring", l, mapA, mapB, device.Pointer(o.pc), device.Int32(int32(o.n)), device.Int32(int32(o.k)))
			o.require(r)
		}
	})
}

func TestWmma(t *testing.T) {
	every(t, "mma", func(r rig) {
		rng := rand.New(rand.NewPCG(7, 8))
		const m, n, k = 16, 16, 48
		o := r.operands(rng, m, n, k)
		c := r.put(make([]float32, m*n))
		r.run("wmma_tile", grid(1, 1, 32), device.Pointer(o.pa), device.Pointer(o.pb), device.Pointer(c), device.Int32(k))
		o.pc = c
		o.require(r)
		r.run("wmma_tile", grid(1, 1, 32), device.Pointer(o.pa), device.Pointer(o.pb), device.Pointer(c), device.Int32(k))
		for i := range o.a {
			o.a[i] *= 2 // C was added to
		}
		o.require(r)
	})
}

func TestMma(t *testing.T) {
	every(t, "mma", func(r rig) {
		rng := rand.New(rand.NewPCG(9, 10))
		for _, k := range []int{16, 32, 80} {
			o := r.operands(rng, 16, 8, k)
			r.run("mma_tile", grid(1, 1, 32), device.Pointer(o.pa), device.Pointer(o.pb), device.Pointer(o.pc), device.Int32(int32(k)))
			o.require(r)
		}
	})
}

// within accepts a value near what is wanted, so a NaN is refused.
func within(got, want, relative, absolute float64) bool {
	return math.Abs(got-want) <= relative*math.Abs(want)+absolute
}
