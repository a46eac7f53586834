package devicetest

import (
	"fmt"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

// The tensor of these tests: f16 elements, ragged against every box and against
// the 16 bytes that the copy engine moves at once, and rows with a pitch of
// more than their elements. Corners are multiples of 16 bytes along a row.
const (
	tensorCols  = 100
	tensorRows  = 37
	tensorPitch = 104 // elements
	boxRows     = 32
	rightEdge   = 88 // a corner whose boxes all hang over the last column
	storeCols   = 96 // of the tensor that is stored to: whole 16 bytes, see testTensorStore
	untouched   = 0xFFFF
)

// swizzles has each mode with its span in bytes; a box row fills the span, and
// without a swizzle it has 64 bytes.
var swizzles = []struct {
	name string
	mode device.Swizzle
	row  int
}{
	{"none", device.SwizzleNone, 64},
	{"32B", device.Swizzle32B, 32},
	{"64B", device.Swizzle64B, 64},
	{"128B", device.Swizzle128B, 128},
}

// swizzled is where the byte at offset o of a box lies in shared memory, from
// a base aligned to 1024 bytes (PTX 5.5.7): each mode XORs the number of the
// 16-byte chunk with address bits from 7 on.
func swizzled(mode device.Swizzle, o int) int {
	switch mode {
	case device.Swizzle32B:
		return o ^ o>>7&1<<4
	case device.Swizzle64B:
		return o ^ o>>7&3<<4
	case device.Swizzle128B:
		return o ^ o>>7&7<<4
	}
	return o
}

// tensor is the bits of the test's tensor, different in every element; the
// pitch beyond the columns holds what no box may show.
func tensor() []uint16 {
	bits := make([]uint16, tensorRows*tensorPitch)
	for i := range bits {
		bits[i] = untouched
		if i%tensorPitch < tensorCols {
			bits[i] = uint16(i + 1)
		}
	}
	return bits
}

func (r rig) tensorMap(p device.Ptr, width int, mode device.Swizzle, cols int) device.Arg {
	m, err := r.EncodeTiled(device.TensorMap{
		Type:    device.MapF16,
		Address: p,
		Dims:    []uint64{uint64(width), tensorRows},
		Strides: []uint64{2 * tensorPitch},
		Box:     []uint32{uint32(cols), boxRows},
		Swizzle: mode,
	})
	require.NoError(r, err)
	return device.Map(m)
}

// testTensorLoad loads boxes from inside the tensor, over its edges and from
// outside it; what lies outside must come as zeros.
func testTensorLoad(r rig) {
	k := r.kernel("tma.ptx", "load")
	bits := tensor()
	src := r.put(bits)
	for _, s := range swizzles {
		cols := s.row / 2
		bytes := s.row * boxRows
		arg := r.tensorMap(src, tensorCols, s.mode, cols)
		for _, corner := range [][2]int{{0, 0}, {16, 5}, {rightEdge, 16}, {-8, -3}, {tensorPitch, 0}, {0, 1000}} {
			out := r.blank(bytes / 4)
			r.run(k, line(1, 128), arg, device.Pointer(out),
				device.Int32(int32(corner[0])), device.Int32(int32(corner[1])), device.Uint32(uint32(bytes)))
			want := make([]uint16, bytes/2)
			for i := range want {
				x, y := corner[0]+i%cols, corner[1]+i/cols
				if x >= 0 && x < tensorCols && y >= 0 && y < tensorRows {
					want[swizzled(s.mode, 2*i)/2] = bits[y*tensorPitch+x]
				}
			}
			got := make([]uint16, bytes/2)
			r.get(out, got)
			r.same(want, got, fmt.Sprintf("swizzle %s, corner %v", s.name, corner))
			require.NoError(r, r.Free(out))
		}
	}
}

// testTensorStore stores boxes inside the tensor and over its edges; nothing
// may be written outside it. Its rows end at a multiple of 16 bytes: where they
// do not, an H200 (driver 580.159) was seen to write the rest of the last 16
// bytes too, into the pitch behind the row.
func testTensorStore(r rig) {
	k := r.kernel("tma.ptx", "store")
	for _, s := range swizzles {
		cols := s.row / 2
		bytes := s.row * boxRows
		box := make([]uint16, bytes/2)
		for i := range box {
			box[i] = uint16(20_000 + i)
		}
		src := r.put(box)
		for _, corner := range [][2]int{{0, 0}, {8, 5}, {rightEdge, 16}} {
			want := tensor()
			for i := range box {
				x, y := corner[0]+i%cols, corner[1]+i/cols
				if x < storeCols && y < tensorRows {
					want[y*tensorPitch+x] = box[swizzled(s.mode, 2*i)/2]
				}
			}
			dst := r.put(tensor())
			r.run(k, line(1, 128), r.tensorMap(dst, storeCols, s.mode, cols), device.Pointer(src),
				device.Int32(int32(corner[0])), device.Int32(int32(corner[1])), device.Uint32(uint32(bytes)))
			got := make([]uint16, len(want))
			r.get(dst, got)
			r.same(want, got, fmt.Sprintf("swizzle %s, corner %v", s.name, corner))
		}
	}
}

// same ends the test at the first element that differs.
func (r rig) same(want, got []uint16, what string) {
	for i := range want {
		require.Equal(r, want[i], got[i], "%s: element %d", what, i)
	}
}
