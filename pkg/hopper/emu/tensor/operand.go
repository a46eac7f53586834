package tensor

// Operand is the shape of a matrix that one wgmma instruction reads from
// shared memory: A is 64 rows (M), B is N rows, and every row takes 32 bytes
// of K.
type Operand struct {
	Type    Type
	Rows    int  // M or N, a multiple of 8
	MNMajor bool // consecutive bytes run along M or N, not along K; 16-bit types only
}

// stepBytes is what one wgmma takes of K.
const stepBytes = 32

// K is the number of elements along K: 8 of tf32, 16 of 16-bit types, 32 of
// 8-bit types.
func (o Operand) K() int { return stepBytes / o.Type.Bytes() }

// Chunks appends the shared memory addresses of the operand's 16-byte chunks,
// 2*Rows of them: by row, then k, if K-major; by k, then row, if MN-major. They
// are exactly the bytes that the instruction reads. An address may lie beyond
// the shared memory of any machine.
//
// With R the span of the swizzle mode and s the stride and l the leading byte
// offset, a chunk starts at the start address plus (PTX 9.7.15.5.1.2.1)
//
//	K-major, row r, chunk c:        r%8*R + r/8*s + c*16   (c*l without swizzle)
//	MN-major, rows 8j.., k:         k%8*R + k/8*s + j%(R/16)*16 + j/(R/16)*l
//	MN-major without swizzle:       k%8*16 + k/8*l + j*s
//
// and is then swizzled.
func (o Operand) Chunks(addresses []uint32, d Descriptor) []uint32 {
	swizzle := d.Swizzle()
	span, stride, leading := swizzle.Span(), d.Stride(), d.Leading()
	// The pattern's own address bits count from its start.
	shift := d.BaseOffset() << 7
	start := d.Start() - shift
	place := func(offset uint32) uint32 { return swizzle.Apply(start+offset) + shift }

	rows, k := uint32(o.Rows), uint32(o.K())
	switch {
	case !o.MNMajor:
		column := uint32(chunkBytes)
		if swizzle == NoSwizzle {
			column = leading
		}
		for r := range rows {
			offset := r%8*span + r/8*stride
			addresses = append(addresses, place(offset), place(offset+column))
		}
	case swizzle == NoSwizzle:
		for i := range k {
			for j := range rows / 8 {
				addresses = append(addresses, place(i%8*chunkBytes+i/8*leading+j*stride))
			}
		}
	default:
		perSlab := span / chunkBytes
		for i := range k {
			for j := range rows / 8 {
				addresses = append(addresses, place(i%8*span+i/8*stride+j%perSlab*chunkBytes+j/perSlab*leading))
			}
		}
	}
	return addresses
}
