package emu

import (
	"math"

	"gohopper/pkg/hopper/ptx"
)

// rounding is a rounding mode of floating-point results (PTX 9.7.3).
type rounding int

const (
	nearest rounding = iota // ties to even, the default
	toZero
	down
	up
)

func roundingOf(in *ptx.Instr) rounding {
	for _, m := range in.Mods {
		switch m {
		case "rz":
			return toZero
		case "rm":
			return down
		case "rp":
			return up
		}
	}
	return nearest
}

// direct moves a code that was rounded to nearest to the neighbour that the
// mode asks for. Codes are sign and magnitude, so the neighbour away from zero
// is the next integer; value is what the code stands for, exact what it should.
func (r rounding) direct(code uint32, value, exact float64) uint32 {
	outwards := r == down && math.Signbit(exact) || r == up && !math.Signbit(exact)
	switch v, e := math.Abs(value), math.Abs(exact); {
	case r == nearest:
	case v > e && !outwards:
		code--
	case v < e && outwards:
		code++
	}
	return code
}

// A float64 "to odd" is exact, or has an odd last bit where it is not. It can
// be rounded again, to any format that is at least two bits shorter and in any
// mode, as if it were exact.

// toOdd takes x, an exact result rounded to nearest, to odd; err has the sign
// of the exact result minus x.
func toOdd(x, err float64) float64 {
	b := math.Float64bits(x)
	if err == 0 || b&1 == 1 {
		return x
	}
	if (err > 0) == (x > 0) {
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}

// toOdd32 shortens a float64, exact or to odd, to a float32 to odd.
func toOdd32(x float64) float32 {
	r := float32(x)
	if v := float64(r); v != x && x == x {
		b := math.Float32bits(r)
		if math.Abs(v) > math.Abs(x) {
			b--
		}
		return math.Float32frombits(b | 1)
	}
	return r
}

func finite(x float64) bool { return x-x == 0 }

// sum is a + b to odd. An exact zero of two unlike signs is -0 when rounding
// down.
func (r rounding) sum(a, b float64) float64 {
	s := a + b
	if s == 0 && r == down && math.Signbit(a) != math.Signbit(b) {
		return math.Copysign(0, -1)
	}
	if !finite(s) {
		return s
	}
	part := s - a // Knuth's exact error of an addition
	return toOdd(s, (a-(s-part))+(b-part))
}

func (r rounding) difference(a, b float64) float64 { return r.sum(a, -b) }

// product is a * b for factors that were float32: it is exact.
func (r rounding) product(a, b float64) float64 { return a * b }

// quotient is a / b to odd for operands that were float32.
func (r rounding) quotient(a, b float64) float64 {
	q := a / b
	if q == 0 || !finite(q) {
		return q
	}
	err := math.FMA(-q, b, a)
	if b < 0 {
		err = -err
	}
	return toOdd(q, err)
}

func (r rounding) inverse(a float64) float64 { return r.quotient(1, a) }

// root is the square root of a to odd, for an operand that was float32.
func (r rounding) root(a float64) float64 {
	s := math.Sqrt(a)
	if s == 0 || !finite(s) {
		return s
	}
	return toOdd(s, math.FMA(-s, s, a))
}
