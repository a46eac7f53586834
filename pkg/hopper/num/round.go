package num

import "math"

// layout is how a binary format spends its bits: a sign, then exponent, then
// fraction.
type layout struct {
	bits     int
	fraction int
	bias     int
	max      uint32 // code of the largest finite value; max+1 is infinity, or NaN in e4m3
}

func f16() layout  { return layout{bits: 16, fraction: 10, bias: 15, max: 0x7BFF} }
func bf16() layout { return layout{bits: 16, fraction: 7, bias: 127, max: 0x7F7F} }
func f32() layout  { return layout{bits: 32, fraction: 23, bias: 127, max: 0x7F7FFFFF} }
func e4m3() layout { return layout{bits: 8, fraction: 3, bias: 7, max: 0x7E} }
func e5m2() layout { return layout{bits: 8, fraction: 2, bias: 15, max: 0x7B} }

func (f Format) layout() layout {
	switch f {
	case FormatF16:
		return f16()
	case FormatBF16:
		return bf16()
	case FormatF32:
		return f32()
	case FormatE4M3:
		return e4m3()
	case FormatE5M2:
		return e5m2()
	}
	return layout{}
}

// minExp is the exponent of the least normal value, maxExp that of the
// largest finite one.
func (l layout) minExp() int { return 1 - l.bias }
func (l layout) maxExp() int { return int(l.max>>l.fraction) - l.bias }

// nan is the canonical NaN: all ones but the sign.
func (l layout) nan() uint32 { return 1<<(l.bits-1) - 1 }

// value is the value of a finite, non-negative code.
func (l layout) value(code uint32) float64 {
	exp, frac := int(code>>l.fraction), int(code&(1<<l.fraction-1))
	if exp == 0 {
		return math.Ldexp(float64(frac), l.minExp()-l.fraction)
	}
	return math.Ldexp(float64(frac+1<<l.fraction), exp-l.bias-l.fraction)
}

const (
	float64Bias     = 1023
	float64Fraction = 52
	float64Inf      = 0x7FF << float64Fraction
)

// nearest rounds v to the nearest code, ties to even, once. Overflow gives the
// code after max, or with saturate the code max; so does an infinity.
func (l layout) nearest(v float64, saturate bool) uint32 {
	all := math.Float64bits(v)
	sign := uint32(all>>63) << uint(l.bits-1)
	abs := all &^ (1 << 63)
	if abs > float64Inf {
		return l.nan()
	}
	var code uint64
	if exp := int(abs >> float64Fraction); exp >= l.minExp()+float64Bias {
		// Exponent and fraction are one integer, so a carry out of the
		// fraction moves to the next binade by itself.
		drop := uint(float64Fraction-l.fraction) & 63 // always below 64; the mask tells the compiler
		code = (abs - uint64(float64Bias-l.bias)<<float64Fraction + 1<<(drop-1) - 1 + abs>>drop&1) >> drop
	} else {
		// The last fraction bit of grid weighs one least subnormal, so the
		// hardware's own addition rounds v to it.
		grid := uint64(l.minExp()-l.fraction+float64Fraction+float64Bias) << float64Fraction
		code = math.Float64bits(math.Float64frombits(abs)+math.Float64frombits(grid)) - grid
	}
	if code > uint64(l.max) {
		if saturate {
			return sign | l.max
		}
		if l.max+1 == l.nan() { // e4m3: the overflow code is NaN, which has no sign
			return l.nan()
		}
		return sign | (l.max + 1)
	}
	return sign | uint32(code)
}

// truncate rounds v towards zero. A finite overflow gives max.
func (l layout) truncate(v float64) uint32 {
	all := math.Float64bits(v)
	sign := uint32(all>>63) << uint(l.bits-1)
	abs := all &^ (1 << 63)
	switch {
	case abs > float64Inf:
		return l.nan()
	case abs == float64Inf:
		return sign | (l.max + 1)
	}
	var code uint64
	if exp := int(abs >> float64Fraction); exp >= l.minExp()+float64Bias {
		code = (abs - uint64(float64Bias-l.bias)<<float64Fraction) >> (float64Fraction - l.fraction)
	} else {
		code = uint64(math.Ldexp(math.Float64frombits(abs), l.fraction-l.minExp()))
	}
	return sign | uint32(min(code, uint64(l.max)))
}
