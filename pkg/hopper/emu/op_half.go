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
	"add":  {{"?rn ?ftz ?sat f16|f16x2", half}, {"?rn bf16|bf16x2", half}},
	"sub":  {{"?rn ?ftz ?sat f16|f16x2", half}, {"?rn bf16|bf16x2", half}},
	"mul":  {{"?rn ?ftz ?sat f16|f16x2", half}, {"?rn bf16|bf16x2", half}},
	"fma":  {{"rn ?ftz ?sat|relu f16|f16x2", half}, {"rn ?relu bf16|bf16x2", half}},
	"neg":  {{"?ftz f16|f16x2", half}, {"bf16|bf16x2", half}},
	"abs":  {{"?ftz f16|f16x2", half}, {"bf16|bf16x2", half}},
	"min":  extremeHalf,
	"max":  extremeHalf,
	"tanh": {{"approx f16|f16x2|bf16|bf16x2", half}},
	"ex2":  {{"approx f16|f16x2", half}, {"approx ftz bf16|bf16x2", half}},
}

var extremeHalf = []form{
	{"?ftz ?NaN f16|f16x2", half},
	{"?NaN bf16|bf16x2", half},
	{"?ftz ?NaN xorsign abs f16|f16x2", half},
	{"?NaN xorsign abs bf16|bf16x2", half},
}

// halfMode is what an instruction on 16-bit floats does.
type halfMode struct {
	op             string
	extreme        extreme
	brain          bool // bf16 rather than f16
	width          int  // of the operands: 16, or 32 for a pair
	ftz, sat, relu bool
	cut            bool // an approximation: see encode
}

func halfModeOf(in *ptx.Instr) halfMode {
	kind := in.Mods[len(in.Mods)-1]
	h := halfMode{
		op: in.Op, extreme: extremeOf(in), brain: strings.HasPrefix(kind, "bf16"), width: 16,
		ftz: in.Has("ftz"), sat: in.Has("sat"), relu: in.Has("relu"), cut: in.Has("approx"),
	}
	if strings.HasSuffix(kind, "x2") {
		h.width = 32
	}
	return h
}

// half compiles an instruction of one to three sources.
func half(c *compiler, in *ptx.Instr) op {
	h := halfModeOf(in)
	switch in.Op {
	case "neg", "abs", "tanh", "ex2":
		return rows1(func(d, a *row[uint32]) { h.run(d, a, nil, nil) })(c, in)
	case "fma":
		return rows3(h.run)(c, in)
	}
	return rows2(func(d, a, b *row[uint32]) { h.run(d, a, b, nil) })(c, in)
}

// run executes the instruction for the low and the high halves.
func (h halfMode) run(d, a, b, e *row[uint32]) {
	var t row[uint32]
	for shift := 0; shift < h.width; shift += 16 {
		var r, x, y, z floats32
		h.decode(&x, a, shift)
		if b != nil {
			h.decode(&y, b, shift)
		}
		if e != nil {
			h.decode(&z, e, shift)
		}
		h.compute(&r, &x, &y, &z)
		if h.ftz && (h.op == "mul" || h.op == "fma") {
			flushTiny(&r)
		}
		h.encode(&t, &r, shift)
	}
	*d = t
}

// flush takes a subnormal for a zero of its sign.
func (h halfMode) flush(a uint16) uint16 {
	switch {
	case !h.ftz:
	case h.brain && a&0x7f80 == 0, !h.brain && a&0x7c00 == 0:
		return a & 0x8000
	}
	return a
}

// flushTiny flushes what is below the least normal f16 when it is rounded to 11
// bits as if there were smaller exponents: so an H200 decides for .ftz. A sum
// has no bits to round there.
func flushTiny(r *floats32) {
	const leastNormal, away = 0x1p-14, 0x1p12
	for i, v := range r {
		if v > -leastNormal && v < leastNormal {
			if near := num.F16FromFloat32(v * away).Float32(); near > -leastNormal*away && near < leastNormal*away {
				r[i] = float32(math.Copysign(0, float64(v)))
			}
		}
	}
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

// compute is the instruction's function. The product of fma is exact in
// float64.
func (h halfMode) compute(r, x, y, z *floats32) {
	_, _, _, _ = r[0], x[0], y[0], z[0]
	switch h.op {
	case "add":
		for i := range r {
			r[i] = x[i] + y[i]
		}
	case "sub":
		for i := range r {
			r[i] = x[i] - y[i]
		}
	case "mul":
		for i := range r {
			r[i] = x[i] * y[i]
		}
	case "fma":
		for i := range r {
			r[i] = toOdd32(nearest.sum(float64(x[i])*float64(y[i]), float64(z[i])))
		}
	case "neg":
		for i := range r {
			r[i] = -x[i]
		}
	case "abs":
		for i := range r {
			r[i] = float32(math.Abs(float64(x[i])))
		}
	case "min", "max":
		for i := range r {
			r[i] = float32(h.extreme.of(float64(x[i]), float64(y[i])))
		}
	case "tanh":
		for i := range r {
			r[i] = float32(math.Tanh(float64(x[i])))
		}
	case "ex2":
		for i := range r {
			r[i] = float32(exp2(float64(x[i])))
		}
	default:
		panic("emulator: no half-precision " + h.op)
	}
}
