package tensor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/num"
)

func columns(x []float32) []Column {
	c := make([]Column, len(x)/StripRows)
	for i := range c {
		copy(c[i][:], x[i*StripRows:])
	}
	return c
}

// rounded is a float32 as an operand of type t has it.
func (t Type) rounded(x float32) float32 {
	switch t {
	case F16:
		return num.F16FromFloat32(x).Float32()
	case BF16:
		return num.BF16FromFloat32(x).Float32()
	case TF32:
		return math.Float32frombits(math.Float32bits(x) &^ 0x1fff)
	case E4M3:
		return num.E4M3FromFloat32(x).Float32()
	case E5M2:
		return num.E5M2FromFloat32(x).Float32()
	case S8, U8:
		return float32(int(x) % 100)
	}
	return x
}

// draws are ways to choose a float32.
var draws = []struct {
	name string
	draw func(rng *rand.Rand) float32
}{
	{"normal", func(rng *rand.Rand) float32 { return float32(rng.NormFloat64()) }},
	{"spread", func(rng *rand.Rand) float32 { return float32(math.Ldexp(rng.NormFloat64(), rng.IntN(40)-20)) }},
	{"sparse", func(rng *rand.Rand) float32 {
		return float32(rng.IntN(4)/3) * float32(math.Ldexp(rng.NormFloat64(), rng.IntN(40)-20))
	}},
	{"zeros", func(rng *rand.Rand) float32 { return float32(math.Copysign(0, rng.NormFloat64())) }},
	{"any bits", func(rng *rand.Rand) float32 { return math.Float32frombits(rng.Uint32()) }},
	{"rare", func(rng *rand.Rand) float32 {
		rare := []float32{0, float32(math.Copysign(0, -1)), 0x1p-149, -0x1p-140, 0x1p-75, 0x1p127, -0x1p127,
			float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1, -3, 1, 1, 2, 5, -7, 0x1p-20}
		return rare[rng.IntN(len(rare))]
	}},
	{"sums of 32 bits", func(rng *rand.Rand) float32 { return 1.97 + 0.029*rng.Float32() }},
	{"around the fast code's ends", func(rng *rand.Rand) float32 {
		e := []int{-50, 50}[rng.IntN(2)] + rng.IntN(8) - 4
		return float32(math.Ldexp(rng.NormFloat64(), e))
	}},
}

// products are all that instructions have.
func products() (list []Product) {
	for _, pair := range [][2]Type{{F16, F16}, {BF16, BF16}, {TF32, TF32}, {E4M3, E4M3}, {E4M3, E5M2}, {E5M2, E4M3}, {E5M2, E5M2}, {S8, U8}} {
		for _, result := range []Type{F32, F16} {
			for _, warp := range []bool{false, true} {
				if result == F16 && pair[0] != F16 && (warp || pair[0].Bytes() != 1) || result == F16 && pair[0] == S8 {
					continue
				}
				list = append(list, Product{Left: pair[0], Right: pair[1], Result: result, Warp: warp})
			}
		}
	}
	return list
}

// The fast code, in plain Go and this machine's, gives the same bits as the sum
// in whole numbers, with operands of every kind.
func TestFastCode(t *testing.T) {
	for _, p := range products() {
		if p.Left == S8 {
			continue
		}
		for _, v := range draws {
			t.Run(fmt.Sprint(p, " ", v.name), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(1, 2))
				for round := range 30 {
					k, n, strips := min(16, 1+rng.IntN(24)), 4*(1+rng.IntN(4)), 1+rng.IntN(2)
					if p.Left.Bytes() == 1 && !p.Warp {
						k = 1 + rng.IntN(32)
					}
					fill := func(t Type, n int) []float32 {
						x := make([]float32, n)
						for i := range x {
							x[i] = t.rounded(v.draw(rng))
						}
						return x
					}
					q := p.rule()
					a, d := columns(fill(p.Left, strips*k*StripRows)), columns(fill(p.Result, strips*n*StripRows))
					b := Right{fill(p.Right, n*k), k, 1}
					if round%2 == 1 {
						b.StepN, b.StepK = 1, n
					}
					exact, portable, fast := slices.Clone(d), slices.Clone(d), slices.Clone(d)
					ea, eb := make([]exponents, len(a)), make([]uint32, n*k)
					exponentsLeftPortable(ea, a, q.left)
					exponentsRightPortable(eb, b.Elements, q.right)
					for i := range strips {
						for j := range n {
							q.exactColumn(&exact[i*n+j], a[i*k:][:k], b, j)
						}
						q.multiplyStripPortable(portable[i*n:][:n], a[i*k:][:k], ea[i*k:][:k], b, eb)
					}
					q.multiply(new(Scratch), fast, a, b, n)
					for i := range d {
						for r := range d[i] {
							same(t, exact[i][r], portable[i][r], "portable, column %d row %d", i, r)
							same(t, exact[i][r], fast[i][r], "this machine's, column %d row %d", i, r)
						}
					}
				}
			})
		}
	}
}

// What Multiply adds is A·Bᵀ, in every shape and order of B, within the error
// of its arithmetic; for integers without any.
func TestMultiply(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, p := range products() {
		k := 32 / p.Left.Bytes()
		for _, c := range []struct {
			n, strips int
			nMajor    bool
		}{{8, 1, false}, {256, 4, false}, {104, 4, true}} {
			if p.Warp {
				c.n, c.strips = 8, 1
			}
			fill := func(t Type, n int, scale float64) []float32 {
				x := make([]float32, n)
				for i := range x {
					x[i] = t.rounded(float32(rng.NormFloat64() * scale))
				}
				return x
			}
			scale := map[bool]float64{true: 30, false: 1}[p.Left == S8]
			a, b := columns(fill(p.Left, c.strips*k*StripRows, scale)), Right{fill(p.Right, c.n*k, scale), k, 1}
			if c.nMajor {
				b.StepN, b.StepK = 1, c.n
			}
			before := columns(fill(p.Result, c.strips*c.n*StripRows, 1))
			if p.Left == S8 {
				clear(before)
			}
			after := slices.Clone(before)
			p.Multiply(new(Scratch), after, a, b, c.n)
			unit := 0x1p-23
			switch {
			case p.Left == S8:
				unit = 0
			case p.Result == F16:
				unit = 0x1p-10
			case !p.Warp && p.Left.Bytes() == 1:
				unit = 0x1p-13
			}
			for i := range before {
				for r, x := range before[i] {
					exact, magnitude := float64(x), math.Abs(float64(x))
					for kk := range k {
						x, y := float64(a[i/c.n*k+kk][r]), float64(b.Elements[i%c.n*b.StepN+kk*b.StepK])
						exact += x * y
						magnitude += math.Abs(x * y)
					}
					require.InDelta(t, exact, float64(after[i][r]), magnitude*unit*4, "%+v column %d row %d", p, i, r)
				}
			}
		}
	}
}

// The assembly and the plain code find the same exponents.
func TestExponents(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, v := range draws {
		x := make([]float32, 3*StripRows)
		for i := range x {
			x[i] = v.draw(rng)
		}
		for _, smallest := range []int32{-126, -14, -6} {
			left, wantLeft := make([]exponents, 3), make([]exponents, 3)
			exponentsLeft(left, columns(x), smallest)
			exponentsLeftPortable(wantLeft, columns(x), smallest)
			require.Equal(t, wantLeft, left, v.name)
			for n := range x {
				right, wantRight := make([]uint32, n), make([]uint32, n)
				exponentsRight(right, x[:n], smallest)
				exponentsRightPortable(wantRight, x[:n], smallest)
				require.Equal(t, wantRight, right, v.name)
			}
		}
	}
}

// The assembly and the plain code round to f16 alike.
func TestRoundF16(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, v := range draws {
		x := make([]float32, 64*StripRows)
		for i := range x {
			x[i] = v.draw(rng)
		}
		fast, portable := columns(x), columns(x)
		roundF16(fast)
		roundF16Portable(portable)
		for i := range fast {
			for r := range fast[i] {
				same(t, portable[i][r], fast[i][r], v.name)
			}
		}
	}
}

func BenchmarkMultiply(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 256
	for _, p := range []Product{{F16, F16, F32, false}, {BF16, BF16, F32, false}, {TF32, TF32, F32, false}, {E4M3, E4M3, F32, false}, {F16, F16, F16, false}, {S8, S8, S32, false}} {
		k := 32 / p.Left.Bytes()
		fill := func(t Type, n int) []float32 {
			x := make([]float32, n)
			for i := range x {
				x[i] = t.rounded(float32(rng.NormFloat64()))
			}
			return x
		}
		left, right, d := columns(fill(p.Left, 4*k*StripRows)), Right{fill(p.Right, n*k), k, 1}, make([]Column, 4*n)
		var s Scratch
		s.left, s.right = make([]exponents, len(left)), make([]uint32, n*k)
		for _, v := range []struct {
			name string
			run  func()
		}{
			{"portable", func() {
				q := p.rule()
				exponentsLeftPortable(s.left, left, q.left)
				exponentsRightPortable(s.right, right.Elements, q.right)
				for i := range 4 {
					if p.Left == S8 {
						multiplyIntegersPortable(d[i*n:][:n], left[i*k:][:k], right)
						continue
					}
					q.multiplyStripPortable(d[i*n:][:n], left[i*k:][:k], s.left[i*k:][:k], right, s.right)
				}
			}},
			{"this machine", func() { p.Multiply(&s, d, left, right, n) }},
		} {
			b.Run(fmt.Sprintf("%v %s", p, v.name), func(b *testing.B) {
				for b.Loop() {
					v.run()
				}
				b.ReportMetric(float64(64*n*k)*float64(b.N)/1e9/b.Elapsed().Seconds(), "GMAC/s")
			})
		}
	}
}
