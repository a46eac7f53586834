package main

import (
	"math/rand/v2"

	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/num"
)

// base is a kernel of the museum with the product that it computes. Its
// parameters are the tensor maps a and b, then c where it stores through TMA,
// then m, n, k, and then the pointer c where it does not.
type base struct {
	record func(Fault) *hopper.Kernel
	shape  matrix.Shape
	grid   int // CTAs
	boxA   box
	boxB   box
	boxC   *box // nil: a pointer to C
	// operands makes A and B, and answer what C is compared with.
	operands func(s matrix.Shape, seed int64) (a, b *matrix.Matrix)
	answer   func(a, b *matrix.Matrix) (*matrix.Reference, error)
}

// box is the box of a tensor map, in elements.
type box struct {
	rows, cols int
	swizzle    device.Swizzle
}

// ringBase gives the only cluster three tiles for each CTA, so that whatever is
// used again is, with ragged edges and more slices than stages.
func ringBase() base {
	return base{
		record: ring, shape: matrix.Shape{M: 248, N: 184, K: 264}, grid: cluster,
		boxA:     box{consumers * rows, depth, device.Swizzle128B},
		boxB:     box{width / cluster, depth, device.Swizzle128B},
		boxC:     &box{rows, slab, device.Swizzle64B},
		operands: normal, answer: product,
	}
}

func warpsBase() base {
	return base{
		record: warps, shape: matrix.Shape{M: rows, N: width, K: 200}, grid: 1,
		boxA: box{rows, depth, device.Swizzle128B}, boxB: box{width, depth, device.Swizzle128B},
		operands: normal, answer: product,
	}
}

func chainBase() base {
	return base{
		record: chain, shape: matrix.Shape{M: consumers * rows, N: width, K: resident * depth}, grid: 1,
		boxA: box{consumers * rows, depth, device.Swizzle128B}, boxB: box{width, depth, device.Swizzle128B},
		boxC:     &box{rows, width, device.Swizzle128B},
		operands: whole, answer: productTwice,
	}
}

// normal is operands of standard normal values.
func normal(s matrix.Shape, seed int64) (a, b *matrix.Matrix) {
	return matrix.Fill(s.M, s.K, num.FormatF16, uint64(seed), 0), matrix.Fill(s.N, s.K, num.FormatF16, uint64(seed), 1)
}

func product(a, b *matrix.Matrix) (*matrix.Reference, error) {
	return matrix.NewReference(a, b, matrix.Options{})
}

// whole is operands of the integers -1 to 2, of which the product is exact in
// f16: the second product then has operands that are known to the last bit.
func whole(s matrix.Shape, seed int64) (a, b *matrix.Matrix) {
	a, b = matrix.New(s.M, s.K, num.FormatF16), matrix.New(s.N, s.K, num.FormatF16)
	rng := rand.New(rand.NewPCG(uint64(seed), 1))
	for _, m := range []*matrix.Matrix{a, b} {
		for i := range m.Rows {
			for j := range m.Cols {
				m.Set(i, j, float64(rng.IntN(4)-1))
			}
		}
	}
	return a, b
}

// productTwice is the answer of chain, (A Bᵀ) B₀ᵀ.
func productTwice(a, b *matrix.Matrix) (*matrix.Reference, error) {
	first := matrix.New(a.Rows, b.Rows, num.FormatF16)
	for i := range first.Rows {
		for j := range first.Cols {
			sum := 0.0
			for x := range a.Cols {
				sum += a.At(i, x) * b.At(j, x)
			}
			first.Set(i, j, sum)
		}
	}
	left := matrix.New(b.Rows, width, num.FormatF16)
	for i := range left.Rows {
		for j := range left.Cols {
			left.Set(i, j, b.At(i, j))
		}
	}
	return matrix.NewReference(first, left, matrix.Options{})
}
