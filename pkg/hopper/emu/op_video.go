package emu

// videoForms are the packed differences, the only video instructions (PTX
// 9.7.17) that Hopper's compilers still make: of __vabsdiffu4, __vsadu4 and
// their like for halves. Without .add the third source is not used.
var videoForms = map[string][]form{
	"vabsdiff4": {
		{"u32 u32 u32", each3[uint32](func(a, b, _ uint32) uint32 { return differences(a, b, 8) })},
		{"u32 u32 u32 add", each3[uint32](func(a, b, c uint32) uint32 { return c + sumOf(differences(a, b, 8), 8) })},
	},
	"vabsdiff2": {
		{"u32 u32 u32", each3[uint32](func(a, b, _ uint32) uint32 { return differences(a, b, 16) })},
		{"u32 u32 u32 add", each3[uint32](func(a, b, c uint32) uint32 { return c + sumOf(differences(a, b, 16), 16) })},
	},
}

// differences is |a-b| of the unsigned parts of two words, each of so many bits.
func differences(a, b uint32, bits int) (d uint32) {
	part := uint32(1)<<bits - 1
	for i := 0; i < 32; i += bits {
		x, y := a>>i&part, b>>i&part
		d |= (max(x, y) - min(x, y)) << i
	}
	return d
}

// sumOf adds the parts of a word.
func sumOf(a uint32, bits int) (sum uint32) {
	for ; a != 0; a >>= bits {
		sum += a & (1<<bits - 1)
	}
	return sum
}
