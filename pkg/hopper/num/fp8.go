package num

import "math"

// E4M3 is a code of the FP8 format with 4 exponent and 3 fraction bits: no
// infinity, NaN only 0x7F and 0xFF.
type E4M3 uint8

// E5M2 is a code of the FP8 format with 5 exponent and 2 fraction bits, the
// upper half of an F16: infinities 0x7C and 0xFC, NaN 0x7D to 0x7F and 0xFD to
// 0xFF.
type E5M2 uint8

// Properties of E4M3 and E5M2.
const (
	MaxE4M3          = 448.0
	MinNormalE4M3    = 0x1p-6
	MinSubnormalE4M3 = 0x1p-9
	EpsilonE4M3      = 0x1p-3

	MaxE5M2          = 57344.0
	MinNormalE5M2    = 0x1p-14
	MinSubnormalE5M2 = 0x1p-16
	EpsilonE5M2      = 0x1p-2
)

// Float32 is the value of x, exactly.
func (x E4M3) Float32() float32 {
	if x&0x7F == 0x7F {
		return math.Float32frombits(0x7FFFFFFF)
	}
	// As for F16: move the fields, then correct the bias.
	return math.Float32frombits(uint32(int32(int8(x)))<<20&0x87F00000) * 0x1p120
}

// Float32 is the value of x, exactly.
func (x E5M2) Float32() float32 { return F16(uint16(x) << 8).Float32() }

// F16 is the value of x, exactly, PTX cvt.rn.f16x2.e4m3x2.
func (x E4M3) F16() F16 { return F16FromFloat32(x.Float32()) }

// F16 is the value of x, exactly, PTX cvt.rn.f16x2.e5m2x2.
func (x E5M2) F16() F16 { return F16FromFloat32(x.Float32()) }

// E4M3FromFloat32 rounds f to nearest even and saturates: beyond 448 and at
// infinity the result is 448 with f's sign. It is one half of PTX
// cvt.rn.satfinite.e4m3x2.f32, which has no other mode.
func E4M3FromFloat32(f float32) E4M3 { return E4M3FromFloat64(float64(f)) }

// E4M3FromFloat64 rounds f once, as E4M3FromFloat32 does.
func E4M3FromFloat64(f float64) E4M3 { return E4M3(e4m3().nearest(f, true)) }

// E4M3NonSaturating rounds f to nearest even; what rounds beyond 448 is NaN.
// No PTX instruction does this, CUDA's header for FP8 offers it.
func E4M3NonSaturating(f float64) E4M3 { return E4M3(e4m3().nearest(f, false)) }

// E5M2FromFloat32 rounds f to nearest even and saturates at 57344, also at
// infinity: one half of PTX cvt.rn.satfinite.e5m2x2.f32.
func E5M2FromFloat32(f float32) E5M2 { return E5M2FromFloat64(float64(f)) }

// E5M2FromFloat64 rounds f once, as E5M2FromFloat32 does.
func E5M2FromFloat64(f float64) E5M2 { return E5M2(e5m2().nearest(f, true)) }

// E5M2NonSaturating rounds f to nearest even; what rounds beyond 57344 is
// infinite. No PTX instruction does this, CUDA's header for FP8 offers it.
func E5M2NonSaturating(f float64) E5M2 { return E5M2(e5m2().nearest(f, false)) }

// E4M3sToFloat32 converts the codes of src to dst, which must be as long.
func E4M3sToFloat32(dst []float32, src []uint8) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = E4M3(x).Float32()
	}
}

// E5M2sToFloat32 converts the codes of src to dst, which must be as long.
func E5M2sToFloat32(dst []float32, src []uint8) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = E5M2(x).Float32()
	}
}
