package device

// EncodedMap is the opaque object that a tensor map becomes (PTX 5.5.8).
type EncodedMap [128]byte

// TensorMap has the arguments of cuTensorMapEncodeTiled, in its order. All
// lists are innermost dimension first.
type TensorMap struct {
	Type           MapType
	Address        Ptr      // of element (0, 0, …), 16-byte aligned
	Dims           []uint64 // elements, 1 to 5 of them
	Strides        []uint64 // bytes, one fewer than Dims: the innermost is dense
	Box            []uint32 // elements, each 1 to 256
	ElementStrides []uint32 // nil means all 1
	Interleave     Interleave
	Swizzle        Swizzle
	L2Promotion    L2Promotion
	Fill           Fill
}

// MapType is the element type of a tensor map; the values are the driver's
// CUtensorMapDataType.
type MapType int

// Element types of a tensor map.
const (
	MapU8 MapType = iota
	MapU16
	MapU32
	MapS32
	MapU64
	MapS64
	MapF16
	MapF32
	MapF64
	MapBF16
	MapF32FTZ
	MapTF32
	MapTF32FTZ
)

// Interleave is the driver's CUtensorMapInterleave.
type Interleave int

// Interleave layouts.
const (
	InterleaveNone Interleave = iota
	Interleave16B
	Interleave32B
)

// Swizzle is the driver's CUtensorMapSwizzle: which address bits of shared
// memory are exchanged as a box is written (PTX 5.5.7).
type Swizzle int

// Swizzle modes: the span in bytes over which 16-byte chunks are permuted.
const (
	SwizzleNone Swizzle = iota
	Swizzle32B
	Swizzle64B
	Swizzle128B
)

// L2Promotion is the driver's CUtensorMapL2promotion.
type L2Promotion int

// Granularities to which an L2 fetch is widened.
const (
	L2None L2Promotion = iota
	L264B
	L2128B
	L2256B
)

// Fill is the driver's CUtensorMapFloatOOBfill: what a load writes for
// elements outside the tensor.
type Fill int

// Fills for out-of-range elements.
const (
	FillZero Fill = iota
	FillNaN
)
