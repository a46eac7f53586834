package emu

import (
	"math"
	"math/big"

	"gohopper/pkg/hopper/ptx"
)

// doubleForms is double-precision arithmetic (PTX 9.7.3). Sums and products
// are fused multiply-adds with a factor 1 or a term 0.
var doubleForms = map[string][]form{
	"add":      {{"?rn|rz|rm|rp f64", double2(func(r rounding, a, b float64) float64 { return r.fused(a, 1, b) })}},
	"sub":      {{"?rn|rz|rm|rp f64", double2(func(r rounding, a, b float64) float64 { return r.fused(a, 1, -b) })}},
	"mul":      {{"?rn|rz|rm|rp f64", double2(rounding.times)}},
	"fma":      {{"rn|rz|rm|rp f64", double3(rounding.fused)}},
	"mad":      {{"rn|rz|rm|rp f64", double3(rounding.fused)}},
	"div":      {{"rn|rz|rm|rp f64", double2(rounding.divided)}},
	"rcp":      {{"rn|rz|rm|rp f64", double1(func(r rounding, a float64) float64 { return r.divided(1, a) })}},
	"sqrt":     {{"rn|rz|rm|rp f64", double1(rounding.squareRoot)}},
	"abs":      {{"f64", double1(func(_ rounding, a float64) float64 { return math.Abs(a) })}},
	"neg":      {{"f64", double1(func(_ rounding, a float64) float64 { return -a })}},
	"copysign": {{"f64", each2[uint64](func(a, b uint64) uint64 { return a&signBit64 | b&^signBit64 })}},
	"min":      {{"f64", double2(func(_ rounding, a, b float64) float64 { return extreme{}.of(a, b) })}},
	"max":      {{"f64", double2(func(_ rounding, a, b float64) float64 { return extreme{max: true}.of(a, b) })}},
}

const (
	signBit64 = 1 << 63
	quiet64   = 1 << 51
	nan64     = 0xfff8000000000000
)

// double1, double2 and double3 compile a form from its function on one lane.
func double1(f func(r rounding, a float64) float64) family {
	return func(c *compiler, in *ptx.Instr) op {
		r := roundingOf(in)
		return rows1(func(d, a *row[uint64]) {
			for i := range d {
				d[i] = bits64(f(r, double(a[i])), a[i])
			}
		})(c, in)
	}
}

func double2(f func(r rounding, a, b float64) float64) family {
	return func(c *compiler, in *ptx.Instr) op {
		r := roundingOf(in)
		return rows2(func(d, a, b *row[uint64]) {
			first, second := b, a
			if in.Op == "div" {
				first, second = a, b
			}
			for i := range d {
				d[i] = bits64(f(r, double(a[i]), double(b[i])), first[i], second[i])
			}
		})(c, in)
	}
}

func double3(f func(r rounding, a, b, x float64) float64) family {
	return func(c *compiler, in *ptx.Instr) op {
		r := roundingOf(in)
		return rows3(func(d, a, b, x *row[uint64]) {
			for i := range d {
				d[i] = bits64(f(r, double(a[i]), double(b[i]), double(x[i])), b[i], x[i], a[i])
			}
		})(c, in)
	}
}

func double(a uint64) float64 { return math.Float64frombits(a) }

// bits64 writes a result. A NaN is the first operand that is one, made quiet:
// its sign and payload go through. Where no operand is one it is a new one.
// Callers name the operands in the order that an H200 was seen to prefer.
func bits64(r float64, operands ...uint64) uint64 {
	if r == r {
		return math.Float64bits(r)
	}
	for _, a := range operands {
		if a&^signBit64 > 0x7ff0000000000000 {
			return a | quiet64
		}
	}
	return nan64
}

// fused is a*b + c rounded once.
func (r rounding) fused(a, b, c float64) float64 {
	s := math.FMA(a, b, c)
	if r == nearest || !finite(a) || !finite(b) || !finite(c) {
		return s
	}
	left := residue(a, b, c, s)
	if s == 0 && left == 0 && r == down && math.Signbit(a*b) != math.Signbit(c) {
		return math.Copysign(0, -1)
	}
	return r.neighbour(s, left)
}

// times is a*b; the term 0 has the product's sign, so that the sum keeps it.
func (r rounding) times(a, b float64) float64 {
	zero := 0.0
	if math.Signbit(a) != math.Signbit(b) {
		zero = math.Copysign(0, -1)
	}
	return r.fused(a, b, zero)
}

func (r rounding) divided(a, b float64) float64 {
	q := a / b
	if r == nearest || !finite(a) || !finite(b) || b == 0 {
		return q
	}
	left := residue(-q, b, a, 0)
	if b < 0 {
		left = -left
	}
	return r.neighbour(q, left)
}

func (r rounding) squareRoot(a float64) float64 {
	s := math.Sqrt(a)
	if r == nearest || !finite(s) {
		return s
	}
	return r.neighbour(s, residue(-s, s, a, 0))
}

// residue is the sign of a*b + c - d, computed exactly; a or d may be infinite.
func residue(a, b, c, d float64) int {
	const enough = 6400 // bits from the least product, 2^-2148, to the greatest, with room
	x := new(big.Float).SetPrec(enough)
	x.Mul(big.NewFloat(a), big.NewFloat(b))
	x.Add(x, big.NewFloat(c))
	return x.Sub(x, big.NewFloat(d)).Sign()
}

// neighbour moves s, rounded to nearest, to where the mode wants it; left is
// the sign of the exact result minus s.
func (r rounding) neighbour(s float64, left int) float64 {
	switch {
	case left < 0 && (r == down || r == toZero && s > 0):
		return math.Nextafter(s, math.Inf(-1))
	case left > 0 && (r == up || r == toZero && s < 0):
		return math.Nextafter(s, math.Inf(1))
	}
	return s
}
