package tensor

import (
	"math"
	"math/bits"
)

// exactColumn is the sum of one column in whole numbers, for operands of any
// size and for infinities and NaNs.
func (q *rule) exactColumn(d *Column, a []Column, b Right, n int) {
	for r, c := range d {
		top, special := q.top(c, a, b, n, r)
		if special {
			d[r] = plainSum(c, a, b, n, r)
			continue
		}
		if top == zeroExponent {
			d[r] = 0
			continue
		}
		top = max(top, q.lowest)
		sum := addend(math.Float32bits(c), 0x3f800000, q.result, 0, top-q.cut)
		for k := range a {
			sum += addend(math.Float32bits(a[k][r]), math.Float32bits(b.Elements[n*b.StepN+k*b.StepK]), q.left, q.right, top-q.cut)
		}
		d[r] = q.assemble(sum, top-q.cut)
	}
}

// top is the largest exponent of a nonzero addend, zeroExponent if all are
// zero; special says that an operand is an infinity or a NaN.
func (q *rule) top(c float32, a []Column, b Right, n, r int) (top int32, special bool) {
	top = exponent(c, q.result)
	special = top == specialExponent
	for k := range a {
		x, y := exponent(a[k][r], q.left), exponent(b.Elements[n*b.StepN+k*b.StepK], q.right)
		special = special || x == specialExponent || y == specialExponent
		if x != zeroExponent && y != zeroExponent {
			top = max(top, x+y)
		}
	}
	return top, special
}

// plainSum is what becomes of infinities and NaNs: the same as in any order of
// addition, as long as no finite number can overflow.
func plainSum(c float32, a []Column, b Right, n, r int) float32 {
	sum := special(c)
	for k := range a {
		x, y := a[k][r], b.Elements[n*b.StepN+k*b.StepK]
		sum += special(unit(x) * unit(y))
	}
	return sum
}

// special is zero for a finite number.
func special(x float32) float32 {
	if x-x == 0 {
		return 0
	}
	return x
}

// unit is 1 for a nonzero finite number, with its sign.
func unit(x float32) float32 {
	if x-x == 0 && x != 0 {
		return float32(math.Copysign(1, float64(x)))
	}
	return x
}

// addend is the product of two numbers, given as bits, in units of 2^unit, cut
// toward zero.
func addend(x, y uint32, smallestX, smallestY, unit int32) int64 {
	mx, ex := significand(x, smallestX)
	my, ey := significand(y, smallestY)
	m := mx * my
	if m == 0 {
		return 0
	}
	if by := ex + ey - 46 - unit; by >= 0 {
		m <<= by
	} else {
		m >>= min(-by, 63)
	}
	if (x^y)>>31 != 0 {
		return -int64(m)
	}
	return int64(m)
}

// significand is a number as m·2^(e-23).
func significand(x uint32, smallest int32) (m uint64, e int32) {
	m, e = uint64(x&0x7fffff), int32(x>>23&0xff)
	if e == 0 {
		e = 1
	} else {
		m |= 1 << 23
	}
	if e -= 127; e < smallest {
		m >>= min(smallest-e, 63) // its type has no bits there
		e = smallest
	}
	return m, e
}

// assemble brings sum·2^unit to the result's bits.
func (q *rule) assemble(sum int64, unit int32) float32 {
	if sum == 0 {
		return 0
	}
	m := uint64(max(sum, -sum))
	// The result keeps the bits that a float64 would not lose to low; below
	// float32's normal numbers it has fewer.
	keep := int32(52 - bits.Len64(q.low))
	lead := int32(bits.Len64(m)) - 1
	last := max(lead+unit, -126) - keep // exponent of the last bit
	if by := last - unit; by > 63 {
		m, unit = 0, last
	} else if by > 0 {
		rest := m & (1<<by - 1)
		m, unit = m>>by, last
		if rest != 0 && q.odd != 0 {
			m |= 1
		}
	}
	x := math.Ldexp(float64(m), int(unit))
	if sum < 0 && m != 0 {
		x = -x
	}
	return float32(x) // exact, or an infinity
}
