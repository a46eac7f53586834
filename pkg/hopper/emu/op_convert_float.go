package emu

import (
	"math"

	"gohopper/pkg/hopper/num"
	"gohopper/pkg/hopper/ptx"
)

// floatIn reads a float of a type; .ftz is for f32 alone.
func floatIn(kind string, in *ptx.Instr) func(a uint64) float64 {
	switch kind {
	case "f16":
		return func(a uint64) float64 { return float64(num.F16(a).Float32()) }
	case "bf16":
		return func(a uint64) float64 { return float64(num.BF16(a).Float32()) }
	case "f32":
		k := floatMode{ftz: in.Has("ftz")}
		return func(a uint64) float64 { return float64(k.in(uint32(a))) }
	}
	return double
}

// floatOut writes a float of a type, rounded in the mode of the instruction
// from an exact value, or to any type but f64 from one to odd.
func floatOut(kind string, in *ptx.Instr) func(r float64) uint64 {
	switch kind {
	case "f16", "bf16":
		h := halfMode{brain: kind == "bf16", sat: in.Has("sat"), relu: in.Has("relu")}
		round, finite := roundingOf(in), in.Has("satfinite")
		return func(r float64) uint64 { return uint64(h.round(h.clamp(r), round, finite)) }
	case "f32":
		k := floatModeOf(in)
		return func(r float64) uint64 { return uint64(k.outOdd(r)) }
	}
	sat := in.Has("sat")
	return func(r float64) uint64 { return bits64(clamp01(r, sat)) }
}

// round encodes r in a rounding mode. With finite the largest value stands
// for what overflows.
func (h halfMode) round(r float64, mode rounding, finite bool) uint16 {
	code := h.encode(r)
	code = uint16(mode.direct(uint32(code), h.in(code), r))
	infinity := uint16(0x7c00)
	if h.brain {
		infinity = 0x7f80
	}
	if finite && code&0x7fff == infinity {
		code--
	}
	return code
}

// clamp01 is .sat: to [0, 1], and NaN to +0.
func clamp01(r float64, sat bool) float64 {
	switch {
	case sat && !(r > 0):
		return 0
	case sat && r > 1:
		return 1
	}
	return r
}

// convertTF32 rounds to a float32 of 10 fraction bits.
func convertTF32(c *compiler, in *ptx.Instr) op {
	round := map[string]func(float32) float32{
		"rna": num.TF32NearestAway, "rn": num.TF32Nearest, "rz": num.TF32Truncate,
	}[in.Mods[0]]
	relu, finite := in.Has("relu"), in.Has("satfinite")
	const largest = 0x7f7fe000
	return rows1(func(d, a *row[uint32]) {
		for i := range d {
			r := math.Float32bits(round(math.Float32frombits(a[i])))
			switch {
			case relu && r&signBit != 0:
				r = 0
			case finite && r&^signBit == 0x7f800000:
				r = r&signBit | largest
			}
			d[i] = r
		}
	})(c, in)
}
