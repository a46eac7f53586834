//go:build !amd64

package tensor

func multiplyIntegers(d, a []Column, b Right) { multiplyIntegersPortable(d, a, b) }

func (q *rule) multiplyStrip(d, a []Column, ea []exponents, b Right, eb []uint32) {
	q.multiplyStripPortable(d, a, ea, b, eb)
}

func exponentsLeft(to []exponents, a []Column, smallest int32) {
	exponentsLeftPortable(to, a, smallest)
}

func exponentsRight(to []uint32, b []float32, smallest int32) {
	exponentsRightPortable(to, b, smallest)
}

func roundF16(d []Column) { roundF16Portable(d) }

func (t Type) widenChunks(to []float32, memory []byte, addresses []uint32) {
	t.widenChunksPortable(to, memory, addresses)
}

func spread(columns *[8]Column, odd, row int, reg *Register) {
	spreadPortable(columns, odd, row, reg)
}

func collect(reg *Register, columns *[8]Column, odd, row int) {
	collectPortable(reg, columns, odd, row)
}
