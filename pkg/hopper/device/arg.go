package device

import (
	"encoding/binary"
	"math"
)

// Arg is the bytes of one kernel argument, little-endian, as the parameter's
// type lays them out.
type Arg []byte

// Int32 makes a .s32 or .u32 argument.
func Int32(v int32) Arg { return binary.LittleEndian.AppendUint32(nil, uint32(v)) }

// Uint32 makes a .u32 or .b32 argument.
func Uint32(v uint32) Arg { return binary.LittleEndian.AppendUint32(nil, v) }

// Int64 makes a .s64 or .u64 argument.
func Int64(v int64) Arg { return binary.LittleEndian.AppendUint64(nil, uint64(v)) }

// Float32 makes a .f32 argument.
func Float32(v float32) Arg { return binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)) }

// Pointer makes a .u64 argument that holds a device address.
func Pointer(p Ptr) Arg { return binary.LittleEndian.AppendUint64(nil, uint64(p)) }

// Map makes an argument of 128 bytes, a tensor map passed by value to a
// ".param .align 64 .b8 name[128]".
func Map(m EncodedMap) Arg { return append(Arg(nil), m[:]...) }
