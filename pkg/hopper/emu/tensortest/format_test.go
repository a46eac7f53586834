package tensortest

import (
	"math"
	"math/bits"

	"gohopper/pkg/hopper/emu/tensor"
)

// format is a floating-point type of the tensor core, down to its bits. A code
// has the sign, the exponent and the fraction, from bit skip on.
type format struct {
	name               string
	t                  tensor.Type
	exponent, fraction int
	skip               int  // low bits that hold nothing
	finite             bool // no infinities, and one NaN: the largest magnitude
}

var (
	f16  = format{name: "f16", t: tensor.F16, exponent: 5, fraction: 10}
	bf16 = format{name: "bf16", t: tensor.BF16, exponent: 8, fraction: 7}
	tf32 = format{name: "tf32", t: tensor.TF32, exponent: 8, fraction: 10, skip: 13}
	e4m3 = format{name: "e4m3", t: tensor.E4M3, exponent: 4, fraction: 3, finite: true}
	e5m2 = format{name: "e5m2", t: tensor.E5M2, exponent: 5, fraction: 2}
	f32  = format{name: "f32", t: tensor.F32, exponent: 8, fraction: 23}
)

func (f format) bias() int       { return 1<<(f.exponent-1) - 1 }
func (f format) emin() int       { return 1 - f.bias() }
func (f format) width() int      { return 1 + f.exponent + f.fraction + f.skip }
func (f format) signBit() uint32 { return 1 << (f.width() - 1) }

// emax is the exponent of the largest number.
func (f format) emax() int {
	if f.finite {
		return f.bias() + 1
	}
	return f.bias()
}

// largest is the code of the largest number.
func (f format) largest() uint32 {
	if f.finite {
		return (f.signBit() >> f.skip) - 2
	}
	return (f.infinity()>>f.skip - 1) << f.skip
}

func (f format) infinity() uint32 { return (1<<f.exponent - 1) << (f.fraction + f.skip) }

// class is what kind of number a code is.
type class int

const (
	number class = iota
	infinite
	nan
)

// float is a decoded code: ±m·2^(e-fraction of its format). A subnormal number
// has the exponent of the smallest normal one, and so has zero.
type float struct {
	class    class
	negative bool
	m        uint64
	e        int
}

func (f format) decode(code uint32) float {
	v := code >> f.skip
	top := uint32(1)<<f.exponent - 1
	x := float{negative: code&f.signBit() != 0, m: uint64(v & (1<<f.fraction - 1))}
	e := v >> f.fraction & top
	switch {
	case f.finite && e == top && x.m == 1<<f.fraction-1, !f.finite && e == top && x.m != 0:
		x.class = nan
	case !f.finite && e == top:
		x.class = infinite
	case e == 0:
		x.e = f.emin()
	default:
		x.m |= 1 << f.fraction
		x.e = int(e) - f.bias()
	}
	return x
}

// value is the number that a code stands for.
func (f format) value(code uint32) float64 {
	x := f.decode(code)
	v := math.Ldexp(float64(x.m), x.e-f.fraction)
	switch x.class {
	case infinite:
		v = math.Inf(1)
	case nan:
		return math.NaN()
	}
	if x.negative {
		v = -v
	}
	return v
}

// code is the code of a number that the format holds exactly; ok says that it
// does.
func (f format) code(v float64) (code uint32, ok bool) {
	if math.Signbit(v) {
		code, v = f.signBit(), -v
	}
	if v == 0 {
		return code, true
	}
	_, e := math.Frexp(v)
	e = max(e-1, f.emin())
	m := math.Ldexp(v, f.fraction-e)
	if m != math.Trunc(m) || e > f.emax() {
		return 0, false
	}
	n := uint32(m)
	if n >= 1<<f.fraction {
		n += uint32(e+f.bias()-1) << f.fraction
	}
	if f.finite && n<<f.skip > f.largest() {
		return 0, false
	}
	return code | n<<f.skip, true
}

// assemble brings ±m·2^scale to the format, with keep bits of fraction at most:
// cut toward zero, or rounded to nearest even.
func (f format) assemble(negative bool, m uint64, scale, keep int, nearest bool) uint32 {
	var sign uint32
	if negative {
		sign = f.signBit()
	}
	if m == 0 {
		return sign
	}
	e := bits.Len64(m) - 1 + scale // of the leading bit
	unit := max(e, f.emin()) - keep
	var n uint64
	if shift := unit - scale; shift <= 0 {
		n = m << -shift
	} else if shift > 63 {
		n = 0
	} else {
		n = m >> shift
		rest, half := m&(1<<shift-1), uint64(1)<<(shift-1)
		if nearest && (rest > half || rest == half && n&1 != 0) {
			n++
		}
	}
	n <<= f.fraction - keep
	e = max(e, f.emin())
	if n >= 1<<f.fraction {
		n += uint64(e+f.bias()-1) << f.fraction
	}
	if n >= uint64(f.infinity()) {
		n = uint64(f.infinity())
	}
	return sign | uint32(n)
}

// to is the code of the same number in another format, which holds it.
func (f format) to(g format, code uint32) uint32 {
	x := f.decode(code)
	switch x.class {
	case infinite:
		return code>>(f.width()-1)<<(g.width()-1) | g.infinity()
	case nan:
		return g.signBit() - 1
	}
	v, _ := g.code(f.value(code))
	return v
}
