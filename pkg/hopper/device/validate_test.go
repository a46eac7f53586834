package device

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// tile is a valid map: a 64 x 256 f16 matrix, boxes of 8 rows of 128 bytes.
func tile() TensorMap {
	return TensorMap{
		Type:    MapF16,
		Address: 0x7000_0000,
		Dims:    []uint64{256, 64},
		Strides: []uint64{512},
		Box:     []uint32{64, 8},
		Swizzle: Swizzle128B,
	}
}

// TestValidateRefuses breaks each rule once.
func TestValidateRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*TensorMap)
		want   string
	}{
		{"unknown element type", func(m *TensorMap) { m.Type = 13 },
			"MapType(13) is no element type; use one of MapU8 to MapTF32FTZ"},
		{"unknown interleave", func(m *TensorMap) { m.Interleave = 3 },
			"Interleave(3) is no interleave; use InterleaveNone, Interleave16B or Interleave32B"},
		{"unknown swizzle", func(m *TensorMap) { m.Swizzle = 4 },
			"Swizzle(4) is no swizzle; use SwizzleNone, Swizzle32B, Swizzle64B or Swizzle128B"},
		{"unknown promotion", func(m *TensorMap) { m.L2Promotion = -1 },
			"L2Promotion(-1) is no promotion; use L2None, L264B, L2128B or L2256B"},
		{"unknown fill", func(m *TensorMap) { m.Fill = 2 },
			"Fill(2) is no fill; use FillZero or FillNaN"},
		{"no dimensions", func(m *TensorMap) { m.Dims = nil },
			"Dims has 0 entries; a tensor has 1 to 5 dimensions, so fold or split some"},
		{"six dimensions", func(m *TensorMap) { m.Dims = make([]uint64, 6) },
			"Dims has 6 entries; a tensor has 1 to 5 dimensions, so fold or split some"},
		{"interleaved matrix", func(m *TensorMap) { m.Interleave = Interleave16B },
			"16-byte interleave with rank 2; interleaved tensors have rank 3 to 5, so use InterleaveNone"},
		{"a stride for the dense dimension", func(m *TensorMap) { m.Strides = []uint64{2, 512} },
			"Strides has 2 entries for rank 2; give 1, in bytes: the innermost dimension is dense and has none"},
		{"box of another rank", func(m *TensorMap) { m.Box = []uint32{64} },
			"Box has 1 entries for rank 2; give one per dimension, innermost first"},
		{"element strides of another rank", func(m *TensorMap) { m.ElementStrides = []uint32{1} },
			"ElementStrides has 1 entries for rank 2; give one per dimension, or nil for all 1"},
		{"odd address", func(m *TensorMap) { m.Address += 8 },
			"address 0x70000008 is not a multiple of 16 bytes (no interleave); start the tensor at an aligned address"},
		{"address 16 with 32-byte interleave", func(m *TensorMap) { *m = interleaved(); m.Address += 16 },
			"address 0x70000010 is not a multiple of 32 bytes (32-byte interleave); start the tensor at an aligned address"},
		{"no device address", func(m *TensorMap) { m.Address = 1 << 57 },
			"address 0x200000000000000 is not below 2^57; pass a device address"},
		{"empty dimension", func(m *TensorMap) { m.Dims[1] = 0 },
			"Dims[1] is 0; a dimension has 1 to 2^32 elements"},
		{"huge dimension", func(m *TensorMap) { m.Dims[0] = 1<<32 + 1 },
			"Dims[0] is 4294967297; a dimension has 1 to 2^32 elements"},
		{"K of 250 in f16", func(m *TensorMap) { m.Dims[0], m.Strides[0] = 250, 500 },
			"row stride is 2·K = 500 bytes; TMA strides are multiples of 16 bytes, so K must be a multiple of 8"},
		{"K of 100 in u8", func(m *TensorMap) { m.Type, m.Dims[0], m.Strides[0] = MapU8, 100, 100 },
			"row stride is 1·K = 100 bytes; TMA strides are multiples of 16 bytes, so K must be a multiple of 16"},
		{"odd padding", func(m *TensorMap) { m.Strides[0] = 520 },
			"Strides[0] is 520 bytes; TMA strides are multiples of 16 bytes (no interleave), so pad the dimension inside it"},
		{"stride 48 with 32-byte interleave", func(m *TensorMap) { *m = interleaved(); m.Strides[1] += 16 },
			"Strides[1] is 1040 bytes; TMA strides are multiples of 32 bytes (32-byte interleave), so pad the dimension inside it"},
		{"huge stride", func(m *TensorMap) { m.Strides[0] = 1 << 40 },
			"Strides[0] is 1099511627776 bytes; TMA strides are below 2^40 bytes"},
		{"element stride 0", func(m *TensorMap) { m.ElementStrides = []uint32{1, 0} },
			"ElementStrides[1] is 0; an element stride is 1 to 8, and 1 takes every element"},
		{"element stride 9", func(m *TensorMap) { m.ElementStrides = []uint32{9, 1} },
			"ElementStrides[0] is 9; an element stride is 1 to 8, and 1 takes every element"},
		{"empty box", func(m *TensorMap) { m.Box[1] = 0 },
			"Box[1] is 0; a box has 1 to 256 elements along a dimension, so copy a larger tile as several boxes"},
		{"box of 320 rows", func(m *TensorMap) { m.Box[1] = 320 },
			"Box[1] is 320; a box has 1 to 256 elements along a dimension, so copy a larger tile as several boxes"},
		{"box larger than shared memory", func(m *TensorMap) {
			m.Type, m.Swizzle, m.Dims, m.Strides, m.Box = MapF32, SwizzleNone, []uint64{256, 256}, []uint64{1024}, []uint32{256, 229}
		}, "the box has 234496 bytes; the most is 233472, so copy it as several boxes"},
		{"inner row of 20 bytes", func(m *TensorMap) { m.Box[0] = 10 },
			"the box's inner row is 10 x 2 = 20 bytes; it must be a multiple of 16 bytes, so make Box[0] a multiple of 8"},
		{"inner row over the span", func(m *TensorMap) { m.Box[0] = 128 },
			"the box's inner row is 128 x 2 = 256 bytes; a 128-byte swizzle allows 128, so make Box[0] at most 64 and copy the tile as several boxes"},
		{"inner row over the 32-byte span", func(m *TensorMap) { m.Swizzle = Swizzle32B },
			"the box's inner row is 64 x 2 = 128 bytes; a 32-byte swizzle allows 32, so make Box[0] at most 16 and copy the tile as several boxes"},
		{"NaN fill of integers", func(m *TensorMap) { m.Type, m.Fill = MapU16, FillNaN },
			"FillNaN with elements of type u16; a NaN fill needs a floating-point type, so use FillZero"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := tile()
			c.change(&m)
			require.EqualError(t, m.Validate(), "tensor map: "+c.want)
		})
	}
}

func interleaved() TensorMap {
	return TensorMap{
		Type:       MapF16,
		Address:    0x7000_0000,
		Dims:       []uint64{64, 8, 8},
		Strides:    []uint64{128, 1024},
		Box:        []uint32{8, 8, 8},
		Interleave: Interleave32B,
	}
}

// TestValidateAccepts holds what driver 580 accepted on an H200, the surprises
// above all.
func TestValidateAccepts(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*TensorMap)
	}{
		{"the map the others break", func(m *TensorMap) {}},
		{"a vector, without strides", func(m *TensorMap) { m.Dims, m.Strides, m.Box = []uint64{5}, nil, []uint32{64} }},
		{"rank 5", func(m *TensorMap) {
			m.Dims = []uint64{64, 2, 3, 4, 5}
			m.Strides = []uint64{128, 256, 768, 3072}
			m.Box = []uint32{64, 1, 1, 1, 1}
		}},
		{"the largest dimension", func(m *TensorMap) { m.Dims[1] = 1 << 32 }},
		{"stride 0 repeats a row", func(m *TensorMap) { m.Strides[0] = 0 }},
		{"overlapping rows", func(m *TensorMap) { m.Strides[0] = 16 }},
		{"the largest stride", func(m *TensorMap) { m.Strides[0] = 1<<40 - 16 }},
		{"box over the tensor's edge", func(m *TensorMap) { m.Dims = []uint64{16, 4} }},
		{"inner row below the swizzle span", func(m *TensorMap) { m.Box[0] = 8 }},
		{"box of exactly 228 KiB", func(m *TensorMap) {
			m.Type, m.Swizzle, m.Dims, m.Strides, m.Box = MapF32, SwizzleNone, []uint64{256, 256}, []uint64{1024}, []uint32{256, 228}
		}},
		{"element strides shrink the box", func(m *TensorMap) {
			m.Type, m.Swizzle, m.Dims, m.Strides, m.Box = MapF32, SwizzleNone, []uint64{256, 256}, []uint64{1024}, []uint32{256, 256}
			m.ElementStrides = []uint32{1, 2}
		}},
		{"element stride larger than the box", func(m *TensorMap) { m.Box[1], m.ElementStrides = 4, []uint32{1, 8} }},
		{"NaN fill of floats", func(m *TensorMap) { m.Fill = FillNaN }},
		{"interleave", func(m *TensorMap) { *m = interleaved() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := tile()
			c.change(&m)
			require.NoError(t, m.Validate())
		})
	}
}
