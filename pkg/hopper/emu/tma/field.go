package tma

import (
	"encoding/binary"
	"math"

	"gohopper/pkg/hopper/device"
)

// Field is a field of an encoded map that tensormap.replace changes (PTX
// 9.7.9).
type Field struct {
	Bits      int    // of the new value, 32 or 64
	Ordinals  int    // how many of it there are; 0 for a field without ordinal
	Immediate bool   // the value is an immediate, from 0 to Most
	Most      uint64 // of an immediate
	offset    int
	size      int // bytes of one
	store     func(value uint64) uint64
}

// FieldOf finds a field by its name in PTX, such as "global_dim"; false for
// one that sm_90a does not have.
func FieldOf(name string) (Field, bool) {
	f, ok := fields[name]
	return f, ok
}

var fields = map[string]Field{
	"global_address": {Bits: 64, offset: offAddress, size: 8},
	// PTX gives the rank less one.
	"rank":           {Bits: 32, offset: offRank, size: 1, store: func(v uint64) uint64 { return v + 1 }},
	"box_dim":        {Bits: 32, Ordinals: maxRank, offset: offBox, size: 4},
	"global_dim":     {Bits: 32, Ordinals: maxRank, offset: offDims, size: 8},
	"global_stride":  {Bits: 64, Ordinals: maxRank - 1, offset: offStrides, size: 8}, // bytes, of dimension ordinal+1
	"element_stride": {Bits: 32, Ordinals: maxRank, offset: offSteps, size: 2},
	"elemtype": {Bits: 32, Immediate: true, Most: uint64(len(elementTypes) - 1), offset: offType, size: 1,
		store: func(v uint64) uint64 { return uint64(elementTypes[v]) }},
	"interleave_layout": {Bits: 32, Immediate: true, Most: 2, offset: offInterleave, size: 1},
	"swizzle_mode":      {Bits: 32, Immediate: true, Most: 3, offset: offSwizzle, size: 1},
	"fill_mode":         {Bits: 32, Immediate: true, Most: 1, offset: offFill, size: 1},
}

// elementTypes are tensormap.replace's numbers of the element types, which
// from 8 on are not the driver's (PTX 9.7.9, confirmed by measurement).
var elementTypes = [...]device.MapType{
	device.MapU8, device.MapU16, device.MapU32, device.MapS32, device.MapU64, device.MapS64,
	device.MapF16, device.MapF32, device.MapF32FTZ, device.MapF64, device.MapBF16, device.MapTF32, device.MapTF32FTZ,
}

// Replace changes the field in an encoded map, as if the map had been encoded
// with the value. The ordinal must be below Ordinals, an immediate at most
// Most. A value that the field cannot hold is stored as the largest it can,
// which Decode refuses. The error says that the bytes are no map; 128 zeros
// are one without content, so a kernel may build a map from them.
func (f Field) Replace(m *[128]byte, ordinal int, value uint64) error {
	le := binary.LittleEndian
	if *m == [128]byte{} {
		le.PutUint32(m[offMagic:], magic)
	}
	if !marked(m) {
		return errNoMap
	}
	if f.store != nil {
		value = f.store(value)
	}
	value = min(value, math.MaxUint64>>(64-8*f.size))
	var b [8]byte
	le.PutUint64(b[:], value)
	copy(m[f.offset+ordinal*f.size:], b[:f.size])
	return nil
}
