package num

import "math"

// F16 is a code of IEEE 754 binary16.
type F16 uint16

// Properties of F16.
const (
	MaxF16          = 65504.0
	MinNormalF16    = 0x1p-14
	MinSubnormalF16 = 0x1p-24
	EpsilonF16      = 0x1p-10
)

// Float32 is the value of h, exactly.
func (h F16) Float32() float32 {
	if h&0x7C00 == 0x7C00 {
		return h.notFinite()
	}
	// The fields move to their places in a float32; the multiplication corrects
	// the bias of the exponent, of subnormals as well, and is exact.
	return math.Float32frombits(uint32(int32(int16(h)))<<13&0x8FFFE000) * 0x1p112
}

func (h F16) notFinite() float32 {
	if h&0x03FF != 0 {
		return math.Float32frombits(0x7FFFFFFF)
	}
	return math.Float32frombits(uint32(h)<<16 | 0x7F800000)
}

// F16FromFloat32 rounds f to nearest even, PTX cvt.rn.f16.f32.
func F16FromFloat32(f float32) F16 {
	if f != f {
		return 0x7FFF
	}
	b := math.Float32bits(f)
	abs := min(b&0x7FFFFFFF, 0x47800000) // from 2^16 on all is infinite
	if abs < 0x38800000 {                // below 2^-14
		// The last fraction bit of 0.5 weighs one least subnormal, so the
		// hardware's own addition rounds to it.
		abs = math.Float32bits(math.Float32frombits(abs)+0.5) - 0x3F000000
	} else {
		// A carry out of the fraction goes into the exponent, up to infinity.
		abs = (abs - (127-15)<<23 + 0x0FFF + abs>>13&1) >> 13
	}
	return F16(b>>16&0x8000 | abs)
}

// F16FromFloat64 rounds f to nearest even, once, PTX cvt.rn.f16.f64.
func F16FromFloat64(f float64) F16 { return F16(f16().nearest(f, false)) }

// F16Truncate rounds f towards zero, PTX cvt.rz.f16.f32: a finite f never
// becomes infinite.
func F16Truncate(f float32) F16 { return F16(f16().truncate(float64(f))) }

// F16sToFloat32 converts the codes of src to dst, which must be as long.
func F16sToFloat32(dst []float32, src []uint16) {
	dst = dst[:len(src)]
	for i, h := range src {
		dst[i] = F16(h).Float32()
	}
}

// Float32sToF16 rounds src to nearest even into dst, which must be as long.
func Float32sToF16(dst []uint16, src []float32) {
	dst = dst[:len(src)]
	for i, f := range src {
		dst[i] = uint16(F16FromFloat32(f))
	}
}
