package emu

import (
	"math"

	"gohopper/pkg/hopper/num"
	"gohopper/pkg/hopper/ptx"
)

// convertForms is cvt between numbers (PTX 9.7.9.21); op_convert_pack.go has
// the packed forms.
var convertForms = map[string][]form{
	"cvt": {
		{"u64 u32", direct(rows1(extendRow[uint32]), convertIntegers)},
		{"s64 s32", direct(rows1(extendRow[int32]), convertIntegers)},
		{"u32|s32 u64|s64", direct(rows1(lowRow), convertIntegers)},
		{"u16|s16 u32|s32", direct(rows1(low16Row), convertIntegers)},
		{"u32|s32 u16", direct(copyRow[uint32], convertIntegers)},
		{"?sat " + integerTypes + " " + integerTypes, convertIntegers},
		{"rn f32 s32", direct(rows1(fromIntegers[int32]), convertToFloat)},
		{"rn f32 u32", direct(rows1(fromIntegers[uint32]), convertToFloat)},
		{"rn|rz|rm|rp ?ftz ?sat " + floatTypes + " " + integerTypes, convertToFloat},
		{"rni|rzi|rmi|rpi ?ftz ?sat " + integerTypes + " " + floatTypes, convertToInteger},
		{"f32 f32", copyBits(0)},
		{"f64 f64", copyBits(0)},
		{"?rn|rz|rm|rp f32 bf16", copyBits(16)}, // NaN and all
		{"f32 f16", direct(rows1(fromF16), convertFloats)},
		{"rn f16 f32", direct(rows1(toF16), convertFloats)},
		{"rn bf16 f32", direct(rows1(toBF16), convertFloats)},
		{"?ftz ?sat f32 f16|bf16|f32", convertFloats},
		{"?ftz ?sat f64 f16|bf16|f32|f64", convertFloats},
		{"rn|rz|rm|rp ?ftz ?sat " + floatTypes + " " + floatTypes, convertFloats},
		{"rni|rzi|rmi|rpi ?ftz ?sat " + floatTypes + " " + floatTypes, convertFloats},
		{"rn|rz ?relu ?satfinite f16|bf16 f32", convertFloats},
		{"rna ?satfinite tf32 f32", convertTF32},
		{"rn|rz ?relu tf32 f32", convertTF32},
	},
}

const (
	integerTypes = "u8|s8|u16|s16|u32|s32|u64|s64"
	floatTypes   = "f16|bf16|f32|f64"
)

// direct compiles a conversion that kernels do often by fast, which takes
// registers of the very widths of the types, and by general where a register
// is wider or an operand is a constant.
func direct(fast, general family) family {
	return func(c *compiler, in *ptx.Instr) op {
		for i, kind := range in.Mods[len(in.Mods)-2:] {
			if c.width(c.args(2, 2)[i]) != typeBits(ptx.Type(kind)) {
				return general(c, in)
			}
		}
		return fast(c, in)
	}
}

// extendRow widens with the sign of T.
func extendRow[T int32 | uint32](d *row[uint64], a *row[uint32]) {
	_, _ = d[0], a[0]
	for i := range d {
		d[i] = uint64(T(a[i]))
	}
}

func lowRow(d *row[uint32], a *row[uint64]) {
	_, _ = d[0], a[0]
	for i := range d {
		d[i] = uint32(a[i])
	}
}

func low16Row(d, a *row[uint32]) {
	_, _ = d[0], a[0]
	for i := range d {
		d[i] = a[i] & 0xffff
	}
}

func fromIntegers[T int32 | uint32](d, a *row[uint32]) {
	_, _ = d[0], a[0]
	for i := range d {
		d[i] = math.Float32bits(float32(T(a[i])))
	}
}

func fromF16(d, a *row[uint32]) {
	_, _ = d[0], a[0]
	for i := range d {
		d[i] = math.Float32bits(num.F16(a[i]).Float32())
	}
}

func toF16(d, a *row[uint32]) {
	_, _ = d[0], a[0]
	for i := range d {
		d[i] = uint32(num.F16FromFloat32(math.Float32frombits(a[i])))
	}
}

func toBF16(d, a *row[uint32]) {
	_, _ = d[0], a[0]
	for i := range d {
		d[i] = uint32(num.BF16FromFloat32(math.Float32frombits(a[i])))
	}
}

// convert compiles d = f(a) for codes in the low bits of 64. A register may be
// wider than the type (PTX 9.4.1): what a source has above it is ignored, and
// a result is extended with the sign of the type.
func (c *compiler) convert(in *ptx.Instr, f func(a uint64) uint64) op {
	args := c.args(2, 2)
	to, from := in.Mods[len(in.Mods)-2], in.Mods[len(in.Mods)-1]
	toBits, fromBits := c.width(args[0]), c.width(args[1])
	if toBits == 0 {
		toBits = typeBits(ptx.Type(to))
	}
	if fromBits == 0 {
		fromBits = typeBits(ptx.Type(from))
	}
	if signedType(to) {
		t, register := typeBits(ptx.Type(to)), lowBits(toBits)
		inner := f
		f = func(a uint64) uint64 { return signExtend64(inner(a), t) & register }
	}
	switch {
	case toBits <= 32 && fromBits <= 32:
		return rows1(codes[uint32, uint32](f))(c, in)
	case toBits <= 32:
		return rows1(codes[uint32, uint64](f))(c, in)
	case fromBits <= 32:
		return rows1(codes[uint64, uint32](f))(c, in)
	}
	return rows1(codes[uint64, uint64](f))(c, in)
}

func codes[D, A word](f func(a uint64) uint64) func(d *row[D], a *row[A]) {
	return func(d *row[D], a *row[A]) {
		for i := range d {
			d[i] = D(f(uint64(a[i])))
		}
	}
}

func signedType(kind string) bool { return kind[0] == 's' }

// lowBits is n ones.
func lowBits(n int) uint64 { return math.MaxUint64 >> (64 - n) }

func signExtend64(a uint64, n int) uint64 { return uint64(int64(a<<(64-n)) >> (64 - n)) }

// integerIn reads an integer of a type as 64 bits with its sign.
func integerIn(kind string) func(a uint64) uint64 {
	n := typeBits(ptx.Type(kind))
	if signedType(kind) {
		return func(a uint64) uint64 { return signExtend64(a, n) }
	}
	return func(a uint64) uint64 { return a & lowBits(n) }
}

func convertIntegers(c *compiler, in *ptx.Instr) op {
	to, from := in.Mods[len(in.Mods)-2], in.Mods[len(in.Mods)-1]
	read, low := integerIn(from), lowBits(typeBits(ptx.Type(to)))
	if in.Has("sat") {
		return c.convert(in, func(a uint64) uint64 { return clampInteger(read(a), signedType(from), to) & low })
	}
	return c.convert(in, func(a uint64) uint64 { return read(a) & low })
}

// integerRange is the least and the greatest value of an integer type.
func integerRange(kind string) (least int64, most uint64) {
	n := typeBits(ptx.Type(kind))
	if signedType(kind) {
		return -1 << (n - 1), lowBits(n - 1)
	}
	return 0, lowBits(n)
}

// clampInteger brings a 64-bit integer into the range of a type.
func clampInteger(a uint64, signed bool, kind string) uint64 {
	least, most := integerRange(kind)
	if signed && int64(a) < 0 {
		return uint64(max(int64(a), least))
	}
	return min(a, most)
}

// convertToFloat adds the two halves of an integer, which are exact.
func convertToFloat(c *compiler, in *ptx.Instr) op {
	to, from := in.Mods[len(in.Mods)-2], in.Mods[len(in.Mods)-1]
	read, signed := integerIn(from), signedType(from)
	halves := func(a uint64) (high, low float64) {
		a = read(a)
		if signed {
			return float64(int64(a) >> 32), float64(uint32(a))
		}
		return float64(a >> 32), float64(uint32(a))
	}
	if to == "f64" {
		round, sat := roundingOf(in), in.Has("sat")
		return c.convert(in, func(a uint64) uint64 {
			high, low := halves(a)
			return bits64(clamp01(round.fused(high, 0x1p32, low), sat))
		})
	}
	write := floatOut(to, in)
	return c.convert(in, func(a uint64) uint64 {
		high, low := halves(a)
		return write(nearest.sum(high*0x1p32, low))
	})
}

func convertToInteger(c *compiler, in *ptx.Instr) op {
	to, from := in.Mods[len(in.Mods)-2], in.Mods[len(in.Mods)-1]
	read, round := floatIn(from, in), integral(in.Mods[0])
	least, most := integerRange(to)
	low := lowBits(typeBits(ptx.Type(to)))
	notANumber := uint64(0)
	if from == "f64" || to == "s64" || to == "u64" {
		notANumber = low>>1 + 1
	}
	return c.convert(in, func(a uint64) uint64 {
		switch v := round(read(a)); {
		case v != v:
			return notANumber
		case v <= float64(least):
			return uint64(least) & low
		case v >= float64(most):
			return most
		case v < 0:
			return uint64(int64(v)) & low
		default:
			return uint64(v)
		}
	})
}

// integral is the rounding to an integer that a modifier names.
func integral(modifier string) func(float64) float64 {
	switch modifier {
	case "rni":
		return math.RoundToEven
	case "rmi":
		return math.Floor
	case "rpi":
		return math.Ceil
	}
	return math.Trunc
}

// convertFloats goes through float64, which holds every format. That an H200
// keeps sign and payload of a NaN where one of the types is f64, and makes the
// canonical NaN elsewhere, is not in the manual.
func convertFloats(c *compiler, in *ptx.Instr) op {
	to, from := in.Mods[len(in.Mods)-2], in.Mods[len(in.Mods)-1]
	read, write := floatIn(from, in), floatOut(to, in)
	if from == "f32" && to == "f16" { // an H200 takes no notice of .ftz
		read = func(a uint64) float64 { return float64(math.Float32frombits(uint32(a))) }
	}
	round := func(r float64) float64 { return r }
	switch in.Mods[0] {
	case "rni", "rzi", "rmi", "rpi":
		round = integral(in.Mods[0])
	}
	if from == "f64" || to == "f64" {
		sat, ftz := in.Has("sat"), in.Has("ftz") && from == "f32"
		return c.convert(in, func(a uint64) uint64 {
			r := read(a)
			switch {
			case r == r || sat:
				return write(round(r))
			case ftz:
				return moveNaN(nan32, from, to)
			}
			return moveNaN(a, from, to)
		})
	}
	return c.convert(in, func(a uint64) uint64 { return write(round(read(a))) })
}

// copyBits compiles a conversion that only shifts.
func copyBits(shift int) family {
	return func(c *compiler, in *ptx.Instr) op {
		return c.convert(in, func(a uint64) uint64 { return a << shift })
	}
}
