package tensor

// This file and the assembly beside it do the same as the portable functions,
// bit for bit, on processors that have AVX2.

// multiplyAVX2 is multiplyPortable for n columns, a multiple of 4, and k of at
// least 1: 16 rows by 4 columns at a time. Each element is multiplied, rounded
// and added in the same order, so the bits are the same.
//
//go:noescape
func multiplyAVX2(d, a *Column, b *float32, n, k, stepN, stepK int)

// widenF16AVX2 and widenBF16AVX2 convert n chunks; every address is at least
// 16 bytes before the end of memory.
//
//go:noescape
func widenF16AVX2(to *float32, memory *byte, addresses *uint32, n int)

//go:noescape
func widenBF16AVX2(to *float32, memory *byte, addresses *uint32, n int)

// spreadAVX2 and collectAVX2 are spreadPortable and collectPortable; column
// points to the first row of the first column.
//
//go:noescape
func spreadAVX2(column *float32, reg *Register)

//go:noescape
func collectAVX2(reg *Register, column *float32)

func multiplyStrip(d, a []Column, b Right) {
	if !haveAVX2 {
		multiplyPortable(d, a, b)
		return
	}
	multiplyAVX2(&d[0], &a[0], &b.Elements[0], len(d), len(a), b.StepN, b.StepK)
}

func (t Type) widenChunks(to []float32, memory []byte, addresses []uint32) {
	if !haveAVX2 || t != F16 && t != BF16 || len(addresses) == 0 {
		t.widenChunksPortable(to, memory, addresses)
		return
	}
	for _, address := range addresses {
		_ = memory[address:][:chunkBytes]
	}
	_ = to[8*len(addresses)-1]
	if t == F16 {
		widenF16AVX2(&to[0], &memory[0], &addresses[0], len(addresses))
	} else {
		widenBF16AVX2(&to[0], &memory[0], &addresses[0], len(addresses))
	}
}

func spread(columns *[8]Column, odd, row int, reg *Register) {
	if !haveAVX2 {
		spreadPortable(columns, odd, row, reg)
		return
	}
	spreadAVX2(&(*[8]float32)(columns[odd][row:])[0], reg)
}

func collect(reg *Register, columns *[8]Column, odd, row int) {
	if !haveAVX2 {
		collectPortable(reg, columns, odd, row)
		return
	}
	collectAVX2(reg, &(*[8]float32)(columns[odd][row:])[0])
}
