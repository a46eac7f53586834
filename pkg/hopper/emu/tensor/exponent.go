package tensor

import "math"

// exponent is that of an element whose type's smallest normal number has the
// exponent smallest.
func exponent(x float32, smallest int32) int32 {
	u := math.Float32bits(x) << 1
	switch e := int32(u >> 24); {
	case e == 255:
		return specialExponent
	case u == 0:
		return zeroExponent
	default:
		return max(e-127, smallest)
	}
}

func exponentsLeftPortable(to []exponents, a []Column, smallest int32) {
	for i := range a {
		for r, x := range a[i] {
			to[i][r] = int16(exponent(x, smallest))
		}
	}
}

func exponentsRightPortable(to []uint32, b []float32, smallest int32) {
	for i, x := range b {
		e := uint32(exponent(x, smallest))
		to[i] = e<<16 | e&0xffff
	}
}
