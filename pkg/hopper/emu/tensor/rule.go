package tensor

// rule is how a sum of products of floats is formed.
type rule struct {
	cut         int32  // addends keep this many bits below the largest exponent
	low         uint64 // bits of a float64 that the result does not have
	odd         uint64 // set in the result if one of those was: the lowest it has, or none
	left, right int32  // exponents of the smallest normal numbers of the operands
	result      int32  // and of D
	lowest      int32  // top is not below this
}

// longestK is the most that an instruction takes of K.
const longestK = 32

// smallest is the exponent of a type's smallest normal number.
func (t Type) smallest() int32 {
	switch t {
	case F16, E5M2:
		return -14
	case E4M3:
		return -6
	}
	return -126
}

//region rule

func (p Product) rule() rule {
	r := rule{cut: 25, left: p.Left.smallest(), right: p.Right.smallest(), result: p.Result.smallest()}
	r.lowest = r.result - 7
	keep := 23
	if !p.Warp && p.Left.Bytes() == 1 {
		r.cut, keep = 13, 13
	}
	if p.Result == F16 {
		// Rounded to odd, the sum can be rounded again to f16.
		keep, r.odd = 23, 1<<(52-23)
	}
	r.low = 1<<(52-keep) - 1
	return r
}

//endregion rule

// Exponents of what has none: they leave the range of the others in any sum of
// two.
const (
	zeroExponent    = -1 << 12
	specialExponent = 1 << 13
)

// Between these exponents of the largest addend the fast code is exact: no
// product of interest leaves float32's normal numbers, nor does the result. It
// also serves where there is nothing but zeros.
const (
	fastLowest  = -96
	fastHighest = 100
	nothing     = -1000
)

// exponents is those of a Column's elements.
type exponents [StripRows]int16

// Scratch is memory that products of any shape use; its zero value is ready.
type Scratch struct {
	left  []exponents
	right []uint32 // exponents of B's elements, each in both halves
}

// multiply adds A·Bᵀ to D.
func (q *rule) multiply(s *Scratch, d, a []Column, b Right, n int) {
	strips := len(d) / n
	k := len(a) / strips
	extent := b.extent(n, k)
	s.left, s.right = sized(s.left, len(a)), sized(s.right, extent)
	exponentsLeft(s.left, a, q.left)
	exponentsRight(s.right, b.Elements[:extent], q.right)
	for i := range strips {
		q.multiplyStrip(d[i*n:][:n], a[i*k:][:k], s.left[i*k:][:k], b, s.right)
	}
}

func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
