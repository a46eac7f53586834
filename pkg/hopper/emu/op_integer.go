package emu

import (
	"math"
	"math/bits"
)

// integerForms is integer arithmetic (PTX 9.7.1) but for carries and bits.
// Sums and low products wrap, and their bits do not depend on the sign.
var integerForms = map[string][]form{
	"add": {
		{"u32|s32", rows2(addRow[uint32])},
		{"u64|s64", rows2(addRow[uint64])},
		{"u16|s16", each2[uint32](sum[uint16])},
		{"sat s32", each2[uint32](sumSat)},
		{"u16x2|s16x2", halves2(sum[uint16])},
	},
	"sub": {
		{"u32|s32", rows2(subRow[uint32])},
		{"u64|s64", rows2(subRow[uint64])},
		{"u16|s16", each2[uint32](difference[uint16])},
		{"sat s32", each2[uint32](differenceSat)},
	},
	"mul": {
		{"lo u32|s32", rows2(mulRow[uint32])},
		{"lo u64|s64", rows2(mulRow[uint64])},
		{"lo u16|s16", each2[uint32](product[uint16])},
		{"hi u16", each2[uint32](high[uint16, uint32])},
		{"hi s16", each2[uint32](high[int16, int32])},
		{"hi u32", each2[uint32](high[uint32, uint64])},
		{"hi s32", each2[uint32](high[int32, int64])},
		{"hi u64", each2[uint64](highUnsigned)},
		{"hi s64", each2[uint64](highSigned)},
		{"wide u16", each2[uint32](wide[uint16, uint32])},
		{"wide s16", each2[uint32](wide[int16, int32])},
		{"wide u32", rows2(mulWideRow[uint32])},
		{"wide s32", rows2(mulWideRow[int32])},
	},
	"mad": {
		{"lo u32|s32", rows3(madRow[uint32])},
		{"lo u64|s64", rows3(madRow[uint64])},
		{"lo u16|s16", each3[uint32](then(product[uint16]))},
		{"hi u16", each3[uint32](then(high[uint16, uint32]))},
		{"hi s16", each3[uint32](then(high[int16, int32]))},
		{"hi u32", each3[uint32](then(high[uint32, uint64]))},
		{"hi s32", each3[uint32](then(high[int32, int64]))},
		{"hi u64", each3[uint64](then(highUnsigned))},
		{"hi s64", each3[uint64](then(highSigned))},
		{"hi sat s32", each3[uint32](func(a, b, x int32) int32 { return sumSat(high[int32, int64](a, b), x) })},
		{"wide u16", each3[uint32](func(a, b, x uint32) uint32 { return wide[uint16](a, b) + x })},
		{"wide s16", each3[uint32](func(a, b, x int32) int32 { return wide[int16](a, b) + x })},
		{"wide u32", rows3(madWideRow[uint32])},
		{"wide s32", rows3(madWideRow[int32])},
	},
	"mul24": {
		{"lo u32", each2[uint32](func(a, b uint32) uint32 { return uint32(product24(a, b)) })},
		{"hi u32", each2[uint32](func(a, b uint32) uint32 { return uint32(product24(a, b) >> 16) })},
		{"lo s32", each2[uint32](func(a, b int32) int32 { return int32(product24(a, b)) })},
		{"hi s32", each2[uint32](func(a, b int32) int32 { return int32(product24(a, b) >> 16) })},
	},
	"mad24": {
		{"lo u32", each3[uint32](func(a, b, x uint32) uint32 { return uint32(product24(a, b)) + x })},
		{"hi u32", each3[uint32](func(a, b, x uint32) uint32 { return uint32(product24(a, b)>>16) + x })},
		{"lo s32", each3[uint32](func(a, b, x int32) int32 { return int32(product24(a, b)) + x })},
		{"hi s32", each3[uint32](func(a, b, x int32) int32 { return int32(product24(a, b)>>16) + x })},
		{"hi sat s32", each3[uint32](func(a, b, x int32) int32 { return sumSat(int32(product24(a, b)>>16), x) })},
	},
	"sad": {
		{"u16", each3[uint32](sumOfDifference[uint16])},
		{"s16", each3[uint32](sumOfDifference[int16])},
		{"u32", each3[uint32](sumOfDifference[uint32])},
		{"s32", each3[uint32](sumOfDifference[int32])},
		{"u64", each3[uint64](sumOfDifference[uint64])},
		{"s64", each3[uint64](sumOfDifference[int64])},
	},
	"div": {
		{"u16", each2[uint32](quotient[uint16])},
		{"s16", each2[uint32](quotient[int16])},
		{"u32", each2[uint32](quotient[uint32])},
		{"s32", each2[uint32](quotient[int32])},
		{"u64", each2[uint64](quotient[uint64])},
		{"s64", each2[uint64](quotient[int64])},
	},
	"rem": {
		{"u16", each2[uint32](remainder[uint16])},
		{"s16", each2[uint32](remainder[int16])},
		{"u32", each2[uint32](remainder[uint32])},
		{"s32", each2[uint32](remainder[int32])},
		{"u64", each2[uint64](remainder[uint64])},
		{"s64", each2[uint64](remainder[int64])},
	},
	"abs": {
		{"s16", each1[uint32](magnitude[int16])},
		{"s32", each1[uint32](magnitude[int32])},
		{"s64", each1[uint64](magnitude[int64])},
	},
	"neg": {
		{"s16", each1[uint32](negative[int16])},
		{"s32", each1[uint32](negative[int32])},
		{"s64", each1[uint64](negative[int64])},
	},
	"min": {
		{"u16", each2[uint32](least[uint16])},
		{"s16", each2[uint32](least[int16])},
		{"u32", rows2(minRow[uint32, uint32])},
		{"s32", rows2(minRow[uint32, int32])},
		{"u64", rows2(minRow[uint64, uint64])},
		{"s64", rows2(minRow[uint64, int64])},
		{"u16x2", halves2(least[uint16])},
		{"s16x2", halves2(least[int16])},
		{"relu s32", each2[uint32](relu2(least[int32]))},
		{"relu s16x2", halves2(relu2(least[int16]))},
	},
	"max": {
		{"u16", each2[uint32](most[uint16])},
		{"s16", each2[uint32](most[int16])},
		{"u32", rows2(maxRow[uint32, uint32])},
		{"s32", rows2(maxRow[uint32, int32])},
		{"u64", rows2(maxRow[uint64, uint64])},
		{"s64", rows2(maxRow[uint64, int64])},
		{"u16x2", halves2(most[uint16])},
		{"s16x2", halves2(most[int16])},
		{"relu s32", each2[uint32](relu2(most[int32]))},
		{"relu s16x2", halves2(relu2(most[int16]))},
	},
}

func addRow[T word](d, a, b *row[T]) {
	_, _, _ = d[0], a[0], b[0]
	for i := range d {
		d[i] = a[i] + b[i]
	}
}

func subRow[T word](d, a, b *row[T]) {
	_, _, _ = d[0], a[0], b[0]
	for i := range d {
		d[i] = a[i] - b[i]
	}
}

func mulRow[T word](d, a, b *row[T]) {
	_, _, _ = d[0], a[0], b[0]
	for i := range d {
		d[i] = a[i] * b[i]
	}
}

func madRow[T word](d, a, b, x *row[T]) {
	_, _, _, _ = d[0], a[0], b[0], x[0]
	for i := range d {
		d[i] = a[i]*b[i] + x[i]
	}
}

// mulWideRow has the sign of T.
func mulWideRow[T int32 | uint32](d *row[uint64], a, b *row[uint32]) {
	_, _, _ = d[0], a[0], b[0]
	for i := range d {
		d[i] = uint64(T(a[i])) * uint64(T(b[i]))
	}
}

func madWideRow[T int32 | uint32](d *row[uint64], a, b *row[uint32], x *row[uint64]) {
	_, _, _, _ = d[0], a[0], b[0], x[0]
	for i := range d {
		d[i] = uint64(T(a[i]))*uint64(T(b[i])) + x[i]
	}
}

func minRow[W word, T integer](d, a, b *row[W]) {
	_, _, _ = d[0], a[0], b[0]
	for i := range d {
		d[i] = W(min(T(a[i]), T(b[i])))
	}
}

func maxRow[W word, T integer](d, a, b *row[W]) {
	_, _, _ = d[0], a[0], b[0]
	for i := range d {
		d[i] = W(max(T(a[i]), T(b[i])))
	}
}

func sum[T integer](a, b T) T        { return a + b }
func difference[T integer](a, b T) T { return a - b }
func product[T integer](a, b T) T    { return a * b }
func negative[T integer](a T) T      { return -a }
func least[T integer](a, b T) T      { return min(a, b) }
func most[T integer](a, b T) T       { return max(a, b) }

func magnitude[T integer](a T) T {
	if a < 0 {
		return -a
	}
	return a
}

func sumOfDifference[T integer](a, b, x T) T {
	if a < b {
		return x + (b - a)
	}
	return x + (a - b)
}

// quotient and remainder of a division by zero are all ones: PTX leaves them
// to the machine, and this is what an H200 gives.
func quotient[T integer](a, b T) T {
	if b == 0 {
		return ^T(0)
	}
	return a / b
}

func remainder[T integer](a, b T) T {
	if b == 0 {
		return ^T(0)
	}
	return a % b
}

func sumSat(a, b int32) int32        { return saturate(int64(a) + int64(b)) }
func differenceSat(a, b int32) int32 { return saturate(int64(a) - int64(b)) }
func saturate(a int64) int32         { return int32(min(max(a, math.MinInt32), math.MaxInt32)) }

// high is the upper half of a product that fits a W.
func high[T, W integer](a, b T) T {
	shift := bits.OnesCount64(uint64(ones[uint64, T]()))
	return T(W(a) * W(b) >> shift)
}

func highUnsigned(a, b uint64) uint64 {
	hi, _ := bits.Mul64(a, b)
	return hi
}

// highSigned takes from the unsigned product what the sign bits added.
func highSigned(a, b int64) int64 {
	hi := int64(highUnsigned(uint64(a), uint64(b)))
	return hi - a>>63&b - b>>63&a
}

// wide is the product of the low halves of a and b.
func wide[T, W integer](a, b W) W { return W(T(a)) * W(T(b)) }

// then adds the third operand to a product.
func then[T integer](f func(a, b T) T) func(a, b, x T) T {
	return func(a, b, x T) T { return f(a, b) + x }
}

// product24 is the product of the low 24 bits, read with the sign of T.
func product24[T int32 | uint32](a, b T) int64 { return int64(a<<8>>8) * int64(b<<8>>8) }

// relu2 replaces a negative result by 0.
func relu2[T integer](f func(a, b T) T) func(a, b T) T {
	return func(a, b T) T { return max(f(a, b), 0) }
}

// halves2 compiles a form that works on the two 16-bit halves of a register.
func halves2[T int16 | uint16](f func(a, b T) T) family {
	return each2[uint32](func(a, b uint32) uint32 {
		lo, hi := f(T(a), T(b)), f(T(a>>16), T(b>>16))
		return uint32(uint16(hi))<<16 | uint32(uint16(lo))
	})
}
