package tma

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

const base = 0x10000

// content is global memory: every byte differs from its neighbours.
func content(a uint64) byte { return byte(a*7 ^ a>>8 ^ a>>13) }

func decode(t testing.TB, m device.TensorMap) *Map {
	require.NoError(t, m.Validate())
	enc := Encode(m)
	d, err := Decode((*[128]byte)(&enc))
	require.NoError(t, err)
	return d
}

// tensors has one tensor of odd sizes per rank, whose boxes cross its edges.
func tensors() []device.TensorMap {
	return []device.TensorMap{
		{Dims: []uint64{37}, Box: []uint32{16}},
		{Dims: []uint64{37, 11}, Strides: []uint64{160}, Box: []uint32{16, 9}},
		{Dims: []uint64{37, 5, 3}, Strides: []uint64{160, 960}, Box: []uint32{16, 4, 2}},
		{Dims: []uint64{37, 5, 3, 4}, Strides: []uint64{160, 960, 3200}, Box: []uint32{16, 3, 2, 2}},
		{Dims: []uint64{37, 3, 3, 3, 2}, Strides: []uint64{160, 480, 1600, 4800}, Box: []uint32{16, 2, 2, 3, 2}},
	}
}

// corners of a box in a tensor of such a rank and elements of so many bytes:
// x is in units of 16 bytes, y in elements.
func corners(rank, size int) map[string][]int32 {
	all := func(x, y int32) []int32 {
		c := make([]int32, rank)
		for i := range c {
			c[i] = y
		}
		c[0] = 16 / int32(size) * x
		return c
	}
	return map[string][]int32{
		"inside":            all(0, 0),
		"inside, not first": all(1, 1),
		"past the end":      all(int32(37*size/16-1), 2),
		"before the start":  all(-1, -1),
		"all before":        all(-9, -20),
		"all past":          all(20, 9),
		"extremes":          []int32{-1 << 31, 1<<31 - 1, -1 << 31, 1<<31 - 1, -1 << 31}[:rank],
	}
}

// TestAgainstReference moves every box there and back for all swizzles, ranks,
// edges, element strides and fills, and in two parts.
func TestAgainstReference(t *testing.T) {
	for _, m := range tensors() {
		m.Address = base
		for _, typ := range []device.MapType{device.MapU8, device.MapF16, device.MapF32} {
			for s := device.SwizzleNone; s <= device.Swizzle128B; s++ {
				for _, step := range []uint32{0, 2, 3} {
					m := m
					m.Type, m.Swizzle = typ, s
					if step > 0 {
						m.ElementStrides = []uint32{step, step, step, step, step}[:len(m.Dims)]
					}
					if s.Span() > 0 {
						m.Box = append([]uint32{min(16, uint32(s.Span()/m.Type.Bytes()))}, m.Box[1:]...)
					}
					if m.Type.Float() && step == 2 {
						m.Fill = device.FillNaN
					}
					for name, corner := range corners(len(m.Dims), typ.Bytes()) {
						t.Run(fmt.Sprintf("rank %d/%v/%v/step %d/%s", len(m.Dims), m.Type, s, step, name), func(t *testing.T) {
							thereAndBack(t, m, corner)
						})
					}
				}
			}
		}
	}
}

func thereAndBack(t *testing.T, m device.TensorMap, corner []int32) {
	const box, size = 384, 1 << 15 // not a multiple of the swizzle's repeat
	b, err := decode(t, m).At(corner)
	require.NoError(t, err)
	n := b.NumRows()

	mem := make([]byte, size)
	for i := range mem {
		mem[i] = 0xa5
	}
	for _, part := range [][2]int{{n / 3, n}, {0, n / 3}} {
		for row := range b.Rows(part[0], part[1]) {
			src := make([]byte, row.Hi-row.Lo)
			for i := range src {
				src[i] = content(row.Global + uint64(i))
			}
			b.Put(mem, box, row, src)
		}
	}
	require.Equal(t, referenceLoad(m, corner, content, box, size, 0xa5), mem)

	s, err := b.Store()
	if slices.Min(corner) < 0 {
		require.ErrorContains(t, err, "a store's corner must not be negative")
		return
	}
	require.NoError(t, err)
	written := map[uint64]byte{}
	for row := range s.Rows(0, n) {
		dst := make([]byte, row.Hi-row.Lo)
		s.Get(dst, mem, box, row)
		for i, v := range dst {
			written[row.Global+uint64(i)] = v
		}
	}
	require.Equal(t, referenceStore(m, corner, mem, box), written)
}

// TestMeasured holds results of single loads on an H200: the first element of
// each row at its byte offset in shared memory. Element (x, y) is 256y + x.
func TestMeasured(t *testing.T) {
	for _, c := range []struct {
		name   string
		box    []uint32
		steps  []uint32
		swz    device.Swizzle
		corner []int32
		at     uint32            // of the box in shared memory
		want   map[uint32]uint16 // byte offset from the box: element
		bytes  int
	}{
		{"element stride 2 moves every other row", []uint32{8, 8}, []uint32{1, 2}, 0, []int32{0, -1}, 0,
			map[uint32]uint16{0: 0, 16: 0x100, 32: 0x300, 48: 0x500}, 64},
		{"the innermost element stride is ignored", []uint32{16, 2}, []uint32{2, 1}, 0, []int32{0, 0}, 0,
			map[uint32]uint16{0: 0, 2: 1, 30: 15, 32: 0x100}, 64},
		{"rows of 16 bytes lie 128 apart with a 128-byte swizzle", []uint32{8, 8}, nil, device.Swizzle128B, []int32{0, 0}, 0,
			map[uint32]uint16{0: 0, 128 + 16: 0x100, 256 + 32: 0x200}, 128},
		{"rows of 96 bytes too", []uint32{48, 4}, nil, device.Swizzle128B, []int32{0, 0}, 0,
			map[uint32]uint16{0: 0, 128: 0x108, 128 + 16: 0x100, 256: 0x210, 256 + 32: 0x200, 384: 0x318}, 384},
		{"rows of 16 bytes lie 64 apart with a 64-byte swizzle", []uint32{8, 8}, nil, device.Swizzle64B, []int32{0, 0}, 0,
			map[uint32]uint16{0: 0, 64: 0x100, 128 + 16: 0x200}, 128},
		{"the pattern follows the address, not the box", []uint32{64, 4}, nil, device.Swizzle128B, []int32{0, 0}, 128,
			map[uint32]uint16{0: 8, 16: 0, 128: 0x110, 256: 0x218}, 512},
		{"32-byte spans flip with address bit 7", []uint32{16, 4}, nil, device.Swizzle32B, []int32{0, 0}, 128,
			map[uint32]uint16{0: 8, 16: 0, 32: 0x108, 96: 0x308}, 128},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := decode(t, device.TensorMap{
				Type: device.MapU16, Address: base, Dims: []uint64{256, 64}, Strides: []uint64{512},
				Box: c.box, ElementStrides: c.steps, Swizzle: c.swz,
			}).At(c.corner)
			require.NoError(t, err)
			require.Equal(t, c.bytes, b.Bytes())
			mem := make([]byte, 4096)
			for row := range b.Rows(0, b.NumRows()) {
				src := make([]byte, row.Hi-row.Lo)
				for i := range src {
					src[i] = byte((row.Global + uint64(i) - base) / 2 >> (8 * (i % 2)))
				}
				b.Put(mem, c.at, row, src)
			}
			for off, want := range c.want {
				require.Equal(t, want, uint16(mem[c.at+off])|uint16(mem[c.at+off+1])<<8, "byte %d", off)
			}
		})
	}
}

// TestStoreMeasured: an H200 writes whole units of 16 bytes at a ragged edge.
func TestStoreMeasured(t *testing.T) {
	for _, c := range []struct {
		typ      device.MapType
		dim, box int
		x        int32
		want     int // bytes written
	}{
		{device.MapU16, 19, 16, 16, 16},
		{device.MapU16, 19, 32, 0, 48},
		{device.MapU16, 16, 32, 0, 32},
		{device.MapU16, 17, 32, 0, 48},
		{device.MapU16, 1, 32, 0, 16},
		{device.MapU8, 19, 64, 0, 32},
		{device.MapF32, 9, 16, 0, 48},
		{device.MapU16, 19, 16, 32, 0},
	} {
		b, err := decode(t, device.TensorMap{Type: c.typ, Address: base, Dims: []uint64{uint64(c.dim)}, Box: []uint32{uint32(c.box)}}).At([]int32{c.x})
		require.NoError(t, err)
		s, err := b.Store()
		require.NoError(t, err)
		for row := range s.Rows(0, 1) {
			require.Equal(t, c.want, row.Hi-row.Lo, "%+v", c)
		}
	}
}

func TestAtRefuses(t *testing.T) {
	matrix := device.TensorMap{Type: device.MapF16, Address: base, Dims: []uint64{256, 64}, Strides: []uint64{512}, Box: []uint32{64, 8}}
	inter := device.TensorMap{Type: device.MapF16, Address: base, Dims: []uint64{64, 8, 8}, Strides: []uint64{128, 1024},
		Box: []uint32{8, 8, 8}, Interleave: device.Interleave16B}
	for _, c := range []struct {
		name   string
		m      device.TensorMap
		corner []int32
		want   string
	}{
		{"rank", matrix, []int32{0, 0, 0}, "3 coordinates for a tensor map of rank 2"},
		{"interleave", inter, []int32{0, 0, 0}, "the tensor map has 16-byte interleave, which the emulator does not model"},
		{"corner between units", matrix, []int32{-3, 0},
			"coordinate -3 of 2-byte elements starts the box at byte -6 of its rows, which must be a multiple of 16: make the innermost coordinate a multiple of 8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := decode(t, c.m).At(c.corner)
			require.EqualError(t, err, c.want)
		})
	}
	b, err := decode(t, matrix).At([]int32{0, -1})
	require.NoError(t, err)
	_, err = b.Store()
	require.EqualError(t, err, "coordinate 1 is -1: a store's corner must not be negative")
}

func BenchmarkPut(bench *testing.B) {
	for s := device.SwizzleNone; s <= device.Swizzle128B; s++ {
		bench.Run(fmt.Sprintf("%d-byte rows, %v", rowBytes(s), s), func(bench *testing.B) {
			b, err := decode(bench, device.TensorMap{
				Type: device.MapF16, Address: base, Dims: []uint64{4096, 4096}, Strides: []uint64{8192},
				Box: []uint32{uint32(rowBytes(s) / 2), 128}, Swizzle: s,
			}).At([]int32{64, 128})
			require.NoError(bench, err)
			mem, src := make([]byte, 1<<15), make([]byte, 256)
			bench.SetBytes(int64(b.Bytes()))
			for bench.Loop() {
				for row := range b.Rows(0, b.NumRows()) {
					b.Put(mem, 0, row, src[:row.Hi-row.Lo])
				}
			}
		})
	}
}

func rowBytes(s device.Swizzle) int {
	if s == device.SwizzleNone {
		return 128
	}
	return s.Span()
}
