package nvcctest

import (
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

// bytewise applies f to the bytes of two words.
func bytewise(u, v uint32, f func(a, b uint8) uint8) (w uint32) {
	for i := 0; i < 32; i += 8 {
		w |= uint32(f(uint8(u>>i), uint8(v>>i))) << i
	}
	return w
}

// bytePerm picks bytes of the eight in u and v.
func bytePerm(u, v, selector uint32) (w uint32) {
	both := uint64(v)<<32 | uint64(u)
	for i := range 4 {
		w |= uint32(both>>(selector>>(4*i)&7*8)&0xff) << (8 * i)
	}
	return w
}

func distance(a, b int64) uint32 { return uint32(max(a-b, b-a)) }

// integerResults are what the kernel "integers" makes of x and y.
func integerResults(x, y int32) []uint32 {
	u, v := uint32(x), uint32(y)
	both := uint64(v)<<32 | uint64(u)
	shift := v & 31
	ffs := 0
	if x != 0 {
		ffs = bits.TrailingZeros32(u) + 1
	}
	dot := int32(7)
	for i := 0; i < 32; i += 8 {
		dot += int32(int8(x>>i)) * int32(int8(y>>i))
	}
	halves := uint32(uint16(max(int16(x), int16(y)))) | uint32(uint16(max(int16(x>>16), int16(y>>16))))<<16
	adds := bytewise(u, v, func(a, b uint8) uint8 { return a + b })
	greater := bytewise(u, v, func(a, b uint8) uint8 {
		if a > b {
			return 0xff
		}
		return 0
	})
	return []uint32{
		uint32(x / y), uint32(x % y), u / v, u % v, uint32(x/10 + x%1000),
		uint32(both << (u & 31) >> 32),
		uint32(both >> shift),
		bytePerm(u, v, 0x5140), bytePerm(u, v, v&0x7777),
		bits.Reverse32(u) ^ uint32(ffs) ^ uint32(bits.LeadingZeros32(u))<<8 ^ uint32(bits.OnesCount32(v))<<16,
		uint32(int64(x)*int64(y)>>32) + uint32(uint64(u)*uint64(v)>>32),
		distance(int64(x), int64(y)) + u + distance(int64(u), int64(v)) + 3 +
			uint32((int64(x)+int64(y))>>1) + uint32(x<<8>>8*(y<<8>>8)),
		uint32(dot),
		adds ^ halves ^ greater,
		uint32(int32(int16(x))*int32(int8(y)) + int32(uint8(x)) - int32(uint16(y))),
		uint32(max(x, y)) - min(u, v) + uint32(max(x, -x)),
		uint32(x>>shift) ^ u>>shift ^ u<<shift,
	}
}

func TestIntegers(t *testing.T) {
	every(t, "numeric", func(r rig) {
		const threads = 64
		rng := rand.New(rand.NewPCG(13, 14))
		a, b := make([]int32, threads), make([]int32, threads)
		for i := range a {
			a[i], b[i] = int32(rng.Uint32())>>(i%24), int32(rng.Uint32())>>(i%29)|1
		}
		a[0], a[1], b[2], b[3] = 0, math.MinInt32, math.MaxInt32, math.MinInt32
		b[1] = 3
		n := len(integerResults(1, 1))
		out := r.blank(4 * n * threads)
		r.run("integers", grid(1, 1, threads), device.Pointer(r.put(a)), device.Pointer(r.put(b)), device.Pointer(out))
		got := get[uint32](r, out, n*threads)
		for i := range a {
			for k, want := range integerResults(a[i], b[i]) {
				require.Equal(r, want, got[k*threads+i], "result %d of %#x and %#x", k, uint32(a[i]), uint32(b[i]))
			}
		}
	})
}

// simdResults are what the kernel "simd" makes of x and y.
func simdResults(x, y uint32) []uint32 {
	difference := func(a, b uint8) uint8 { return max(a, b) - min(a, b) }
	bytes := bytewise(x, y, difference)
	low, high := distance(int64(x&0xffff), int64(y&0xffff)), distance(int64(x>>16), int64(y>>16))
	sum := uint32(0)
	for i := 0; i < 32; i += 8 {
		sum += bytes >> i & 0xff
	}
	saturated := min(x&0xffff+y&0xffff, 0xffff) | min(x>>16+y>>16, 0xffff)<<16
	return []uint32{
		bytes, low | high<<16, sum, low + high,
		bytewise(x, y, func(a, b uint8) uint8 { return uint8((int(a) + int(b) + 1) / 2) }),
		saturated,
		bytewise(x, y, func(a, b uint8) uint8 {
			if a > b {
				return 1
			}
			return 0
		}),
		uint32(max(int32(x+y), 5)) + min(x, y, 0x40000000),
	}
}

func TestPackedIntegers(t *testing.T) {
	every(t, "numeric", func(r rig) {
		const threads = 64
		rng := rand.New(rand.NewPCG(17, 18))
		a, b := make([]uint32, threads), make([]uint32, threads)
		for i := range a {
			a[i], b[i] = rng.Uint32(), rng.Uint32()
		}
		n := len(simdResults(0, 0))
		out := r.blank(4 * n * threads)
		r.run("simd", grid(1, 1, threads), device.Pointer(r.put(a)), device.Pointer(r.put(b)), device.Pointer(out))
		got := get[uint32](r, out, n*threads)
		for i := range a {
			for k, want := range simdResults(a[i], b[i]) {
				require.Equal(r, want, got[k*threads+i], "result %d of %#x and %#x", k, a[i], b[i])
			}
		}
	})
}

// wideResults are what the kernel "wide" makes of x and y.
func wideResults(x, y int64) []int64 {
	u, v := uint64(x), uint64(y)
	shift := v & 63
	high := new(big.Int).Mul(big.NewInt(x), big.NewInt(y))
	high.Rsh(high, 64)
	uhigh, ulow := bits.Mul64(u, v)
	low, carry := bits.Add64(ulow, u, 0)
	top := uhigh + carry
	product := int64(top<<27 | low>>37)
	if top > 0 || low > v {
		product++
	}
	ffs := 0
	if x != 0 {
		ffs = bits.TrailingZeros64(u) + 1
	}
	return []int64{
		x / y, x % y, int64(u/v + u%v), x * y,
		high.Int64() ^ int64(uhigh),
		x>>shift ^ int64(u<<shift) ^ int64(u>>shift),
		int64(bits.Reverse64(u)) + int64(bits.LeadingZeros64(u)) + int64(ffs) + int64(bits.OnesCount64(v)),
		product,
		int64(float64(x)*0.5) + int64(math.RoundToEven(float64(y)/3)) + int64(float32(x)),
	}
}

func TestWideIntegers(t *testing.T) {
	every(t, "numeric", func(r rig) {
		const threads = 64
		rng := rand.New(rand.NewPCG(15, 16))
		a, b := make([]int64, threads), make([]int64, threads)
		for i := range a {
			a[i], b[i] = int64(rng.Uint64())>>(i%57+3), int64(rng.Uint64())>>(i%61+1)|1
		}
		a[0] = 0
		n := len(wideResults(1, 1))
		out := r.blank(8 * n * threads)
		r.run("wide", grid(1, 1, threads), device.Pointer(r.put(a)), device.Pointer(r.put(b)), device.Pointer(out))
		got := get[int64](r, out, n*threads)
		for i := range a {
			for k, want := range wideResults(a[i], b[i]) {
				require.Equal(r, want, got[k*threads+i], "result %d of %#x and %#x", k, uint64(a[i]), uint64(b[i]))
			}
		}
	})
}
