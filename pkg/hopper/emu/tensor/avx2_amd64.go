package tensor

import "math/bits"

// This file and the assembly beside it do the same as the portable functions,
// bit for bit, on processors that have AVX2.

// multiplyIntegersAVX2 is multiplyIntegersPortable for n columns, a multiple of
// 4, and k of at least 1: 16 rows by 4 columns at a time.
//
//go:noescape
func multiplyIntegersAVX2(d, a *Column, b *float32, n, k, stepN, stepK int)

// sumAVX2 adds the products to 4 columns of D. It leaves out the first two or
// the last two, and sets bit 0 or bit 1 of the result, if some of their addends
// or sums are not for the fast code.
//
//go:noescape
func sumAVX2(d, a *Column, ea *exponents, b *float32, eb *uint32, k, stepN, stepK int, q *constants) (slow int)

// exponentsLeftAVX2 is exponentsLeftPortable for n columns.
//
//go:noescape
func exponentsLeftAVX2(to *exponents, from *Column, n int, smallest int32)

// exponentsRightAVX2 is exponentsRightPortable for n times 8 elements.
//
//go:noescape
func exponentsRightAVX2(to *uint32, from *float32, n int, smallest int32)

// roundF16AVX2 is roundF16Portable for n columns.
//
//go:noescape
func roundF16AVX2(d *Column, n int)

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

func multiplyIntegers(d, a []Column, b Right) {
	if !haveAVX2 {
		multiplyIntegersPortable(d, a, b)
		return
	}
	multiplyIntegersAVX2(&d[0], &a[0], &b.Elements[0], len(d), len(a), b.StepN, b.StepK)
}

// constants is a rule as the assembly reads it.
type constants struct {
	odd      [8]uint32 // 0: set in the result if something was cut off
	lowest   [16]int16 // 32: top is not below this
	keep     uint32    // 64: the bits of a float32 that the result has
	scale    int32     // 68: 127+cut
	smallest int32     // 72: 127 and the exponent of D's smallest normal number
}

func (q *rule) constants() *constants {
	c := constants{keep: ^uint32(0) << (bits.Len64(q.low) - (52 - 23)), scale: 127 + q.cut, smallest: 127 + q.result}
	for i := range c.lowest {
		c.lowest[i] = int16(max(q.lowest, fastLowest))
	}
	if q.odd != 0 {
		c.odd = [8]uint32{1, 1, 1, 1, 1, 1, 1, 1}
	}
	return &c
}

func (q *rule) multiplyStrip(d, a []Column, ea []exponents, b Right, eb []uint32) {
	if !haveAVX2 {
		q.multiplyStripPortable(d, a, ea, b, eb)
		return
	}
	c := q.constants()
	for n := 0; n < len(d); n += 4 {
		at := n * b.StepN
		slow := sumAVX2(&d[n], &a[0], &ea[0], &b.Elements[at], &eb[at], len(a), b.StepN, b.StepK, c)
		for ; slow != 0; slow &= slow - 1 {
			pair := n + 2*bits.TrailingZeros(uint(slow))
			at := pair * b.StepN
			q.multiplyStripPortable(d[pair:][:2], a, ea, Right{b.Elements[at:], b.StepN, b.StepK}, eb[at:])
		}
	}
}

func exponentsLeft(to []exponents, a []Column, smallest int32) {
	if !haveAVX2 {
		exponentsLeftPortable(to, a, smallest)
		return
	}
	exponentsLeftAVX2(&to[0], &a[0], len(a), smallest)
}

func exponentsRight(to []uint32, b []float32, smallest int32) {
	whole := 0
	if haveAVX2 && len(b) >= 8 {
		exponentsRightAVX2(&to[0], &b[0], len(b)/8, smallest)
		whole = len(b) &^ 7
	}
	exponentsRightPortable(to[whole:], b[whole:], smallest)
}

func roundF16(d []Column) {
	if !haveAVX2 {
		roundF16Portable(d)
		return
	}
	roundF16AVX2(&d[0], len(d))
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
