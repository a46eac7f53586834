//go:build !amd64

package tensor

func multiplyStrip(d, a []Column, b Right) { multiplyPortable(d, a, b) }

func (t Type) widenChunks(to []float32, memory []byte, addresses []uint32) {
	t.widenChunksPortable(to, memory, addresses)
}

func spread(columns *[8]Column, odd, row int, reg *Register) {
	spreadPortable(columns, odd, row, reg)
}

func collect(reg *Register, columns *[8]Column, odd, row int) {
	collectPortable(reg, columns, odd, row)
}
