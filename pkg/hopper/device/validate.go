package device

import (
	"errors"
	"fmt"
)

// Limits of a tensor map, from the driver API's page on cuTensorMapEncodeTiled
// and, where it is silent or says otherwise, from what driver 580 accepted on
// an H200 (marked "measured").
const (
	maxRank           = 5
	maxDim            = 1 << 32 // elements, inclusive
	maxStride         = 1 << 40 // bytes, exclusive
	maxAddress        = 1 << 57 // exclusive; measured
	maxBox            = 256     // elements along one dimension
	maxBoxBytes       = 228 << 10
	maxElementStride  = 8
	unit              = 16 // bytes: what the copy engine moves at once
	interleaved32Unit = 32 // bytes
)

// Validate reports the first rule of cuTensorMapEncodeTiled that t breaks, or
// nil. Every device calls it before it encodes, so a map that one device
// accepts is accepted by all.
//
// The rules:
//
//   - the enumerations hold declared values
//   - rank 1 to 5, at least 3 with interleave; lists of matching lengths
//   - the address is a multiple of 16 bytes (32 with 32-byte interleave) and
//     below 2^57
//   - sizes are 1 to 2^32 elements
//   - strides are multiples of 16 bytes (32 with 32-byte interleave) below
//     2^40. They need not grow, nor cover the dimension inside them: 0 repeats
//     a row (measured)
//   - a box has 1 to 256 elements along each dimension and 228 KiB in all
//     (measured), and its inner row is a multiple of 16 bytes, not longer than
//     the swizzle span where there is a swizzle and no interleave
//   - element strides are 1 to 8
//   - a NaN fill needs a floating-point type
func (t TensorMap) Validate() error {
	for _, rule := range [...]func() (broken string){
		t.checkEnums, t.checkLengths, t.checkAddress, t.checkDims, t.checkStrides,
		t.checkElementStrides, t.checkBox, t.checkBoxRow, t.checkFill,
	} {
		if broken := rule(); broken != "" {
			return errors.New("tensor map: " + broken)
		}
	}
	return nil
}

// A check returns what is wrong and what to do, or "".

func (t TensorMap) checkEnums() string {
	switch {
	case !t.Type.valid():
		return fmt.Sprintf("%v is no element type; use one of MapU8 to MapTF32FTZ", t.Type)
	case t.Interleave < InterleaveNone || t.Interleave > Interleave32B:
		return fmt.Sprintf("%v is no interleave; use InterleaveNone, Interleave16B or Interleave32B", t.Interleave)
	case t.Swizzle < SwizzleNone || t.Swizzle > Swizzle128B:
		return fmt.Sprintf("%v is no swizzle; use SwizzleNone, Swizzle32B, Swizzle64B or Swizzle128B", t.Swizzle)
	case t.L2Promotion < L2None || t.L2Promotion > L2256B:
		return fmt.Sprintf("L2Promotion(%d) is no promotion; use L2None, L264B, L2128B or L2256B", int(t.L2Promotion))
	case t.Fill < FillZero || t.Fill > FillNaN:
		return fmt.Sprintf("Fill(%d) is no fill; use FillZero or FillNaN", int(t.Fill))
	}
	return ""
}

func (t TensorMap) checkLengths() string {
	rank := len(t.Dims)
	switch {
	case rank < 1 || rank > maxRank:
		return fmt.Sprintf("Dims has %d entries; a tensor has 1 to %d dimensions, so fold or split some", rank, maxRank)
	case t.Interleave != InterleaveNone && rank < 3:
		return fmt.Sprintf("%v with rank %d; interleaved tensors have rank 3 to 5, so use InterleaveNone", t.Interleave, rank)
	case len(t.Strides) != rank-1:
		return fmt.Sprintf("Strides has %d entries for rank %d; give %d, in bytes: the innermost dimension is dense and has none",
			len(t.Strides), rank, rank-1)
	case len(t.Box) != rank:
		return fmt.Sprintf("Box has %d entries for rank %d; give one per dimension, innermost first", len(t.Box), rank)
	case t.ElementStrides != nil && len(t.ElementStrides) != rank:
		return fmt.Sprintf("ElementStrides has %d entries for rank %d; give one per dimension, or nil for all 1",
			len(t.ElementStrides), rank)
	}
	return ""
}

// granule is the alignment of addresses and strides in bytes.
func (t TensorMap) granule() uint64 {
	if t.Interleave == Interleave32B {
		return interleaved32Unit
	}
	return unit
}

func (t TensorMap) checkAddress() string {
	switch g := t.granule(); {
	case uint64(t.Address)%g != 0:
		return fmt.Sprintf("address %#x is not a multiple of %d bytes (%v); start the tensor at an aligned address",
			uint64(t.Address), g, t.Interleave)
	case t.Address >= maxAddress:
		return fmt.Sprintf("address %#x is not below 2^57; pass a device address", uint64(t.Address))
	}
	return ""
}

func (t TensorMap) checkDims() string {
	for i, d := range t.Dims {
		if d < 1 || d > maxDim {
			return fmt.Sprintf("Dims[%d] is %d; a dimension has 1 to 2^32 elements", i, d)
		}
	}
	return ""
}

func (t TensorMap) checkStrides() string {
	g, size := t.granule(), uint64(t.Type.Bytes())
	for i, s := range t.Strides {
		switch {
		case s%g != 0 && i == 0 && s == t.Dims[0]*size && g == unit:
			return fmt.Sprintf("row stride is %d·K = %d bytes; TMA strides are multiples of %d bytes, so K must be a multiple of %d",
				size, s, g, g/size)
		case s%g != 0:
			return fmt.Sprintf("Strides[%d] is %d bytes; TMA strides are multiples of %d bytes (%v), so pad the dimension inside it",
				i, s, g, t.Interleave)
		case s >= maxStride:
			return fmt.Sprintf("Strides[%d] is %d bytes; TMA strides are below 2^40 bytes", i, s)
		}
	}
	return ""
}

func (t TensorMap) checkElementStrides() string {
	for i, s := range t.ElementStrides {
		if s < 1 || s > maxElementStride {
			return fmt.Sprintf("ElementStrides[%d] is %d; an element stride is 1 to %d, and 1 takes every element", i, s, maxElementStride)
		}
	}
	return ""
}

func (t TensorMap) checkBox() string {
	bytes := t.Type.Bytes()
	for i, b := range t.Box {
		if b < 1 || b > maxBox {
			return fmt.Sprintf("Box[%d] is %d; a box has 1 to %d elements along a dimension, so copy a larger tile as several boxes", i, b, maxBox)
		}
		bytes *= t.boxCount(i)
	}
	if bytes > maxBoxBytes {
		return fmt.Sprintf("the box has %d bytes; the most is %d, so copy it as several boxes", bytes, maxBoxBytes)
	}
	return ""
}

// boxCount is how many elements of dimension i a copy moves: all of the box's,
// or every ElementStrides[i]-th. Without interleave the engine has no element
// stride along the innermost dimension.
func (t TensorMap) boxCount(i int) int {
	n, step := int(t.Box[i]), 1
	if t.ElementStrides != nil && (i > 0 || t.Interleave != InterleaveNone) {
		step = int(t.ElementStrides[i])
	}
	return (n + step - 1) / step
}

func (t TensorMap) checkBoxRow() string {
	size := t.Type.Bytes()
	row, span := int(t.Box[0])*size, t.Swizzle.Span()
	switch {
	case row%unit != 0:
		return fmt.Sprintf("the box's inner row is %d x %d = %d bytes; it must be a multiple of %d bytes, so make Box[0] a multiple of %d",
			t.Box[0], size, row, unit, unit/size)
	case span > 0 && t.Interleave == InterleaveNone && row > span:
		return fmt.Sprintf("the box's inner row is %d x %d = %d bytes; a %v allows %d, so make Box[0] at most %d and copy the tile as several boxes",
			t.Box[0], size, row, t.Swizzle, span, span/size)
	}
	return ""
}

func (t TensorMap) checkFill() string {
	if t.Fill == FillNaN && !t.Type.Float() {
		return fmt.Sprintf("FillNaN with elements of type %v; a NaN fill needs a floating-point type, so use FillZero", t.Type)
	}
	return ""
}
