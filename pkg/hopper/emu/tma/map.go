// Package tma is the address arithmetic of Hopper's tensor copy engine: what a
// tensor map says, which rows of global memory a box covers, where its bytes
// go in shared memory, what stands in for elements outside the tensor, and how
// a reducing store combines elements.
//
// It is pure: it knows no thread, no schedule and no memory of its own. Who
// calls it decides when which rows move and checks that both ends exist.
//
// Facts come from PTX 5.5 (tensors) and the driver API's page on
// cuTensorMapEncodeTiled; what they leave open was measured on an H200 with
// driver 580 and is marked so.
package tma

import (
	"encoding/binary"
	"errors"
	"fmt"

	"gohopper/pkg/hopper/device"
)

const maxRank = 5

// Map is a decoded tensor map. Lists are innermost dimension first; entries
// from Rank on mean nothing.
type Map struct {
	Type       device.MapType
	Rank       int
	Address    uint64
	Dims       [maxRank]uint64 // elements
	Strides    [maxRank]uint64 // bytes; Strides[0] is the size of an element
	Box        [maxRank]uint32 // elements, before element strides
	Steps      [maxRank]uint32 // element strides
	Interleave device.Interleave
	Swizzle    device.Swizzle
	Promotion  device.L2Promotion
	Fill       device.Fill
}

// Layout of the 128 bytes, little-endian. The hardware's layout is not
// published, so this one is ours; kernels change it through Field only.
const (
	offMagic      = 0   // uint32
	offRank       = 4   // uint8
	offType       = 5   // uint8, a device.MapType
	offInterleave = 6   // uint8
	offSwizzle    = 7   // uint8
	offFill       = 8   // uint8
	offPromotion  = 9   // uint8
	offZero       = 10  // 2 bytes, zero
	offBox        = 12  // 5 x uint32
	offAddress    = 32  // uint64
	offDims       = 40  // 5 x uint64
	offStrides    = 80  // 4 x uint64, of dimensions 1 to 4
	offSteps      = 112 // 5 x uint16
	offTail       = 122 // 6 bytes, zero
)

// magic opens every encoded map, so that bytes which are none are noticed.
const magic = 0x70614d54

// Encode lays out a map that t.Validate accepts.
func Encode(t device.TensorMap) device.EncodedMap {
	var m device.EncodedMap
	le := binary.LittleEndian
	le.PutUint32(m[offMagic:], magic)
	m[offRank] = byte(len(t.Dims))
	m[offType] = byte(t.Type)
	m[offInterleave] = byte(t.Interleave)
	m[offSwizzle] = byte(t.Swizzle)
	m[offFill] = byte(t.Fill)
	m[offPromotion] = byte(t.L2Promotion)
	le.PutUint64(m[offAddress:], uint64(t.Address))
	for i := range t.Dims {
		step := uint16(1)
		if t.ElementStrides != nil {
			step = uint16(t.ElementStrides[i])
		}
		le.PutUint32(m[offBox+4*i:], t.Box[i])
		le.PutUint64(m[offDims+8*i:], t.Dims[i])
		le.PutUint16(m[offSteps+2*i:], step)
	}
	for i, s := range t.Strides {
		le.PutUint64(m[offStrides+8*i:], s)
	}
	return m
}

// errNoMap is the error for bytes that are no encoded map.
var errNoMap = errors.New("the 128 bytes are no tensor map: EncodeTiled did not make them, or something overwrote them")

// marked reports whether bytes have the marks of an encoded map.
func marked(b *[128]byte) bool {
	return binary.LittleEndian.Uint32(b[offMagic:]) == magic &&
		[2]byte(b[offZero:]) == [2]byte{} && [6]byte(b[offTail:]) == [6]byte{}
}

// Decode reads an encoded map. The error says that the bytes are no map, or
// which rule of device.TensorMap.Validate a changed map breaks.
func Decode(b *[128]byte) (*Map, error) {
	le := binary.LittleEndian
	if !marked(b) {
		return nil, errNoMap
	}
	m := &Map{
		Type:       device.MapType(b[offType]),
		Rank:       int(b[offRank]),
		Address:    le.Uint64(b[offAddress:]),
		Interleave: device.Interleave(b[offInterleave]),
		Swizzle:    device.Swizzle(b[offSwizzle]),
		Promotion:  device.L2Promotion(b[offPromotion]),
		Fill:       device.Fill(b[offFill]),
	}
	if m.Rank < 1 || m.Rank > maxRank {
		return nil, fmt.Errorf("tensor map: rank is %d; a tensor has 1 to %d dimensions", m.Rank, maxRank)
	}
	for i := range m.Rank {
		m.Box[i] = le.Uint32(b[offBox+4*i:])
		m.Dims[i] = le.Uint64(b[offDims+8*i:])
		m.Steps[i] = uint32(le.Uint16(b[offSteps+2*i:]))
	}
	m.Strides[0] = uint64(m.Type.Bytes())
	for i := 1; i < m.Rank; i++ {
		m.Strides[i] = le.Uint64(b[offStrides+8*(i-1):])
	}
	if err := m.arguments().Validate(); err != nil {
		return nil, err
	}
	return m, nil
}

// arguments are those of cuTensorMapEncodeTiled.
func (m *Map) arguments() device.TensorMap {
	return device.TensorMap{
		Type:           m.Type,
		Address:        device.Ptr(m.Address),
		Dims:           m.Dims[:m.Rank],
		Strides:        m.Strides[1:m.Rank],
		Box:            m.Box[:m.Rank],
		ElementStrides: m.Steps[:m.Rank],
		Interleave:     m.Interleave,
		Swizzle:        m.Swizzle,
		L2Promotion:    m.Promotion,
		Fill:           m.Fill,
	}
}
