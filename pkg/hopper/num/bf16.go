package num

import "math"

// BF16 is a code of bfloat16: the upper half of a float32.
type BF16 uint16

// Properties of BF16.
const (
	MaxBF16          = 0x1.FEp127
	MinNormalBF16    = 0x1p-126
	MinSubnormalBF16 = 0x1p-133
	EpsilonBF16      = 0x1p-7
)

// Float32 is the value of h, exactly. A NaN keeps its payload, since the
// conversion is a shift on the hardware too.
func (h BF16) Float32() float32 { return math.Float32frombits(uint32(h) << 16) }

// BF16FromFloat32 rounds f to nearest even, PTX cvt.rn.bf16.f32.
func BF16FromFloat32(f float32) BF16 {
	b := math.Float32bits(f)
	if b&0x7FFFFFFF > 0x7F800000 {
		return 0x7FFF
	}
	return BF16((b + 0x7FFF + b>>16&1) >> 16)
}

// BF16FromFloat64 rounds f to nearest even, once.
func BF16FromFloat64(f float64) BF16 { return BF16(bf16().nearest(f, false)) }

// BF16Truncate rounds f towards zero, PTX cvt.rz.bf16.f32.
func BF16Truncate(f float32) BF16 {
	if f != f {
		return 0x7FFF
	}
	return BF16(math.Float32bits(f) >> 16)
}

// BF16sToFloat32 converts the codes of src to dst, which must be as long.
func BF16sToFloat32(dst []float32, src []uint16) {
	dst = dst[:len(src)]
	for i, h := range src {
		dst[i] = BF16(h).Float32()
	}
}

// Float32sToBF16 rounds src to nearest even into dst, which must be as long.
func Float32sToBF16(dst []uint16, src []float32) {
	dst = dst[:len(src)]
	for i, f := range src {
		dst[i] = uint16(BF16FromFloat32(f))
	}
}
