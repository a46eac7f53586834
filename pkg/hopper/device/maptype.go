package device

import "fmt"

// mapTypes has the name and the size in bytes of each MapType.
var mapTypes = [...]struct {
	name  string
	bytes int
}{
	MapU8:      {"u8", 1},
	MapU16:     {"u16", 2},
	MapU32:     {"u32", 4},
	MapS32:     {"s32", 4},
	MapU64:     {"u64", 8},
	MapS64:     {"s64", 8},
	MapF16:     {"f16", 2},
	MapF32:     {"f32", 4},
	MapF64:     {"f64", 8},
	MapBF16:    {"bf16", 2},
	MapF32FTZ:  {"f32.ftz", 4},
	MapTF32:    {"tf32", 4},
	MapTF32FTZ: {"tf32.ftz", 4},
}

func (t MapType) valid() bool { return 0 <= t && int(t) < len(mapTypes) }

// Bytes is the size of an element; 0 for a value that is no MapType.
func (t MapType) Bytes() int {
	if !t.valid() {
		return 0
	}
	return mapTypes[t].bytes
}

// Float reports whether elements are floating point, so that FillNaN applies.
func (t MapType) Float() bool { return t >= MapF16 && t.valid() }

func (t MapType) String() string {
	if !t.valid() {
		return fmt.Sprintf("MapType(%d)", int(t))
	}
	return mapTypes[t].name
}

// Span is the number of bytes of shared memory within which s permutes 16-byte
// chunks: 32, 64 or 128, and 0 for SwizzleNone. It is also the pitch of a
// swizzled box's rows in shared memory.
func (s Swizzle) Span() int {
	if s <= SwizzleNone || s > Swizzle128B {
		return 0
	}
	return 16 << s
}

func (s Swizzle) String() string {
	switch {
	case s == SwizzleNone:
		return "no swizzle"
	case s.Span() > 0:
		return fmt.Sprintf("%d-byte swizzle", s.Span())
	}
	return fmt.Sprintf("Swizzle(%d)", int(s))
}

func (i Interleave) String() string {
	switch i {
	case InterleaveNone:
		return "no interleave"
	case Interleave16B:
		return "16-byte interleave"
	case Interleave32B:
		return "32-byte interleave"
	}
	return fmt.Sprintf("Interleave(%d)", int(i))
}
