package matrix

import (
	"math"
	"math/rand/v2"
	"sort"

	"gohopper/pkg/hopper/num"
)

// An order of summation: it adds the products in float32 as it likes.
type order struct {
	name string
	sum  func(products []float32, rng *rand.Rand) float32
}

func sequential(p []float32, _ *rand.Rand) float32 {
	var s float32
	for _, v := range p {
		s += v
	}
	return s
}

func pairwise(p []float32, _ *rand.Rand) float32 {
	if len(p) == 1 {
		return p[0]
	}
	h := len(p) / 2
	return pairwise(p[:h], nil) + pairwise(p[h:], nil)
}

func shuffled(p []float32, rng *rand.Rand) float32 {
	rng.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
	return sequential(p, nil)
}

func ascending(p []float32, _ *rand.Rand) float32 {
	sort.Slice(p, func(i, j int) bool { return p[i] < p[j] })
	return sequential(p, nil)
}

func largestFirst(p []float32, _ *rand.Rand) float32 {
	sort.Slice(p, func(i, j int) bool { return math.Abs(float64(p[i])) > math.Abs(float64(p[j])) })
	return sequential(p, nil)
}

// truncating adds as Hopper's tensor cores do: 16 products and the accumulator
// are aligned to the largest, cut off two bits below float32's last, added, and
// the sum is cut off to float32.
func truncating(p []float32, _ *rand.Rand) float32 {
	var acc float64
	for from := 0; from < len(p); from += 16 {
		terms := []float64{acc}
		for _, v := range p[from:min(from+16, len(p))] {
			terms = append(terms, float64(v))
		}
		var largest float64
		for _, v := range terms {
			largest = max(largest, math.Abs(v))
		}
		if largest == 0 {
			continue
		}
		grid := math.Ldexp(1, math.Ilogb(largest)-25)
		var sum float64
		for _, v := range terms {
			sum += math.Trunc(v/grid) * grid
		}
		acc = 0
		if sum != 0 {
			last := math.Ldexp(1, math.Ilogb(sum)-23)
			acc = math.Trunc(sum/last) * last
		}
	}
	return float32(acc)
}

func orders() []order {
	return []order{
		{"in order", sequential},
		{"pairwise", pairwise},
		{"shuffled", shuffled},
		{"negative first", ascending},
		{"largest first", largestFirst},
		{"truncating tensor core", truncating},
	}
}

// multiplyAs computes A·Bᵀ with float32 products (exact for 16-bit elements)
// added in the given order, rounded once to t.
func multiplyAs(a, b *Matrix, t num.Format, seed uint64, o order) *Matrix {
	c := New(a.Rows, b.Rows, t)
	rng := rand.New(rand.NewPCG(seed, 0))
	p := make([]float32, a.Cols)
	for i := range a.Rows {
		for j := range b.Rows {
			for k := range p {
				p[k] = float32(a.At(i, k)) * float32(b.At(j, k))
			}
			c.Set(i, j, float64(o.sum(p, rng)))
		}
	}
	return c
}

func answer(a, b *Matrix) *Matrix {
	return multiplyAs(a, b, a.Type, 0, order{"in order", sequential})
}

// magnitude makes every element of m positive.
func magnitude(m *Matrix) *Matrix {
	for i := range m.Rows {
		for j := range m.Cols {
			m.Set(i, j, math.Abs(m.At(i, j)))
		}
	}
	return m
}
