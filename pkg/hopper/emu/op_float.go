package emu

import (
	"math"

	"gohopper/pkg/hopper/ptx"
)

// floatForms is single-precision arithmetic that rounds correctly (PTX 9.7.3).
// A NaN result is the canonical 0x7fffffff, whatever NaN came in.
var floatForms = map[string][]form{
	"add":      {{"?rn|rz|rm|rp ?ftz ?sat f32", float2(addFloats, rounding.sum)}},
	"sub":      {{"?rn|rz|rm|rp ?ftz ?sat f32", float2(subFloats, rounding.difference)}},
	"mul":      {{"?rn|rz|rm|rp ?ftz ?sat f32", float2(mulFloats, rounding.product)}},
	"fma":      {{"rn|rz|rm|rp ?ftz ?sat f32", fusedFloat}},
	"mad":      {{"rn|rz|rm|rp ?ftz ?sat f32", fusedFloat}},
	"div":      {{"rn|rz|rm|rp ?ftz f32", float2(divFloats, rounding.quotient)}},
	"rcp":      {{"rn|rz|rm|rp ?ftz f32", float1(inverseFloat, rounding.inverse)}},
	"sqrt":     {{"rn|rz|rm|rp ?ftz f32", float1(sqrtFloat, rounding.root)}},
	"abs":      {{"?ftz f32", signFloat(func(a uint32) uint32 { return a &^ signBit })}},
	"neg":      {{"?ftz f32", signFloat(func(a uint32) uint32 { return a ^ signBit })}},
	"copysign": {{"f32", each2[uint32](func(a, b uint32) uint32 { return a&signBit | b&^signBit })}},
	"min":      {{"?ftz ?NaN f32", extremeFloat}, {"?ftz ?NaN xorsign abs f32", extremeFloat}},
	"max":      {{"?ftz ?NaN f32", extremeFloat}, {"?ftz ?NaN xorsign abs f32", extremeFloat}},
}

const (
	signBit = 1 << 31
	nan32   = 0x7fffffff
)

// floatMode is what the modifiers of an f32 instruction ask for.
type floatMode struct {
	round    rounding
	ftz, sat bool
}

func floatModeOf(in *ptx.Instr) floatMode {
	return floatMode{round: roundingOf(in), ftz: in.Has("ftz"), sat: in.Has("sat")}
}

// in reads an operand: .ftz takes a subnormal for a zero of its sign.
func (k floatMode) in(a uint32) float32 {
	if k.ftz && a&0x7f800000 == 0 {
		a &= signBit
	}
	return math.Float32frombits(a)
}

// decode reads the operands of a warp.
func (k floatMode) decode(x *floats32, a *row[uint32]) {
	_, _ = x[0], a[0]
	if !k.ftz {
		for i := range x {
			x[i] = math.Float32frombits(a[i])
		}
		return
	}
	for i := range x {
		x[i] = k.in(a[i])
	}
}

// canonical is the code of a result without modifiers.
func canonical(r float32) uint32 {
	if r != r {
		return nan32
	}
	return math.Float32bits(r)
}

// out makes the result: .ftz flushes a subnormal, .sat clamps to [0, 1] and
// turns NaN into +0.
func (k floatMode) out(r float32) uint32 {
	b := math.Float32bits(r)
	if r != r {
		b = nan32
	}
	if k.sat {
		b = saturate01(r)
	}
	if k.ftz && b&0x7f800000 == 0 {
		b &= signBit
	}
	return b
}

func saturate01(r float32) uint32 {
	switch {
	case r >= 1:
		return 0x3f800000
	case r > 0:
		return math.Float32bits(r)
	}
	return 0
}

// outOdd makes the result from one that was rounded to odd in 64 bits. What
// .ftz flushes it finds as an H200 does: by rounding to 24 bits as if there
// were smaller exponents.
func (k floatMode) outOdd(r float64) uint32 {
	const leastNormal, away = 0x1p-126, 0x1p64
	if k.ftz && r != 0 && math.Abs(r) < leastNormal {
		b := k.rounded(r * away)
		if math.Abs(float64(math.Float32frombits(b))) < leastNormal*away {
			return k.out(float32(math.Copysign(0, r)))
		}
	}
	return k.out(math.Float32frombits(k.rounded(r)))
}

// rounded rounds to 32 bits in the mode of the instruction.
func (k floatMode) rounded(r float64) uint32 {
	near := float32(r)
	return k.round.direct(math.Float32bits(near), float64(near), r)
}

// doubtful says that a result rounded to nearest may have been made the least
// normal number by rounding, where .ftz might flush it.
func (k floatMode) doubtful(b uint32) bool { return k.ftz && b&^signBit == 0x00800000 }

// float1 compiles d = f(a); odd is the same to odd, for the rounding modes
// other than rn.
func float1(f func(a float32) float32, odd func(r rounding, a float64) float64) family {
	return func(c *compiler, in *ptx.Instr) op {
		k := floatModeOf(in)
		return rows1(func(d, a *row[uint32]) {
			for i := range d {
				x := k.in(a[i])
				r := k.out(f(x))
				if odd != nil && (k.round != nearest || k.doubtful(r)) {
					r = k.outOdd(odd(k.round, float64(x)))
				}
				d[i] = r
			}
		})(c, in)
	}
}

// float2 compiles d = f(a, b) likewise; f works on rows.
func float2(f func(k floatMode, d, a, b *row[uint32]), odd func(r rounding, a, b float64) float64) family {
	return func(c *compiler, in *ptx.Instr) op {
		k := floatModeOf(in)
		if k.round == nearest && (!k.ftz || odd == nil) {
			return rows2(func(d, a, b *row[uint32]) { f(k, d, a, b) })(c, in)
		}
		return rows2(func(d, a, b *row[uint32]) {
			x, y := *a, *b // d may be one of them
			f(k, d, a, b)
			for i, r := range d {
				if k.round != nearest || k.doubtful(r) {
					d[i] = k.outOdd(odd(k.round, float64(k.in(x[i])), float64(k.in(y[i]))))
				}
			}
		})(c, in)
	}
}

func addFloats(k floatMode, d, a, b *row[uint32]) {
	_, _, _ = d[0], a[0], b[0]
	if k == (floatMode{}) {
		for i := range d {
			d[i] = canonical(math.Float32frombits(a[i]) + math.Float32frombits(b[i]))
		}
		return
	}
	for i := range d {
		d[i] = k.out(k.in(a[i]) + k.in(b[i]))
	}
}

func subFloats(k floatMode, d, a, b *row[uint32]) {
	_, _, _ = d[0], a[0], b[0]
	if k == (floatMode{}) {
		for i := range d {
			d[i] = canonical(math.Float32frombits(a[i]) - math.Float32frombits(b[i]))
		}
		return
	}
	for i := range d {
		d[i] = k.out(k.in(a[i]) - k.in(b[i]))
	}
}

func mulFloats(k floatMode, d, a, b *row[uint32]) {
	_, _, _ = d[0], a[0], b[0]
	if k == (floatMode{}) {
		for i := range d {
			d[i] = canonical(math.Float32frombits(a[i]) * math.Float32frombits(b[i]))
		}
		return
	}
	for i := range d {
		d[i] = k.out(k.in(a[i]) * k.in(b[i]))
	}
}

func divFloats(k floatMode, d, a, b *row[uint32]) {
	_, _, _ = d[0], a[0], b[0]
	for i := range d {
		d[i] = k.out(k.in(a[i]) / k.in(b[i]))
	}
}

func inverseFloat(a float32) float32 { return 1 / a }
func sqrtFloat(a float32) float32    { return float32(math.Sqrt(float64(a))) }

// fusedFloat compiles fma, and mad, which is the same since sm_20.
func fusedFloat(c *compiler, in *ptx.Instr) op {
	k := floatModeOf(in)
	return rows3(func(d, a, b, x *row[uint32]) { fusedFloats(k, d, a, b, x) })(c, in)
}

// fusedFloats is a*b + x rounded once. In 64 bits the product is exact, and the
// sum rounded to 64 and then to 32 bits is wrong only where the first rounding
// made it a tie of the second, or the result is subnormal.
func fusedFloats(k floatMode, d, a, b, x *row[uint32]) {
	_, _, _, _ = d[0], a[0], b[0], x[0]
	if k == (floatMode{}) {
		for i := range d {
			p, y := float64(math.Float32frombits(a[i]))*float64(math.Float32frombits(b[i])), float64(math.Float32frombits(x[i]))
			if s := p + y; roundsOnce(s) {
				d[i] = canonical(float32(s))
			} else {
				d[i] = k.outOdd(nearest.sum(p, y))
			}
		}
		return
	}
	for i := range d {
		p, y := float64(k.in(a[i]))*float64(k.in(b[i])), float64(k.in(x[i]))
		if s := p + y; k.round == nearest && roundsOnce(s) {
			d[i] = k.out(float32(s))
		} else {
			d[i] = k.outOdd(k.round.sum(p, y))
		}
	}
}

// roundsOnce says that a sum rounded to 64 bits may be rounded to 32.
func roundsOnce(s float64) bool {
	const dropped, leastNormal = 29, 1023 - 126
	u := math.Float64bits(s)
	return u<<(64-dropped) != 1<<63 && u>>52&0x7ff >= leastNormal
}

// signFloat compiles abs and neg.
func signFloat(f func(a uint32) uint32) family {
	return func(c *compiler, in *ptx.Instr) op {
		k := floatModeOf(in)
		return rows1(func(d, a *row[uint32]) {
			for i := range d {
				d[i] = k.out(math.Float32frombits(f(a[i])))
			}
		})(c, in)
	}
}

// extreme is min or max (PTX 9.7.3): -0 is less than +0. One NaN gives the
// other operand, with .NaN a NaN. With .xorsign.abs magnitudes are compared,
// and the result has the sign of the product.
type extreme struct{ max, nan, xorsign bool }

func extremeOf(in *ptx.Instr) extreme {
	return extreme{max: in.Op == "max", nan: in.Has("NaN"), xorsign: in.Has("xorsign")}
}

// of chooses between two values of any format, since float64 holds them all.
func (e extreme) of(a, b float64) float64 {
	negate := false
	if e.xorsign {
		negate = math.Signbit(a) != math.Signbit(b)
		a, b = math.Abs(a), math.Abs(b)
	}
	r := min(a, b)
	switch {
	case a != a && !e.nan:
		r = b
	case b != b && !e.nan:
		r = a
	case e.max:
		r = max(a, b)
	}
	if negate {
		return -r
	}
	return r
}

func extremeFloat(c *compiler, in *ptx.Instr) op {
	k, e := floatModeOf(in), extremeOf(in)
	return rows2(func(d, a, b *row[uint32]) {
		if e.xorsign {
			for i := range d {
				d[i] = k.out(float32(e.of(float64(k.in(a[i])), float64(k.in(b[i])))))
			}
			return
		}
		for i := range d {
			x, y := k.in(a[i]), k.in(b[i])
			r := min(x, y)
			if e.max {
				r = max(x, y)
			}
			if r != r && !e.nan {
				r = x
				if x != x {
					r = y
				}
			}
			d[i] = k.out(r)
		}
	})(c, in)
}
