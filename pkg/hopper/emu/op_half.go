package emu

import (
	"math"
	"strings"

	"gohopper/pkg/hopper/num"
	"gohopper/pkg/hopper/ptx"
)

// halfForms is f16 and bf16 arithmetic, single and packed (PTX 9.7.4). It
// computes in float32, which has more than twice the bits, so that rounding a
// sum or a product again changes nothing; fma goes by way of a float32 to odd.
// A NaN result is the canonical 0x7fff.
var halfForms = map[string][]form{
	"add": {{"?rn ?ftz ?sat f16|f16x2", half2(addHalves)}, {"?rn bf16|bf16x2", half2(addHalves)}},
	"sub": {{"?rn ?ftz ?sat f16|f16x2", half2(subHalves)}, {"?rn bf16|bf16x2", half2(subHalves)}},
	"mul": {{"?rn ?ftz ?sat f16|f16x2", half2(mulHalves)}, {"?rn bf16|bf16x2", half2(mulHalves)}},
	"fma": {
		{"rn ?ftz ?sat|relu f16|f16x2", fusedHalf},
		{"rn ?relu bf16|bf16x2", fusedHalf},
	},
	"neg":  {{"?ftz f16|f16x2", half1(negative32)}, {"bf16|bf16x2", half1(negative32)}},
	"abs":  {{"?ftz f16|f16x2", half1(magnitude32)}, {"bf16|bf16x2", half1(magnitude32)}},
	"min":  extremeHalf,
	"max":  extremeHalf,
	"tanh": {{"approx f16|f16x2|bf16|bf16x2", half1(approximate(math.Tanh))}},
	"ex2":  {{"approx f16|f16x2", half1(approximate(exp2))}, {"approx ftz bf16|bf16x2", half1(approximate(exp2))}},
}

var extremeHalf = []form{
	{"?ftz ?NaN f16|f16x2", extremeHalves},
	{"?NaN bf16|bf16x2", extremeHalves},
	{"?ftz ?NaN xorsign abs f16|f16x2", extremeHalves},
	{"?NaN xorsign abs bf16|bf16x2", extremeHalves},
}

// halfMode is what the modifiers of an instruction on 16-bit floats ask for.
type halfMode struct {
	brain          bool // bf16 rather than f16
	width          int  // of the operands: 16, or 32 for a pair
	ftz, sat, relu bool
	cut            bool // an approximation: see encode
}

func halfModeOf(in *ptx.Instr) halfMode {
	kind := in.Mods[len(in.Mods)-1]
	h := halfMode{
		brain: strings.HasPrefix(kind, "bf16"), width: 16,
		ftz: in.Has("ftz"), sat: in.Has("sat"), relu: in.Has("relu"), cut: in.Has("approx"),
	}
	if strings.HasSuffix(kind, "x2") {
		h.width = 32
	}
	return h
}

// flush takes a subnormal for a zero of its sign.
func (h halfMode) flush(a uint16) uint16 {
	exponent := uint16(0x7c00)
	if h.brain {
		exponent = 0x7f80
	}
	if h.ftz && a&exponent == 0 {
		a &= 0x8000
	}
	return a
}

// floats32 is a row of values in float32.
type floats32 = [lanes]float32

// decode reads the 16 bits from shift up. A NaN keeps its sign: .xorsign
// looks at it.
func (h halfMode) decode(x *floats32, a *row[uint32], shift int) {
	if h.brain {
		for i := range x {
			x[i] = num.BF16(h.flush(uint16(a[i] >> shift))).Float32()
		}
		return
	}
	for i := range x {
		code := h.flush(uint16(a[i] >> shift))
		v := num.F16(code).Float32()
		if v != v {
			v = math.Float32frombits(uint32(code)<<16 | 0x7fc00000)
		}
		x[i] = v
	}
}

// encode rounds to the 16 bits from shift up, over zeros. An H200 makes an
// approximation in float32 and cuts off the bits that do not fit; only a value
// past the format becomes infinite.
func (h halfMode) encode(d *row[uint32], r *floats32, shift int) {
	_, _ = d[0], r[0]
	for i := range d {
		v := r[i]
		if h.sat || h.relu {
			v = float32(h.clamp(float64(v)))
		}
		var code uint16
		switch {
		case h.brain && h.cut:
			code = uint16(num.BF16Truncate(v))
		case h.brain:
			code = uint16(num.BF16FromFloat32(v))
		case h.cut && v < 0x1p16:
			code = uint16(num.F16Truncate(v))
		default:
			code = uint16(num.F16FromFloat32(v))
		}
		d[i] |= uint32(h.flush(code)) << shift
	}
}

// clamp replaces a negative value by +0 for .relu, and for .sat clamps to
// [0, 1] and turns NaN into +0.
func (h halfMode) clamp(r float64) float64 {
	if h.relu && r <= 0 {
		return 0
	}
	return clamp01(r, h.sat)
}

// half1 and half2 compile a form from its function on rows of values.
func half1(f func(r, x *floats32)) family {
	return func(c *compiler, in *ptx.Instr) op {
		h := halfModeOf(in)
		return rows1(func(d, a *row[uint32]) {
			var r, x floats32
			var t row[uint32]
			for shift := 0; shift < h.width; shift += 16 {
				h.decode(&x, a, shift)
				f(&r, &x)
				h.encode(&t, &r, shift)
			}
			*d = t
		})(c, in)
	}
}

func half2(f func(r, x, y *floats32)) family {
	return func(c *compiler, in *ptx.Instr) op {
		h := halfModeOf(in)
		return rows2(func(d, a, b *row[uint32]) {
			var r, x, y floats32
			var t row[uint32]
			for shift := 0; shift < h.width; shift += 16 {
				h.decode(&x, a, shift)
				h.decode(&y, b, shift)
				f(&r, &x, &y)
				h.encode(&t, &r, shift)
			}
			*d = t
		})(c, in)
	}
}

// fusedHalf compiles fma.
func fusedHalf(c *compiler, in *ptx.Instr) op {
	h := halfModeOf(in)
	return rows3(func(d, a, b, e *row[uint32]) {
		var r, x, y, z floats32
		var t row[uint32]
		for shift := 0; shift < h.width; shift += 16 {
			h.decode(&x, a, shift)
			h.decode(&y, b, shift)
			h.decode(&z, e, shift)
			for i := range r { // the product is exact in float64
				r[i] = toOdd32(nearest.sum(float64(x[i])*float64(y[i]), float64(z[i])))
			}
			h.encode(&t, &r, shift)
		}
		*d = t
	})(c, in)
}

func addHalves(r, x, y *floats32) {
	_, _, _ = r[0], x[0], y[0]
	for i := range r {
		r[i] = x[i] + y[i]
	}
}

func subHalves(r, x, y *floats32) {
	_, _, _ = r[0], x[0], y[0]
	for i := range r {
		r[i] = x[i] - y[i]
	}
}

func mulHalves(r, x, y *floats32) {
	_, _, _ = r[0], x[0], y[0]
	for i := range r {
		r[i] = x[i] * y[i]
	}
}

func negative32(r, x *floats32) {
	_, _ = r[0], x[0]
	for i := range r {
		r[i] = -x[i]
	}
}

func magnitude32(r, x *floats32) {
	_, _ = r[0], x[0]
	for i := range r {
		r[i] = math.Float32frombits(math.Float32bits(x[i]) &^ signBit)
	}
}

func approximate(f func(a float64) float64) func(r, x *floats32) {
	return func(r, x *floats32) {
		for i := range r {
			r[i] = float32(f(float64(x[i])))
		}
	}
}

func extremeHalves(c *compiler, in *ptx.Instr) op {
	e := extremeOf(in)
	return half2(func(r, x, y *floats32) {
		for i := range r {
			r[i] = float32(e.of(float64(x[i]), float64(y[i])))
		}
	})(c, in)
}
