package num

import (
	"math"
	"math/big"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// standard describes a format as its standard does, in other terms than the
// code under test: fields of exponent and fraction, values by definition.
type standard struct {
	name               string
	exponent, fraction int
	infinite           bool // top exponent holds infinity and NaNs; otherwise only all ones is NaN
	round              func(float64) uint32
	round32            func(float32) uint32
	truncate           func(float32) uint32
	value              func(uint32) float32
}

var standards = []standard{
	{"f16", 5, 10, true,
		func(v float64) uint32 { return uint32(F16FromFloat64(v)) },
		func(v float32) uint32 { return uint32(F16FromFloat32(v)) },
		func(v float32) uint32 { return uint32(F16Truncate(v)) },
		func(c uint32) float32 { return F16(c).Float32() }},
	{"bf16", 8, 7, true,
		func(v float64) uint32 { return uint32(BF16FromFloat64(v)) },
		func(v float32) uint32 { return uint32(BF16FromFloat32(v)) },
		func(v float32) uint32 { return uint32(BF16Truncate(v)) },
		func(c uint32) float32 { return BF16(c).Float32() }},
	{"e4m3", 4, 3, false,
		func(v float64) uint32 { return uint32(E4M3NonSaturating(v)) },
		nil, nil,
		func(c uint32) float32 { return E4M3(c).Float32() }},
	{"e5m2", 5, 2, true,
		func(v float64) uint32 { return uint32(E5M2NonSaturating(v)) },
		nil, nil,
		func(c uint32) float32 { return E5M2(c).Float32() }},
}

func (s standard) signBit() uint32 { return 1 << (s.exponent + s.fraction) }

// values are the finite non-negative values in the order of their codes.
func (s standard) values() []float64 {
	bias := 1<<(s.exponent-1) - 1
	var out []float64
	for code := range s.signBit() {
		e, f := int(code>>s.fraction), float64(code&(1<<s.fraction-1))
		if s.infinite && e == 1<<s.exponent-1 || code == s.signBit()-1 {
			break
		}
		unit := math.Pow(2, float64(-s.fraction))
		if e == 0 {
			out = append(out, f*unit*math.Pow(2, float64(1-bias)))
		} else {
			out = append(out, (1+f*unit)*math.Pow(2, float64(e-bias)))
		}
	}
	return out
}

func TestDecodeEveryCode(t *testing.T) {
	for _, s := range standards {
		t.Run(s.name, func(t *testing.T) {
			values := s.values()
			for code := range s.signBit() {
				plus, minus := float64(s.value(code)), float64(s.value(code|s.signBit()))
				switch {
				case int(code) < len(values):
					require.Equal(t, values[code], plus, "code %#x", code)
					require.Equal(t, math.Float64bits(-values[code]), math.Float64bits(minus), "code %#x", code|s.signBit())
				case s.infinite && int(code) == len(values):
					require.Equal(t, math.Inf(1), plus)
					require.Equal(t, math.Inf(-1), minus)
				default:
					require.True(t, math.IsNaN(plus) && math.IsNaN(minus), "code %#x", code)
				}
			}
		})
	}
}

// TestRoundAroundEveryTie rounds each value, each midpoint of two neighbours
// and the closest float64 on both sides of it, for both signs.
func TestRoundAroundEveryTie(t *testing.T) {
	for _, s := range standards {
		t.Run(s.name, func(t *testing.T) {
			values := s.values()
			last := len(values) - 1
			// Rounding sees one more value, where overflow begins.
			values = append(values, 2*values[last]-values[last-1])
			for code := range uint32(last + 1) {
				low, high := values[code], values[code+1]
				middle := low/2 + high/2
				even := code + code&1
				for _, c := range []struct {
					v    float64
					want uint32
				}{
					{low, code},
					{math.Nextafter(middle, 0), code},
					{middle, even},
					{math.Nextafter(middle, math.Inf(1)), code + 1},
					{math.Nextafter(high, 0), code + 1},
				} {
					want, negative := c.want, c.want|s.signBit()
					if int(want) > last && !s.infinite {
						negative = want // NaN
					}
					require.Equal(t, want, s.round(c.v), "%v between %v and %v", c.v, low, high)
					require.Equal(t, negative, s.round(-c.v), "%v between %v and %v", -c.v, low, high)
				}
				if s.round32 == nil {
					continue
				}
				m := float32(middle) // exact: both formats have 8 bits less than float32
				for _, c := range []struct {
					v             float32
					near, towards uint32
				}{
					{float32(low), code, code},
					{math.Nextafter32(m, 0), code, code},
					{m, even, code},
					{math.Nextafter32(m, float32(math.Inf(1))), code + 1, code},
				} {
					require.Equal(t, c.near, s.round32(c.v), "%v", c.v)
					require.Equal(t, c.near|s.signBit(), s.round32(-c.v), "%v", -c.v)
					require.Equal(t, c.towards, s.truncate(c.v), "truncate %v", c.v)
					require.Equal(t, c.towards|s.signBit(), s.truncate(-c.v), "truncate %v", -c.v)
				}
			}
		})
	}
}

// TestRoundAgainstExactDistances picks the nearest value by exact arithmetic.
func TestRoundAgainstExactDistances(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	exact := func(a, b float64) *big.Float {
		d := new(big.Float).SetPrec(2200)
		d.Sub(new(big.Float).SetPrec(2200).SetFloat64(a), new(big.Float).SetPrec(2200).SetFloat64(b))
		return d.Abs(d)
	}
	for _, s := range standards {
		t.Run(s.name, func(t *testing.T) {
			values := s.values()
			top := math.Ilogb(values[len(values)-1])
			bottom := math.Ilogb(values[1])
			for range 20000 {
				v := math.Ldexp(1+rng.Float64(), bottom-3+rng.IntN(top-bottom+3))
				i := sort.SearchFloat64s(values, v)
				require.Less(t, i, len(values), "the test stays below overflow")
				want := uint32(i)
				if i > 0 {
					switch exact(v, values[i-1]).Cmp(exact(v, values[i])) {
					case -1:
						want = uint32(i - 1)
					case 0:
						want = uint32(i) &^ 1
					}
				}
				require.Equal(t, want, s.round(v), "%v", v)
				require.Equal(t, want|s.signBit(), s.round(-v), "%v", -v)
			}
		})
	}
}

// TestFloat32AgreesWithFloat64 covers float32 bit patterns evenly, subnormals,
// infinities and NaNs included.
func TestFloat32AgreesWithFloat64(t *testing.T) {
	for b := uint64(0); b < 1<<32; b += 9973 {
		f := math.Float32frombits(uint32(b))
		require.Equal(t, F16FromFloat64(float64(f)), F16FromFloat32(f), "%#x", b)
		require.Equal(t, BF16FromFloat64(float64(f)), BF16FromFloat32(f), "%#x", b)
	}
}

func TestNoDoubleRounding(t *testing.T) {
	// Just above a tie of f16; rounded to float32 first it becomes the tie,
	// which then goes down to even.
	v := 1 + 0x1p-11 + 0x1p-40
	assert.Equal(t, F16(0x3C01), F16FromFloat64(v))
	assert.Equal(t, F16(0x3C00), F16FromFloat32(float32(v)))
	v = 1 + 0x1p-8 + 0x1p-40
	assert.Equal(t, BF16(0x3F81), BF16FromFloat64(v))
	assert.Equal(t, E4M3(0x39), E4M3FromFloat64(1+0x1p-4+0x1p-40))
	assert.Equal(t, E5M2(0x3D), E5M2FromFloat64(1+0x1p-3+0x1p-40))
}
