package tensor

import (
	"encoding/binary"
	"math"

	"gohopper/pkg/hopper/num"
)

// chunk holds up to 16 widened elements; PerChunk of them are in use.
type chunk [chunkBytes]float32

// widenChunksPortable is widenChunks in plain Go: it converts the 16-byte
// chunks of memory that start at addresses, one behind the other.
func (t Type) widenChunksPortable(to []float32, memory []byte, addresses []uint32) {
	var v chunk
	per := t.PerChunk()
	for i, address := range addresses {
		bytes := memory[address:][:chunkBytes]
		t.widen(&v, binary.LittleEndian.Uint64(bytes), binary.LittleEndian.Uint64(bytes[8:]))
		copy(to[i*per:][:per], v[:per])
	}
}

// widen converts 16 bytes, given as two little-endian words.
func (t Type) widen(v *chunk, lo, hi uint64) {
	switch t {
	case F16:
		v[0], v[1], v[2], v[3] = half(lo), half(lo>>16), half(lo>>32), half(lo>>48)
		v[4], v[5], v[6], v[7] = half(hi), half(hi>>16), half(hi>>32), half(hi>>48)
	case BF16:
		v[0], v[1], v[2], v[3] = upper(lo<<16), upper(lo), upper(lo>>16), upper(lo>>32)
		v[4], v[5], v[6], v[7] = upper(hi<<16), upper(hi), upper(hi>>16), upper(hi>>32)
	case TF32:
		const kept = 0xffffe000
		v[0], v[1] = math.Float32frombits(uint32(lo)&kept), math.Float32frombits(uint32(lo>>32)&kept)
		v[2], v[3] = math.Float32frombits(uint32(hi)&kept), math.Float32frombits(uint32(hi>>32)&kept)
	case S8:
		for i := range 8 {
			v[i], v[8+i] = float32(int8(lo>>(8*i))), float32(int8(hi>>(8*i)))
		}
	case U8:
		for i := range 8 {
			v[i], v[8+i] = float32(uint8(lo>>(8*i))), float32(uint8(hi>>(8*i)))
		}
	case E4M3:
		for i := range 8 {
			v[i], v[8+i] = e4m3[uint8(lo>>(8*i))], e4m3[uint8(hi>>(8*i))]
		}
	case E5M2:
		for i := range 8 {
			v[i], v[8+i] = e5m2[uint8(lo>>(8*i))], e5m2[uint8(hi>>(8*i))]
		}
	default:
		panic("emulator: no operand has this type")
	}
}

// half is the value of the f16 in the low bits of w.
func half(w uint64) float32 { return num.F16(w).Float32() }

// upper is the float32 whose upper half is the bf16 in bits 16 to 31 of w.
func upper(w uint64) float32 { return math.Float32frombits(uint32(w) & 0xffff0000) }

// e4m3 and e5m2 are the values of the 8-bit floats.
var e4m3, e5m2 = valuesE4M3(), valuesE5M2()

func valuesE4M3() (table [256]float32) {
	for code := range 256 {
		table[code] = num.E4M3(code).Float32()
	}
	return table
}

func valuesE5M2() (table [256]float32) {
	for code := range 256 {
		table[code] = num.E5M2(code).Float32()
	}
	return table
}
