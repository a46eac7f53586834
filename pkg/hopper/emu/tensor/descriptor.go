package tensor

// Descriptor is a wgmma matrix descriptor (PTX 9.7.15.5.1.2.2). Addresses and
// offsets are stored without their low 4 bits.
//
//	bits 0-13   start address
//	bits 16-29  leading byte offset
//	bits 32-45  stride byte offset
//	bits 49-51  base offset
//	bits 62-63  swizzle
type Descriptor uint64

// Start is the shared memory address of the operand's first element, in bytes.
func (d Descriptor) Start() uint32 { return uint32(d) & 0x3fff << 4 }

// Leading is the leading byte offset.
func (d Descriptor) Leading() uint32 { return uint32(d>>16) & 0x3fff << 4 }

// Stride is the stride byte offset.
func (d Descriptor) Stride() uint32 { return uint32(d>>32) & 0x3fff << 4 }

// BaseOffset counts the 128-byte lines by which the start of the swizzle
// pattern is off its natural boundary.
func (d Descriptor) BaseOffset() uint32 { return uint32(d>>49) & 7 }

// Swizzle is the arrangement of 16-byte chunks in shared memory.
func (d Descriptor) Swizzle() Swizzle { return Swizzle(d >> 62) }

// Swizzle is a swizzle mode in a descriptor's encoding.
type Swizzle uint8

// The swizzle modes: which address bits are changed by which.
const (
	NoSwizzle  Swizzle = iota
	Swizzle128         // bits 4-6 ^= bits 7-9
	Swizzle64          // bits 4-5 ^= bits 7-8
	Swizzle32          // bit 4 ^= bit 7
)

// Span is the number of consecutive bytes of a row that the mode keeps
// together: a row of its swizzle atom, or one chunk without swizzle.
func (s Swizzle) Span() uint32 { return [...]uint32{16, 128, 64, 32}[s&3] }

// Apply moves a byte address of the unswizzled layout to where the byte lies.
// The pattern follows the bits of the address itself, so an operand may start
// inside an atom.
func (s Swizzle) Apply(address uint32) uint32 {
	return address ^ address>>3&(s.Span()-chunkBytes)
}
