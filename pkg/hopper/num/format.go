package num

import (
	"fmt"
	"math"
)

// Format names a format that a matrix element may have.
type Format uint8

// The formats of matrix elements. F32 is a format of results only.
const (
	FormatF16 Format = iota + 1
	FormatBF16
	FormatF32
	FormatE4M3
	FormatE5M2
)

// ParseFormat reads a format's PTX name: f16, bf16, f32, e4m3 or e5m2.
func ParseFormat(name string) (Format, error) {
	for f := FormatF16; f <= FormatE5M2; f++ {
		if f.String() == name {
			return f, nil
		}
	}
	return 0, fmt.Errorf("unknown number format %q: write f16, bf16, f32, e4m3 or e5m2", name)
}

// String is the format's PTX name.
func (f Format) String() string {
	switch f {
	case FormatF16:
		return "f16"
	case FormatBF16:
		return "bf16"
	case FormatF32:
		return "f32"
	case FormatE4M3:
		return "e4m3"
	case FormatE5M2:
		return "e5m2"
	}
	return fmt.Sprintf("Format(%d)", uint8(f))
}

// Size is the number of bytes of one element; 0 for an unknown format.
func (f Format) Size() int { return f.layout().bits / 8 }

// Max is the largest finite value.
func (f Format) Max() float64 {
	l := f.layout()
	return l.value(l.max)
}

// MinNormal is the least positive normal value.
func (f Format) MinNormal() float64 { return math.Ldexp(1, f.layout().minExp()) }

// MinSubnormal is the least positive value.
func (f Format) MinSubnormal() float64 {
	l := f.layout()
	return math.Ldexp(1, l.minExp()-l.fraction)
}

// Epsilon is the distance from 1 to the next value.
func (f Format) Epsilon() float64 { return math.Ldexp(1, -f.layout().fraction) }

// ULP is the distance between the format's values around x: the weight of the
// last fraction bit in x's binade. Among the subnormals it is MinSubnormal;
// beyond Max it is that of the top binade. Half of it bounds the error of
// rounding x to the nearest value. ULP of a NaN is NaN.
func (f Format) ULP(x float64) float64 {
	if math.IsNaN(x) {
		return x
	}
	l := f.layout()
	exp := int(math.Float64bits(x)>>float64Fraction&0x7FF) - float64Bias
	exp = max(l.minExp(), min(exp, l.maxExp()))
	return math.Float64frombits(uint64(exp-l.fraction+float64Bias) << float64Fraction)
}

// Encode rounds v to the nearest value of f, ties to even. Overflow gives
// infinity, or NaN in e4m3, which has no infinity.
func (f Format) Encode(v float64) uint32 {
	if f == FormatF32 {
		return math.Float32bits(float32(v))
	}
	return f.layout().nearest(v, false)
}

// Decode is the value of a code. Bits above the format's width are ignored.
func (f Format) Decode(code uint32) float64 {
	switch f {
	case FormatF16:
		return float64(F16(code).Float32())
	case FormatBF16:
		return float64(BF16(code).Float32())
	case FormatF32:
		return float64(math.Float32frombits(code))
	case FormatE4M3:
		return float64(E4M3(code).Float32())
	case FormatE5M2:
		return float64(E5M2(code).Float32())
	}
	return math.NaN()
}
