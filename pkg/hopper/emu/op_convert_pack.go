package emu

import (
	"math"
	"strconv"

	"gohopper/pkg/hopper/num"
	"gohopper/pkg/hopper/ptx"
)

// packForms is cvt with more than one value in a register (PTX 9.7.9.21,
// 9.7.9.22). The first source goes to the upper part.
var packForms = map[string][]form{
	"cvt": {
		{"rn f16x2 f32", rows2(packF16)},
		{"rn bf16x2 f32", rows2(packBF16)},
		{"rn|rz ?relu ?satfinite f16x2|bf16x2 f32", packHalves},
		{"rn satfinite e4m3x2 f32", rows2(packE4M3)},
		{"rn satfinite e5m2x2 f32", rows2(packE5M2)},
		{"rn satfinite relu e4m3x2|e5m2x2 f32", packBytes},
		{"rn relu satfinite e4m3x2|e5m2x2 f32", packBytes},
		{"rn satfinite ?relu e4m3x2|e5m2x2 f16x2", halvesToBytes},
		{"rn relu satfinite e4m3x2|e5m2x2 f16x2", halvesToBytes},
		{"rn ?relu f16x2 e4m3x2|e5m2x2", bytesToHalves},
		{"pack sat u16|s16 s32", packIntegers},
		{"pack sat u8|s8|u4|s4|u2|s2 s32 b32", packIntegers},
	},
}

func packF16(d, a, b *row[uint32]) {
	_, _, _ = d[0], a[0], b[0]
	for i := range d {
		high, low := math.Float32frombits(a[i]), math.Float32frombits(b[i])
		d[i] = uint32(num.F16FromFloat32(high))<<16 | uint32(num.F16FromFloat32(low))
	}
}

func packBF16(d, a, b *row[uint32]) {
	_, _, _ = d[0], a[0], b[0]
	for i := range d {
		high, low := math.Float32frombits(a[i]), math.Float32frombits(b[i])
		d[i] = uint32(num.BF16FromFloat32(high))<<16 | uint32(num.BF16FromFloat32(low))
	}
}

func packE4M3(d, a, b *row[uint32]) {
	_, _, _ = d[0], a[0], b[0]
	for i := range d {
		high, low := math.Float32frombits(a[i]), math.Float32frombits(b[i])
		d[i] = uint32(num.E4M3FromFloat32(high))<<8 | uint32(num.E4M3FromFloat32(low))
	}
}

func packE5M2(d, a, b *row[uint32]) {
	_, _, _ = d[0], a[0], b[0]
	for i := range d {
		high, low := math.Float32frombits(a[i]), math.Float32frombits(b[i])
		d[i] = uint32(num.E5M2FromFloat32(high))<<8 | uint32(num.E5M2FromFloat32(low))
	}
}

// pack2 compiles d = f(a) above f(b); the result of f has width bits.
func pack2(width int, f func(a uint64) uint64) family {
	return each2[uint32](func(a, b uint32) uint32 { return uint32(f(uint64(a)))<<width | uint32(f(uint64(b))) })
}

func packHalves(c *compiler, in *ptx.Instr) op {
	kind, read := "f16", floatIn("f32", in)
	if in.Has("bf16x2") {
		kind = "bf16"
	}
	write := floatOut(kind, in)
	return pack2(16, func(a uint64) uint64 { return write(read(a)) })(c, in)
}

// byteOut rounds to an 8-bit float, saturating.
func byteOut(in *ptx.Instr) func(r float64) uint32 {
	relu := in.Has("relu")
	encode := func(r float64) uint32 { return uint32(num.E5M2FromFloat64(r)) }
	if in.Has("e4m3x2") {
		encode = func(r float64) uint32 { return uint32(num.E4M3FromFloat64(r)) }
	}
	return func(r float64) uint32 {
		if relu && r <= 0 {
			r = 0
		}
		return encode(r)
	}
}

func packBytes(c *compiler, in *ptx.Instr) op {
	read, write := floatIn("f32", in), byteOut(in)
	return pack2(8, func(a uint64) uint64 { return uint64(write(read(a))) })(c, in)
}

func halvesToBytes(c *compiler, in *ptx.Instr) op {
	read, write := floatIn("f16", in), byteOut(in)
	return each1[uint32](func(a uint32) uint32 {
		return write(read(uint64(a>>16)))<<8 | write(read(uint64(a&0xffff)))
	})(c, in)
}

func bytesToHalves(c *compiler, in *ptx.Instr) op {
	relu := in.Has("relu")
	decode := func(a uint32) num.F16 { return num.E5M2(a).F16() }
	if in.Has("e4m3x2") {
		decode = func(a uint32) num.F16 { return num.E4M3(a).F16() }
	}
	half := func(a uint32) uint32 {
		h := uint32(decode(a & 0xff))
		if relu && h&0x8000 != 0 {
			return 0
		}
		return h
	}
	return each1[uint32](func(a uint32) uint32 { return half(a>>8)<<16 | half(a) })(c, in)
}

// packIntegers compiles cvt.pack: a and b, saturated to a narrow type. Types
// of 8 bits and less shift them in below the low bits of a third operand.
func packIntegers(c *compiler, in *ptx.Instr) op {
	kind := in.Mods[2]
	width, _ := strconv.Atoi(kind[1:])
	least, most := int32(0), int32(1)<<width-1
	if signedType(kind) {
		least, most = -1<<(width-1), 1<<(width-1)-1
	}
	both := func(a, b uint32) uint32 {
		high, low := clampTo(int32(a), least, most), clampTo(int32(b), least, most)
		return high&uint32(lowBits(width))<<width | low&uint32(lowBits(width))
	}
	if width == 16 {
		return each2[uint32](both)(c, in)
	}
	return each3[uint32](func(a, b, x uint32) uint32 { return x<<(2*width) | both(a, b) })(c, in)
}

func clampTo(a, least, most int32) uint32 { return uint32(min(max(a, least), most)) }
