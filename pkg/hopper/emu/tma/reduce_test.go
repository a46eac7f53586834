package tma

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

// TestReductionMeasured holds what cp.reduce.async.bulk.tensor gave on an H200.
func TestReductionMeasured(t *testing.T) {
	const M = 0xffffffff
	intsA := []uint64{5, 0, M, M >> 1, 7, 3, 10, 1, 2, 3, 4, 9}
	intsB := []uint64{5, 0, 1, 1, 3, 7, 9, M, 0, M >> 1, 4, 10}
	halfA := []uint64{0x3c00, 0x3c01, 0x0001, 0x83ff, 0x7bff, 0x7c00, 0x7e01, 0x7c01, 0xfc00, 0x8000, 0x0000, 0x6800}
	halfB := []uint64{0x3c00, 0x1000, 0x0001, 0x0001, 0x7bff, 0xfc00, 0x3c00, 0x3c00, 0x3c00, 0x0000, 0x8000, 0x3c00}
	brainA := []uint64{0x3f80, 0x3f81, 0x0001, 0x807f, 0x7f7f, 0x7f80, 0x7fc1, 0x7f81, 0xff80, 0x8000, 0x0000, 0x4380}
	brainB := []uint64{0x3f80, 0x3b80, 0x0001, 0x0001, 0x7f7f, 0xff80, 0x3f80, 0x3f80, 0x3f80, 0x0000, 0x8000, 0x3f80}
	floatA := []uint64{0x3f800000, 0x3f800001, 1, 0x807fffff, 0x7f7fffff, 0x7f800000, 0x7fc00001, 0x7f800001, 0xff800000, 0x80000000, 0, 0x4b800000}
	floatB := []uint64{0x3f800000, 0x33800000, 1, 1, 0x7f7fffff, 0xff800000, 0x3f800000, 0x3f800000, 0x3f800000, 0, 0x80000000, 0x3f800000}
	for _, c := range []struct {
		op   string
		t    device.MapType
		a, b []uint64
		want []uint64
	}{
		{"add", device.MapU32, intsA, intsB, []uint64{10, 0, 0, 0x80000000, 10, 10, 19, 0, 2, 0x80000002, 8, 19}},
		{"min", device.MapU32, intsA, intsB, []uint64{5, 0, 1, 1, 3, 3, 9, 1, 0, 3, 4, 9}},
		{"max", device.MapU32, intsA, intsB, []uint64{5, 0, M, M >> 1, 7, 7, 10, M, 2, M >> 1, 4, 10}},
		{"inc", device.MapU32, intsA, intsB, []uint64{0, 0, 0, 0, 0, 4, 0, 2, 0, 4, 0, 10}},
		{"dec", device.MapU32, intsA, intsB, []uint64{4, 0, 1, 1, 3, 2, 9, 0, 0, 2, 3, 8}},
		{"and", device.MapU32, intsA, intsB, []uint64{5, 0, 1, 1, 3, 3, 8, 1, 0, 3, 4, 8}},
		{"or", device.MapU32, intsA, intsB, []uint64{5, 0, M, M >> 1, 7, 7, 11, M, 2, M >> 1, 4, 11}},
		{"xor", device.MapU32, intsA, intsB, []uint64{0, 0, M - 1, M>>1 - 1, 4, 4, 3, M - 1, 2, M>>1 - 3, 0, 3}},
		{"min", device.MapS32, intsA, intsB, []uint64{5, 0, M, 1, 3, 3, 9, M, 0, 3, 4, 9}},
		{"max", device.MapS32, intsA, intsB, []uint64{5, 0, 1, M >> 1, 7, 7, 10, 1, 2, M >> 1, 4, 10}},
		{"add", device.MapF16, halfA, halfB, []uint64{0x4000, 0x3c02, 2, 0x83fe, 0x7c00, 0x7fff, 0x7fff, 0x7fff, 0xfc00, 0, 0, 0x6800}},
		{"min", device.MapF16, halfA, halfB, []uint64{0x3c00, 0x1000, 1, 0x83ff, 0x7bff, 0xfc00, 0x3c00, 0x3c00, 0xfc00, 0x8000, 0x8000, 0x3c00}},
		{"max", device.MapF16, halfA, halfB, []uint64{0x3c00, 0x3c01, 1, 1, 0x7bff, 0x7c00, 0x3c00, 0x3c00, 0x3c00, 0, 0, 0x6800}},
		{"add", device.MapBF16, brainA, brainB, []uint64{0x4000, 0x3f82, 2, 0x807e, 0x7f80, 0x7fff, 0x7fff, 0x7fff, 0xff80, 0, 0, 0x4380}},
		{"min", device.MapBF16, brainA, brainB, []uint64{0x3f80, 0x3b80, 1, 0x807f, 0x7f7f, 0xff80, 0x3f80, 0x3f80, 0xff80, 0x8000, 0x8000, 0x3f80}},
		{"max", device.MapBF16, brainA, brainB, []uint64{0x3f80, 0x3f81, 1, 1, 0x7f7f, 0x7f80, 0x3f80, 0x3f80, 0x3f80, 0, 0, 0x4380}},
		{"add", device.MapF32, floatA, floatB, []uint64{0x40000000, 0x3f800002, 2, 0x807ffffe, 0x7f800000, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0xff800000, 0, 0, 0x4b800000}},
		{"add", device.MapTF32, floatA, floatB, []uint64{0x40000000, 0x3f800002, 2, 0x807ffffe, 0x7f800000, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0xff800000, 0, 0, 0x4b800000}},
		{"add", device.MapF32FTZ, floatA, floatB, []uint64{0x40000000, 0x3f800002, 0, 0, 0x7f800000, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0xff800000, 0, 0, 0x4b800000}},
		{"add", device.MapF64, []uint64{0x3ff0000000000000}, []uint64{0x3ff0000000000000}, []uint64{0x4000000000000000}},
		{"max", device.MapS64, []uint64{1<<64 - 1, 10}, []uint64{1, 9}, []uint64{1, 10}},
	} {
		t.Run(c.op+" "+c.t.String(), func(t *testing.T) {
			r, ok := ReductionOf(c.op, c.t)
			require.True(t, ok)
			mask := ^uint64(0) >> (64 - 8*c.t.Bytes())
			for i := range c.want {
				require.Equal(t, c.want[i], r(c.a[i], c.b[i])&mask, "%#x %s %#x", c.a[i], c.op, c.b[i])
			}
		})
	}
}

// TestReductionMissing: the combinations that an H200 answers with an illegal
// instruction.
func TestReductionMissing(t *testing.T) {
	all := []string{"add", "min", "max", "inc", "dec", "and", "or", "xor"}
	for typ, ops := range map[device.MapType][]string{
		device.MapU8: all, device.MapU16: all,
		device.MapS32: {"inc", "dec"}, device.MapU64: {"inc", "dec"}, device.MapS64: {"add", "inc", "dec", "and", "or", "xor"},
		device.MapF16: {"inc", "dec", "and", "or", "xor"}, device.MapBF16: {"inc", "dec", "and", "or", "xor"},
		device.MapF32: all[1:], device.MapF64: all[1:], device.MapF32FTZ: all[1:], device.MapTF32: all[1:], device.MapTF32FTZ: all[1:],
	} {
		for _, op := range ops {
			_, ok := ReductionOf(op, typ)
			require.False(t, ok, "%s %v", op, typ)
		}
	}
}
