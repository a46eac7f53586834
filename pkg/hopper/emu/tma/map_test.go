package tma

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

func example() device.TensorMap {
	return device.TensorMap{
		Type: device.MapBF16, Address: 0x123456789abc0, Dims: []uint64{1 << 32, 2, 3, 4, 5},
		Strides: []uint64{1 << 34, 32, 48, 64}, Box: []uint32{64, 2, 3, 4, 5}, ElementStrides: []uint32{1, 2, 3, 4, 5},
		Swizzle: device.Swizzle128B, L2Promotion: device.L2128B, Fill: device.FillNaN,
	}
}

func TestEncodeDecode(t *testing.T) {
	require.Equal(t, example(), decode(t, example()).arguments())
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(b *[128]byte)
		want   string
	}{
		{"zeros", func(b *[128]byte) { *b = [128]byte{} },
			"the 128 bytes are no tensor map: EncodeTiled did not make them, or something overwrote them"},
		{"overwritten tail", func(b *[128]byte) { b[127] = 1 },
			"the 128 bytes are no tensor map: EncodeTiled did not make them, or something overwrote them"},
		{"rank 6", func(b *[128]byte) { b[offRank] = 6 }, "tensor map: rank is 6; a tensor has 1 to 5 dimensions"},
		{"a rule of the map", func(b *[128]byte) { b[offAddress] = 8 },
			"tensor map: address 0x123456789ab08 is not a multiple of 16 bytes (no interleave); start the tensor at an aligned address"},
	} {
		t.Run(c.name, func(t *testing.T) {
			enc := Encode(example())
			b := (*[128]byte)(&enc)
			c.change(b)
			_, err := Decode(b)
			require.EqualError(t, err, c.want)
		})
	}
}

// TestField changes each field as tensormap.replace does and compares with a
// map encoded that way.
func TestField(t *testing.T) {
	for _, c := range []struct {
		field   string
		ordinal int
		value   uint64
		want    func(*device.TensorMap)
	}{
		{"global_address", 0, 0x4000, func(m *device.TensorMap) { m.Address = 0x4000 }},
		{"rank", 0, 2, func(m *device.TensorMap) {
			m.Dims, m.Strides, m.Box, m.ElementStrides = m.Dims[:3], m.Strides[:2], m.Box[:3], m.ElementStrides[:3]
		}},
		{"box_dim", 1, 7, func(m *device.TensorMap) { m.Box[1] = 7 }},
		{"global_dim", 0, 77, func(m *device.TensorMap) { m.Dims[0] = 77 }},
		{"global_dim", 4, 1<<32 - 1, func(m *device.TensorMap) { m.Dims[4] = 1<<32 - 1 }},
		{"global_stride", 0, 160, func(m *device.TensorMap) { m.Strides[0] = 160 }},
		{"global_stride", 3, 320, func(m *device.TensorMap) { m.Strides[3] = 320 }},
		{"element_stride", 2, 8, func(m *device.TensorMap) { m.ElementStrides[2] = 8 }},
		{"elemtype", 0, 6, func(m *device.TensorMap) { m.Type = device.MapF16 }},
		{"swizzle_mode", 0, 3, func(m *device.TensorMap) { m.Swizzle = device.Swizzle128B }},
		{"interleave_layout", 0, 1, func(m *device.TensorMap) { m.Interleave = device.Interleave16B }},
		{"fill_mode", 0, 0, func(m *device.TensorMap) { m.Fill = device.FillZero }},
	} {
		t.Run(c.field, func(t *testing.T) {
			f, ok := FieldOf(c.field)
			require.True(t, ok)
			require.True(t, f.Ordinals == 0 && c.ordinal == 0 || c.ordinal < f.Ordinals)
			enc := Encode(example())
			require.NoError(t, f.Replace((*[128]byte)(&enc), c.ordinal, c.value))
			want := example()
			c.want(&want)
			got, err := Decode((*[128]byte)(&enc))
			require.NoError(t, err)
			require.Equal(t, want, got.arguments())
		})
	}
	_, ok := FieldOf("swizzle_atomicity")
	require.False(t, ok, "sm_90a has no such field")
}

// TestElementTypes checks tensormap.replace's numbers, which differ from the
// driver's from 8 on.
func TestElementTypes(t *testing.T) {
	f, _ := FieldOf("elemtype")
	require.Equal(t, uint64(12), f.Most)
	for value, want := range map[uint64]device.MapType{
		0: device.MapU8, 3: device.MapS32, 7: device.MapF32, 8: device.MapF32FTZ, 9: device.MapF64,
		10: device.MapBF16, 11: device.MapTF32, 12: device.MapTF32FTZ,
	} {
		enc := Encode(example())
		require.NoError(t, f.Replace((*[128]byte)(&enc), 0, value))
		require.Equal(t, byte(want), enc[offType])
	}
}

// TestFieldTooLarge: a value that does not fit must not turn into one that does.
func TestFieldTooLarge(t *testing.T) {
	f, _ := FieldOf("element_stride")
	enc := Encode(example())
	require.NoError(t, f.Replace((*[128]byte)(&enc), 0, 1<<16+1))
	_, err := Decode((*[128]byte)(&enc))
	require.EqualError(t, err, "tensor map: ElementStrides[0] is 65535; an element stride is 1 to 8, and 1 takes every element")
}

// TestReplaceFromZeros builds a map as Triton's kernels do, from 128 zeros.
func TestReplaceFromZeros(t *testing.T) {
	var enc [128]byte
	set := func(name string, ordinal int, value uint64) {
		f, ok := FieldOf(name)
		require.True(t, ok)
		require.NoError(t, f.Replace(&enc, ordinal, value))
	}
	set("global_address", 0, 0x10000)
	set("rank", 0, 1)
	_, err := Decode(&enc)
	require.EqualError(t, err, "tensor map: Dims[0] is 0; a dimension has 1 to 2^32 elements", "half a map is none")
	for i, v := range [][3]uint64{{64, 4096, 1}, {128, 8192, 1}} {
		set("box_dim", i, v[0])
		set("global_dim", i, v[1])
		set("element_stride", i, v[2])
	}
	set("global_stride", 0, 8192)
	set("elemtype", 0, 10)
	set("swizzle_mode", 0, 3)
	m, err := Decode(&enc)
	require.NoError(t, err)
	require.Equal(t, device.TensorMap{
		Type: device.MapBF16, Address: 0x10000, Dims: []uint64{4096, 8192}, Strides: []uint64{8192},
		Box: []uint32{64, 128}, ElementStrides: []uint32{1, 1}, Swizzle: device.Swizzle128B,
	}, m.arguments())
}

func TestReplaceInGarbage(t *testing.T) {
	f, _ := FieldOf("rank")
	garbage := [128]byte{1, 2, 3}
	require.Equal(t, errNoMap, f.Replace(&garbage, 0, 1))
	require.Equal(t, [128]byte{1, 2, 3}, garbage)
}

func FuzzDecode(f *testing.F) {
	enc := Encode(example())
	f.Add(enc[:])
	f.Fuzz(func(t *testing.T, b []byte) {
		var raw [128]byte
		copy(raw[:], b)
		m, err := Decode(&raw)
		if err != nil {
			return
		}
		corner := make([]int32, m.Rank)
		box, err := m.At(corner)
		if err != nil {
			require.NotEqual(t, device.InterleaveNone, m.Interleave)
			return
		}
		for row := range box.Rows(0, box.NumRows()) {
			require.LessOrEqual(t, row.Lo, row.Hi)
			require.LessOrEqual(t, row.Hi, box.RowBytes())
		}
	})
}
