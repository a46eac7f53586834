package num

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBulkConversionsAgreeWithSingleOnes(t *testing.T) {
	codes := make([]uint16, 1<<16)
	bytes := make([]uint8, 1<<8)
	for i := range codes {
		codes[i] = uint16(i)
		bytes[i&0xFF] = uint8(i)
	}
	values := make([]float32, len(codes))
	back := make([]uint16, len(codes))

	F16sToFloat32(values, codes)
	Float32sToF16(back, values)
	for i, v := range values {
		require.Equal(t, math.Float32bits(F16(i).Float32()), math.Float32bits(v))
		require.Equal(t, uint16(F16FromFloat32(v)), back[i])
	}
	BF16sToFloat32(values, codes)
	Float32sToBF16(back, values)
	for i, v := range values {
		require.Equal(t, math.Float32bits(BF16(i).Float32()), math.Float32bits(v))
		require.Equal(t, uint16(BF16FromFloat32(v)), back[i])
	}
	E4M3sToFloat32(values, bytes)
	for i := range bytes {
		require.Equal(t, math.Float32bits(E4M3(i).Float32()), math.Float32bits(values[i]))
	}
	E5M2sToFloat32(values, bytes)
	for i := range bytes {
		require.Equal(t, math.Float32bits(E5M2(i).Float32()), math.Float32bits(values[i]))
	}
}

// The benchmarks count the bytes of the narrow side: 2 or 1 an element.
func BenchmarkConvert(b *testing.B) {
	const n = 1 << 14
	narrow, bytes, wide := make([]uint16, n), make([]uint8, n), make([]float32, n)
	for i := range narrow {
		wide[i] = float32(math.Sin(float64(i)))
		narrow[i] = uint16(F16FromFloat32(wide[i]))
		bytes[i] = uint8(E4M3FromFloat32(wide[i]))
	}
	for _, c := range []struct {
		name  string
		bytes int64
		run   func()
	}{
		{"f16 to float32", 2 * n, func() { F16sToFloat32(wide, narrow) }},
		{"bf16 to float32", 2 * n, func() { BF16sToFloat32(wide, narrow) }},
		{"e4m3 to float32", n, func() { E4M3sToFloat32(wide, bytes) }},
		{"e5m2 to float32", n, func() { E5M2sToFloat32(wide, bytes) }},
		{"float32 to f16", 2 * n, func() { Float32sToF16(narrow, wide) }},
		{"float32 to bf16", 2 * n, func() { Float32sToBF16(narrow, wide) }},
		{"float32 to e4m3", n, func() {
			for i, f := range wide {
				bytes[i] = uint8(E4M3FromFloat32(f))
			}
		}},
		{"float64 to f16", 2 * n, func() {
			for i, f := range wide {
				narrow[i] = uint16(F16FromFloat64(float64(f)))
			}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(c.bytes)
			for b.Loop() {
				c.run()
			}
		})
	}
}
