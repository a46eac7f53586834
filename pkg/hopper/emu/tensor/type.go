package tensor

// Type is the type of a matrix's elements.
type Type uint8

// The types of operands, then those of D (PTX 9.7.15.3).
const (
	F16  Type = iota // A and B, and D
	BF16             // A and B
	TF32             // A and B: float32 bits of which the low 13 are ignored
	E4M3             // A and B
	E5M2             // A and B
	S8               // A and B
	U8               // A and B
	F32              // D
	S32              // D
)

// chunkBytes is the unit in which operands lie in memory and in registers: 16
// bytes of one row (K-major) or of one column (MN-major). Eight chunks are a
// core matrix (PTX 9.7.15.5.1), and eight K-major chunks are one register of
// a warp's 32 lanes.
const chunkBytes = 16

// Bytes is the size of an element.
func (t Type) Bytes() int {
	switch t {
	case TF32, F32, S32:
		return 4
	case F16, BF16:
		return 2
	}
	return 1
}

// PerChunk is the number of elements in 16 bytes.
func (t Type) PerChunk() int { return chunkBytes / t.Bytes() }
