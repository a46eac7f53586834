package emu

import (
	"math"
	"strings"

	"gohopper/pkg/hopper/num"
	"gohopper/pkg/hopper/ptx"
)

// halfForms is f16 and bf16 arithmetic, single and packed (PTX 9.7.4). It
// computes in float64, exactly or to odd, and rounds once. A NaN result is
// the canonical 0x7fff.
var halfForms = map[string][]form{
	"add": {{"?rn ?ftz ?sat f16|f16x2", half2(rounding.sum)}, {"?rn bf16|bf16x2", half2(rounding.sum)}},
	"sub": {{"?rn ?ftz ?sat f16|f16x2", half2(rounding.difference)}, {"?rn bf16|bf16x2", half2(rounding.difference)}},
	"mul": {{"?rn ?ftz ?sat f16|f16x2", half2(rounding.product)}, {"?rn bf16|bf16x2", half2(rounding.product)}},
	"fma": {
		{"rn ?ftz ?sat|relu f16|f16x2", half3(fusedHalf)},
		{"rn ?relu bf16|bf16x2", half3(fusedHalf)},
	},
	"neg":  {{"?ftz f16|f16x2", signHalf(func(a uint16) uint16 { return a ^ 0x8000 })}, {"bf16|bf16x2", signHalf(func(a uint16) uint16 { return a ^ 0x8000 })}},
	"abs":  {{"?ftz f16|f16x2", signHalf(func(a uint16) uint16 { return a &^ 0x8000 })}, {"bf16|bf16x2", signHalf(func(a uint16) uint16 { return a &^ 0x8000 })}},
	"min":  extremeHalf,
	"max":  extremeHalf,
	"tanh": {{"approx f16|f16x2|bf16|bf16x2", approxHalf(math.Tanh)}},
	"ex2":  {{"approx f16|f16x2", approxHalf(exp2)}, {"approx ftz bf16|bf16x2", approxHalf(exp2)}},
}

var extremeHalf = []form{
	{"?ftz ?NaN f16|f16x2", extremeHalves},
	{"?NaN bf16|bf16x2", extremeHalves},
	{"?ftz ?NaN xorsign abs f16|f16x2", extremeHalves},
	{"?NaN xorsign abs bf16|bf16x2", extremeHalves},
}

// halfMode is what the modifiers of an instruction on 16-bit floats ask for.
type halfMode struct {
	brain, packed  bool // bf16 rather than f16; two in a register
	ftz, sat, relu bool
}

func halfModeOf(in *ptx.Instr) halfMode {
	kind := in.Mods[len(in.Mods)-1]
	return halfMode{
		brain: strings.HasPrefix(kind, "bf16"), packed: strings.HasSuffix(kind, "x2"),
		ftz: in.Has("ftz"), sat: in.Has("sat"), relu: in.Has("relu"),
	}
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

// in reads an operand.
func (h halfMode) in(a uint16) float64 {
	if h.brain {
		return float64(num.BF16(h.flush(a)).Float32())
	}
	r := float64(num.F16(h.flush(a)).Float32())
	if a&0x8000 != 0 {
		return math.Copysign(r, -1) // of a NaN too: .xorsign looks at it
	}
	return r
}

// out rounds a result to nearest.
func (h halfMode) out(r float64) uint16 { return h.flush(h.encode(h.clamp(r))) }

// clamp replaces a negative value by +0 for .relu, and for .sat clamps to
// [0, 1] and turns NaN into +0.
func (h halfMode) clamp(r float64) float64 {
	if h.relu && r <= 0 {
		return 0
	}
	return clamp01(r, h.sat)
}

func (h halfMode) encode(r float64) uint16 {
	if h.brain {
		return uint16(num.BF16FromFloat64(r))
	}
	return uint16(num.F16FromFloat64(r))
}

// approxHalf compiles an approximation. An H200 makes it in float32 and cuts
// off the bits that do not fit; only a value past the format becomes infinite.
func approxHalf(f func(a float64) float64) family {
	return func(c *compiler, in *ptx.Instr) op {
		h := halfModeOf(in)
		return h.each1(func(a uint16) uint16 {
			r := float64(float32(f(h.in(a))))
			if !h.brain && r >= 0x1p16 {
				r = math.Inf(1)
			}
			return h.flush(h.round(r, toZero, false))
		})(c, in)
	}
}

// half2 and half3 compile a form from its function on one value.

func half2(f func(r rounding, a, b float64) float64) family {
	return func(c *compiler, in *ptx.Instr) op {
		h := halfModeOf(in)
		return h.each2(func(a, b uint16) uint16 { return h.out(f(nearest, h.in(a), h.in(b))) })(c, in)
	}
}

func half3(f func(a, b, x float64) float64) family {
	return func(c *compiler, in *ptx.Instr) op {
		h := halfModeOf(in)
		return h.each3(func(a, b, x uint16) uint16 { return h.out(f(h.in(a), h.in(b), h.in(x))) })(c, in)
	}
}

// each1, each2 and each3 apply f to a register, or to both its halves.
func (h halfMode) each1(f func(a uint16) uint16) family {
	if !h.packed {
		return each1[uint32](f)
	}
	return each1[uint32](func(a uint32) uint32 {
		return uint32(f(uint16(a>>16)))<<16 | uint32(f(uint16(a)))
	})
}

func (h halfMode) each2(f func(a, b uint16) uint16) family {
	if !h.packed {
		return each2[uint32](f)
	}
	return halves2(f)
}

func (h halfMode) each3(f func(a, b, x uint16) uint16) family {
	if !h.packed {
		return each3[uint32](f)
	}
	return each3[uint32](func(a, b, x uint32) uint32 {
		return uint32(f(uint16(a>>16), uint16(b>>16), uint16(x>>16)))<<16 | uint32(f(uint16(a), uint16(b), uint16(x)))
	})
}

// fusedHalf is a*b + x: the product is exact.
func fusedHalf(a, b, x float64) float64 { return nearest.sum(float64(a*b), x) }

// signHalf compiles neg and abs.
func signHalf(f func(a uint16) uint16) family {
	return func(c *compiler, in *ptx.Instr) op {
		h := halfModeOf(in)
		return h.each1(func(a uint16) uint16 { return h.out(h.in(f(a))) })(c, in)
	}
}

func extremeHalves(c *compiler, in *ptx.Instr) op {
	e := extremeOf(in)
	return half2(func(_ rounding, a, b float64) float64 { return e.of(a, b) })(c, in)
}
