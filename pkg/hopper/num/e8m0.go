package num

import "math"

// E8M0 is a code of the scale format of MXFP8: 2^(code-127), never zero or
// negative; 0xFF is NaN. Hopper has no instruction for it (its conversions in
// PTX need sm_100a), so here it serves the recipes.
type E8M0 uint8

// Properties of E8M0.
const (
	MaxE8M0 = 0x1p127
	MinE8M0 = 0x1p-127
)

// Float32 is the value of x, exactly; 2^-127 is a subnormal float32.
func (x E8M0) Float32() float32 {
	switch x {
	case 0:
		return MinE8M0
	case 0xFF:
		return math.Float32frombits(0x7FFFFFFF)
	}
	return math.Float32frombits(uint32(x) << 23)
}

// E8M0Up is the least power of two that is not below |f|, saturated to the
// range of the format: the rounding .rp, which keeps scaled data from
// overflowing. NaN gives NaN.
func E8M0Up(f float32) E8M0 {
	x := E8M0Down(f)
	if x < 0xFE && x.Float32() < float32(math.Abs(float64(f))) {
		x++
	}
	return x
}

// E8M0Down is the largest power of two that is not above |f|, saturated to the
// range of the format: the rounding .rz. NaN gives NaN.
func E8M0Down(f float32) E8M0 {
	if f != f {
		return 0xFF
	}
	// The exponent field is the code. It is 0 for subnormals too, which
	// lie between 2^-127 and 2^-126 or saturate up to 2^-127.
	return E8M0(min(math.Float32bits(f)>>23&0xFF, 0xFE))
}
