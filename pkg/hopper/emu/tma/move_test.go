package tma

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

// TestTF32Measured: a load of a tf32 map rounds, on an H200.
func TestTF32Measured(t *testing.T) {
	in := []uint32{1, 0x007fffff, 0x80000001, 0x3f800001, 0x3f801000, 0x3f801fff, 0x3f803000, 0x7f800001,
		0x7fc00001, 0xffffffff, 0x7f7fffff, 0x3f800fff, 0x3f803001, 0x7f800000, 0x800000, 0x3f802000}
	want := []uint32{0, 0x00800000, 0x80000000, 0x3f800000, 0x3f800000, 0x3f802000, 0x3f804000, 0x7fffe000,
		0x7fffe000, 0x7fffe000, 0x7f800000, 0x3f800000, 0x3f804000, 0x7f800000, 0x800000, 0x3f802000}
	for typ, want := range map[device.MapType][]uint32{
		device.MapTF32: want, device.MapTF32FTZ: want, device.MapF32: in, device.MapF32FTZ: in,
	} {
		b, err := decode(t, device.TensorMap{Type: typ, Address: base, Dims: []uint64{16}, Box: []uint32{16}}).At([]int32{0})
		require.NoError(t, err)
		var src []byte
		for _, v := range in {
			src = binary.LittleEndian.AppendUint32(src, v)
		}
		mem := make([]byte, 64)
		for row := range b.Rows(0, 1) {
			b.Put(mem, 0, row, src)
		}
		for i, v := range want {
			require.Equal(t, v, binary.LittleEndian.Uint32(mem[4*i:]), "%v: %#x", typ, in[i])
		}
	}
}
