package tma

import (
	"encoding/binary"
	"math"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/num"
)

// Put writes a row of the box into shared memory, whose byte at address 0 is
// mem[0]: src, the row's bytes from Lo to Hi in global memory, and the map's
// fill before and after them. box is the shared address of the box, a multiple
// of 128.
func (b *Box) Put(mem []byte, box uint32, row Row, src []byte) {
	if row.Lo == 0 && row.Hi == b.rowBytes && !b.m.rounds() {
		b.scatter(mem, box+row.Offset, src)
		return
	}
	line := make([]byte, b.rowBytes)
	if b.m.Fill == device.FillNaN {
		fillNaN(line)
	}
	in := line[row.Lo:row.Hi]
	copy(in, src)
	if b.m.rounds() {
		roundTF32(in)
	}
	b.scatter(mem, box+row.Offset, line)
}

// scatter writes a whole row at shared address a. The row lies within one
// span, so the same bits of the chunk index flip for all its chunks.
func (b *Box) scatter(mem []byte, a uint32, line []byte) {
	mask := swizzleMask(b.m.Swizzle)
	if mask == 0 {
		copy(mem[a:], line)
		return
	}
	flip := a >> 3 & mask
	for ; len(line) >= chunk; a, line = a+chunk, line[chunk:] {
		*(*[chunk]byte)(mem[a^flip:]) = [chunk]byte(line)
	}
}

// Get reads a row of the box from shared memory into dst, the row's bytes from
// Lo to Hi.
func (b *Box) Get(dst, mem []byte, box uint32, row Row) {
	a := box + row.Offset
	flip := a >> 3 & swizzleMask(b.m.Swizzle)
	if flip == 0 {
		copy(dst, mem[a+uint32(row.Lo):])
		return
	}
	for a += uint32(row.Lo); len(dst) > 0; {
		n := copy(dst, mem[a^flip:][:chunk-a%chunk])
		a, dst = a+uint32(n), dst[n:]
	}
}

// rounds reports that a load rounds elements to tf32 (measured; f32.ftz does
// not flush).
func (m *Map) rounds() bool { return m.Type == device.MapTF32 || m.Type == device.MapTF32FTZ }

// nanTF32 is what a load of a tf32 map makes of every NaN (measured).
const nanTF32 = 0x7fffe000

// roundTF32 rounds float32 values to tf32, nearest even (measured).
func roundTF32(b []byte) {
	for ; len(b) >= 4; b = b[4:] {
		f := math.Float32frombits(binary.LittleEndian.Uint32(b))
		bits := uint32(nanTF32)
		if f == f {
			bits = math.Float32bits(num.TF32Nearest(f))
		}
		binary.LittleEndian.PutUint32(b, bits)
	}
}

// nanFill is the fill of FillNaN in every 16 bits, whatever the type (measured).
const nanFill = 0x7ff7

func fillNaN(b []byte) {
	for ; len(b) >= 2; b = b[2:] {
		binary.LittleEndian.PutUint16(b, nanFill)
	}
}
