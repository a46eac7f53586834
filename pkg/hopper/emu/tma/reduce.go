package tma

import (
	"math"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/num"
)

// Reduction combines an element of the destination with one of the source;
// both are bit patterns in the low bits.
type Reduction func(old, src uint64) uint64

// ReductionOf is the operation that a reducing tensor store applies to
// elements of type t; false where the hardware has none (measured: it answers
// with an illegal instruction). The name is PTX's modifier.
func ReductionOf(name string, t device.MapType) (Reduction, bool) {
	r := reductions[name][t]
	return r, r != nil
}

var reductions = map[string]map[device.MapType]Reduction{
	"add": {
		device.MapU32: addInt, device.MapS32: addInt, device.MapU64: addInt,
		device.MapF16: addF16, device.MapBF16: addBF16, device.MapF64: addF64,
		device.MapF32: addF32, device.MapTF32: addF32,
		device.MapF32FTZ: addF32FTZ, device.MapTF32FTZ: addF32FTZ,
	},
	"min": {
		device.MapU32: minUint, device.MapU64: minUint, device.MapS32: minS32, device.MapS64: minS64,
		device.MapF16: minF16, device.MapBF16: minBF16,
	},
	"max": {
		device.MapU32: maxUint, device.MapU64: maxUint, device.MapS32: maxS32, device.MapS64: maxS64,
		device.MapF16: maxF16, device.MapBF16: maxBF16,
	},
	"inc": {device.MapU32: inc},
	"dec": {device.MapU32: dec},
	"and": {device.MapU32: and, device.MapS32: and, device.MapU64: and},
	"or":  {device.MapU32: or, device.MapS32: or, device.MapU64: or},
	"xor": {device.MapU32: xor, device.MapS32: xor, device.MapU64: xor},
}

func addInt(a, b uint64) uint64  { return a + b } // the upper half is not stored
func minUint(a, b uint64) uint64 { return min(a, b) }
func maxUint(a, b uint64) uint64 { return max(a, b) }
func minS32(a, b uint64) uint64  { return uint64(uint32(min(int32(a), int32(b)))) }
func maxS32(a, b uint64) uint64  { return uint64(uint32(max(int32(a), int32(b)))) }
func minS64(a, b uint64) uint64  { return uint64(min(int64(a), int64(b))) }
func maxS64(a, b uint64) uint64  { return uint64(max(int64(a), int64(b))) }
func and(a, b uint64) uint64     { return a & b }
func or(a, b uint64) uint64      { return a | b }
func xor(a, b uint64) uint64     { return a ^ b }

// inc and dec wrap at the source's value, as the atomics do (PTX 9.7.13.5).
func inc(old, src uint64) uint64 {
	if old >= src {
		return 0
	}
	return old + 1
}

func dec(old, src uint64) uint64 {
	if old == 0 || old > src {
		return src
	}
	return old - 1
}

func f16(v uint64) float32  { return num.F16(v).Float32() }
func bf16(v uint64) float32 { return num.BF16(v).Float32() }
func f32(v uint64) float32  { return math.Float32frombits(uint32(v)) }

// The float32 sum of two 16-bit floats has enough bits that rounding it again
// gives the correctly rounded sum.
func addF16(a, b uint64) uint64  { return uint64(num.F16FromFloat32(f16(a) + f16(b))) }
func addBF16(a, b uint64) uint64 { return uint64(num.BF16FromFloat32(bf16(a) + bf16(b))) }

// nanF32 is the NaN that float32 arithmetic gives (PTX 9.7.3).
const nanF32 = 0x7fffffff

func addF32(a, b uint64) uint64 {
	sum := f32(a) + f32(b)
	if sum != sum {
		return nanF32
	}
	return uint64(math.Float32bits(sum))
}

// addF32FTZ takes subnormal operands and results for zeros of their sign.
func addF32FTZ(a, b uint64) uint64 { return flush(addF32(flush(a), flush(b))) }

func flush(v uint64) uint64 {
	if v&0x7f800000 == 0 {
		return v & 0x80000000
	}
	return v
}

// addF64 leaves a NaN as it is, the source's first (measured).
func addF64(a, b uint64) uint64 {
	for _, v := range []uint64{b, a} {
		if f := math.Float64frombits(v); f != f {
			return v
		}
	}
	return math.Float64bits(math.Float64frombits(a) + math.Float64frombits(b))
}

// The 16-bit minimum and maximum take the number where one side is a NaN, and
// order the zeros by sign (measured).
func minF16(a, b uint64) uint64  { return pick(a, b, f16(a), f16(b), true) }
func maxF16(a, b uint64) uint64  { return pick(a, b, f16(a), f16(b), false) }
func minBF16(a, b uint64) uint64 { return pick(a, b, bf16(a), bf16(b), true) }
func maxBF16(a, b uint64) uint64 { return pick(a, b, bf16(a), bf16(b), false) }

// nanHalf is the NaN of both 16-bit types.
const nanHalf = 0x7fff

func pick(a, b uint64, x, y float32, smaller bool) uint64 {
	switch {
	case x != x && y != y:
		return nanHalf
	case x != x:
		return b
	case y != y:
		return a
	}
	aIsSmaller := x < y || x == y && a&0x8000 != 0
	if aIsSmaller == smaller {
		return a
	}
	return b
}
