package tensor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func normals(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

func columns(x []float32) []Column {
	c := make([]Column, len(x)/StripRows)
	for i := range c {
		copy(c[i][:], x[i*StripRows:])
	}
	return c
}

// Each element is the float32 sum in the order of k, whichever code ran, and
// close to the float64 sum.
func TestMultiply(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name         string
		n, k, strips int
		nMajor       bool
	}{
		{"mma.sync f16", 8, 16, 1, false},
		{"one product", 8, 1, 1, false},
		{"wgmma f16", 256, 16, 4, false},
		{"wgmma f16, B N-major", 256, 16, 4, true},
		{"wgmma tf32, odd N", 104, 8, 4, false},
		{"wgmma e4m3", 24, 32, 4, false},
		{"half a group of columns", 4, 5, 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := columns(normals(rng, c.strips*c.k*StripRows))
			b := Right{normals(rng, c.n*c.k), c.k, 1}
			if c.nMajor {
				b.StepN, b.StepK = 1, c.n
			}
			before := columns(normals(rng, c.strips*c.n*StripRows))
			portable, fast := slices.Clone(before), slices.Clone(before)
			for s := range c.strips {
				multiplyPortable(portable[s*c.n:(s+1)*c.n], a[s*c.k:(s+1)*c.k], b)
			}
			Multiply(fast, a, b, c.n)
			for i := range before {
				for r, sum := range before[i] {
					strip, n := i/c.n, i%c.n
					exact, magnitude := float64(sum), math.Abs(float64(sum))
					for k := range c.k {
						x, y := a[strip*c.k+k][r], b.Elements[n*b.StepN+k*b.StepK]
						sum += float32(x * y)
						exact += float64(x) * float64(y)
						magnitude += math.Abs(float64(x) * float64(y))
					}
					require.LessOrEqual(t, math.Abs(float64(sum)-exact), magnitude*float64(c.k+1)*0x1p-24)
					same(t, sum, portable[i][r], "portable, strip %d row %d column %d", strip, r, n)
					same(t, sum, fast[i][r], "this machine's, strip %d row %d column %d", strip, r, n)
				}
			}
		})
	}
}

// Zeros of both signs, subnormals, overflow and infinities take the same way
// through both codes.
func TestMultiplyRareValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	rare := []float32{0, float32(math.Copysign(0, -1)), 0x1p-149, -0x1p-140, 0x1p-75, 0x1p127, -0x1p127,
		float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1, -3}
	draw := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = rare[rng.IntN(len(rare))]
		}
		return x
	}
	for range 200 {
		a, b, fast := columns(draw(2*StripRows)), Right{draw(16), 2, 1}, columns(draw(8*StripRows))
		portable := slices.Clone(fast)
		multiplyPortable(portable, a, b)
		Multiply(fast, a, b, 8)
		for n := range fast {
			for r := range fast[n] {
				same(t, portable[n][r], fast[n][r])
			}
		}
	}
}

func BenchmarkMultiply(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n, k = 256, 16
	left, right, d := columns(normals(rng, 4*k*StripRows)), Right{normals(rng, n*k), k, 1}, make([]Column, 4*n)
	for _, v := range []struct {
		name string
		run  func()
	}{
		{"portable", func() {
			for s := range 4 {
				multiplyPortable(d[s*n:(s+1)*n], left[s*k:(s+1)*k], right)
			}
		}},
		{"this machine", func() { Multiply(d, left, right, n) }},
	} {
		b.Run(v.name, func(b *testing.B) {
			for b.Loop() {
				v.run()
			}
			b.ReportMetric(64*n*k*float64(b.N)/1e9/b.Elapsed().Seconds(), "GMAC/s")
		})
	}
}
