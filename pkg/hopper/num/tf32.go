package num

import "math"

// A tf32 value is a float32 with 10 fraction bits: the lower 13 bits are
// ignored by the tensor cores. The three roundings keep infinities, may
// overflow to infinity except for truncation, and give the canonical NaN
// 0x7FFFFFFF.

const tf32Dropped = 13

// TF32Nearest rounds to nearest, ties to even, PTX cvt.rn.tf32.f32.
func TF32Nearest(f float32) float32 {
	b := math.Float32bits(f)
	return tf32(f, b+1<<(tf32Dropped-1)-1+b>>tf32Dropped&1)
}

// TF32NearestAway rounds to nearest, ties away from zero, PTX cvt.rna.tf32.f32.
func TF32NearestAway(f float32) float32 {
	return tf32(f, math.Float32bits(f)+1<<(tf32Dropped-1))
}

// TF32Truncate rounds towards zero, PTX cvt.rz.tf32.f32, and what a tensor
// core does with a float32 that nobody rounded.
func TF32Truncate(f float32) float32 { return tf32(f, math.Float32bits(f)) }

func tf32(f float32, rounded uint32) float32 {
	if f != f {
		return math.Float32frombits(0x7FFFFFFF)
	}
	return math.Float32frombits(rounded &^ (1<<tf32Dropped - 1))
}
