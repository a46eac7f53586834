package tensor

import "gohopper/pkg/hopper/num"

// Product is the types of a tensor core instruction, on which its arithmetic
// depends.
//
// This is the one place that says how the tensor core adds. What is here was
// found by probing an H200, and agrees with it bit for bit wherever its answers
// were kept; docs/tensor-core.md says how. Products of integers are exact. Of the
// others, all products of an instruction and the old value of D are one sum:
//
//  1. Each product is exact. Its exponent is the sum of its factors' exponents;
//     that of a subnormal number is the exponent of the smallest normal one of
//     its type. The largest exponent among the nonzero addends is top, but not
//     less than 7 below that of D's smallest normal number.
//  2. Each addend, D's old value too, is cut toward zero to a multiple of
//     2^(top-25), or of 2^(top-13) where wgmma multiplies 8-bit floats.
//  3. The sum of what is left is exact, and is cut toward zero to f32, of
//     which wgmma with 8-bit floats keeps 13 bits of fraction; or it is
//     rounded to nearest even to f16.
//
// mma.sync has no 8-bit floats in hardware: ptxas converts them to f16, lets
// two instructions multiply, and adds C in float32 at the end.
type Product struct {
	Left, Right Type
	Result      Type // F16 if both C and D are
	Warp        bool // mma.sync, not wgmma
}

// Multiply adds A·Bᵀ to D as one instruction does, for one strip or several
// that share B. D is n wide and a multiple of 4; strip s of D is d[s*n:(s+1)*n],
// and a is divided into as many strips, each as long as the instruction's K.
//
// The bits of the result are the same on every machine, those of a NaN apart.
func (p Product) Multiply(s *Scratch, d, a []Column, b Right, n int) {
	strips := len(d) / n
	k := len(a) / strips
	if n%4 != 0 || k == 0 || k > longestK || len(d) != strips*n || len(a) != strips*k || len(b.Elements) < b.extent(n, k) {
		panic("emulator: tensor.Multiply: the operands do not fit")
	}
	switch {
	case p.Left == S8 || p.Left == U8:
		for i := range strips {
			multiplyIntegers(d[i*n:][:n], a[i*k:][:k], b)
		}
	case p.Warp && p.Left.Bytes() == 1:
		p.multiplyPairs(s, d, a, b, n)
	default:
		q := p.rule()
		q.multiply(s, d, a, b, n)
	}
	if p.Result == F16 {
		roundF16(d)
	}
}

// extent is how many elements n rows of k reach over.
func (b Right) extent(n, k int) int { return (n-1)*b.StepN + (k-1)*b.StepK + 1 }

// multiplyPairs is mma.sync with 8-bit floats. A register has four of them;
// the first instruction takes the lower two of each, the second the upper two.
func (p Product) multiplyPairs(s *Scratch, d, a []Column, b Right, n int) {
	var (
		left  [longestK / 2]Column
		right [8 * longestK / 2]float32
		sum   [8]Column
	)
	half := len(a) / 2
	as := Product{Left: F16, Right: F16, Result: F32, Warp: true}.rule()
	for which := range 2 {
		for i := range half {
			k := i/2*4 + which*2 + i%2
			left[i] = a[k]
			for j := range n {
				right[j*half+i] = b.Elements[j*b.StepN+k*b.StepK]
			}
		}
		as.multiply(s, sum[:n], left[:half], Right{right[:n*half], half, 1}, n)
	}
	for j := range n {
		for r, x := range sum[j] {
			d[j][r] += x
		}
	}
}

// roundF16Portable is roundF16 in plain Go: it rounds every element of D to
// nearest even. The sum has left bits enough to do so once. A zero is positive.
func roundF16Portable(d []Column) {
	for n := range d {
		for r, x := range d[n] {
			if x = num.F16FromFloat32(x).Float32(); x == 0 {
				x = 0
			}
			d[n][r] = x
		}
	}
}
