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
		return func(r float64) uint64 { return uint64(roundHalf(h.brain, h.clamp(r), round, finite)) }
	case "f32":
		k := floatModeOf(in)
		return func(r float64) uint64 { return uint64(k.outOdd(r)) }
	}
	sat := in.Has("sat")
	return func(r float64) uint64 { return bits64(clamp01(r, sat)) }
}

// moveNaN changes the format of a NaN: the upper bits of the payload stay, and
// it becomes quiet.
func moveNaN(a uint64, from, to string) uint64 {
	fraction := map[string]int{"f16": 10, "bf16": 7, "f32": 23, "f64": 52}
	n, f := typeBits(ptx.Type(to)), fraction[to]
	sign := a >> (typeBits(ptx.Type(from)) - 1) & 1
	payload := a & lowBits(fraction[from]) << (52 - fraction[from]) >> (52 - f)
	return sign<<(n-1) | lowBits(n-1)&^lowBits(f) | 1<<(f-1) | payload
}

// roundHalf makes a bf16 or an f16 in a rounding mode. With finite the largest
// value stands for what overflows.
func roundHalf(brain bool, r float64, mode rounding, finite bool) uint16 {
	code, infinity := uint32(num.F16FromFloat64(r)), uint32(0x7c00)
	value := float64(num.F16(code).Float32())
	if brain {
		code, infinity = uint32(num.BF16FromFloat64(r)), 0x7f80
		value = float64(num.BF16(code).Float32())
	}
	code = mode.direct(code, value, r)
	if finite && code&0x7fff == infinity {
		code--
	}
	return uint16(code)
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

// convertTF32 rounds to a float32 of 10 fraction bits. The canonical NaN is
// 0x7fffe000; of .rna an H200 was seen to cut the payload instead, which can
// leave an infinity.
func convertTF32(c *compiler, in *ptx.Instr) op {
	round := map[string]func(float32) float32{
		"rna": num.TF32NearestAway, "rn": num.TF32Nearest, "rz": num.TF32Truncate,
	}[in.Mods[0]]
	away, relu, finite := in.Has("rna"), in.Has("relu"), in.Has("satfinite")
	const infinity, ulp = 0x7f800000, 1 << 13
	return rows1(func(d, a *row[uint32]) {
		for i := range d {
			x := math.Float32frombits(a[i])
			r := math.Float32bits(round(x)) &^ (ulp - 1)
			if away && x != x {
				r = a[i] &^ (ulp - 1)
			}
			if relu && r&signBit != 0 {
				r = 0
			}
			if finite && r&infinity == infinity {
				r -= ulp
			}
			d[i] = r
		}
	})(c, in)
}
