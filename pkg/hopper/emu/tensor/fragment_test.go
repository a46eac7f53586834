package tensor

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/num"
)

// value is an element from its bits, in the low bits of w.
func value(t Type, w uint32) float32 {
	switch t {
	case F16:
		return num.F16(w).Float32()
	case BF16:
		return num.BF16(w).Float32()
	case TF32:
		return math.Float32frombits(w >> 13 << 13)
	case E4M3:
		return num.E4M3(w).Float32()
	case E5M2:
		return num.E5M2(w).Float32()
	case S8:
		return float32(int8(w))
	}
	return float32(uint8(w))
}

// same compares values bit by bit, all NaNs being one.
func same(t *testing.T, want, got float32, where ...any) {
	if math.Float32bits(want) == math.Float32bits(got) || want != want && got != got {
		return
	}
	t.Helper()
	require.Equal(t, math.Float32bits(want), math.Float32bits(got), where...)
}

func randomRegister(rng *rand.Rand) (reg Register) {
	for i := range reg {
		reg[i] = rng.Uint32()
	}
	return reg
}

var operandTypes = []Type{F16, BF16, TF32, E4M3, E5M2, S8, U8}

// A register's elements land where the layout functions say, whatever its
// bits.
func TestLoadFragments(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, ty := range operandTypes {
		bits := 8 * ty.Bytes()
		k := 2 * ty.PerChunk()
		for q := range 4 {
			reg := randomRegister(rng)
			a := make([]Column, k)
			ty.LoadLeft(a, q, &reg)
			for lane := range 32 {
				for e := range 32 / bits {
					row, at := ty.LeftAt(lane, q)
					same(t, value(ty, reg[lane]>>(e*bits)), a[at+e][row], "A type %d lane %d", ty, lane)
				}
			}
			if q >= 2 {
				continue
			}
			b := make([]float32, 8*k)
			ty.LoadRight(Right{b, k, 1}, q, &reg)
			for lane := range 32 {
				for e := range 32 / bits {
					n, at := ty.RightAt(lane, q)
					same(t, value(ty, reg[lane]>>(e*bits)), b[n*k+at+e], "B type %d lane %d", ty, lane)
				}
			}
		}
	}
}

func TestAccumulatorRegisters(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 24
	t.Run("f32", func(t *testing.T) {
		d := make([]Column, n)
		for i := range n / 2 {
			reg := randomRegister(rng)
			reg[7] = 0xffc00001 // a NaN with a payload
			F32.LoadD(d, i, &reg)
			var back Register
			F32.StoreD(&back, d, i)
			for lane, w := range reg {
				row, column := AccumulatorAt(lane, i)
				x := math.Float32frombits(w)
				same(t, x, d[column][row])
				if x != x {
					w = canonicalNaN
				}
				require.Equal(t, w, back[lane])
			}
		}
	})
	t.Run("f16", func(t *testing.T) {
		d := make([]Column, n)
		for i := range n / 4 {
			reg := randomRegister(rng)
			F16.LoadD(d, i, &reg)
			var back Register
			F16.StoreD(&back, d, i)
			for lane, w := range reg {
				row, column := HalfAccumulatorAt(lane, i)
				same(t, value(F16, w), d[column][row])
				same(t, value(F16, w>>16), d[column+1][row])
				same(t, value(F16, w), value(F16, back[lane]))
				same(t, value(F16, w>>16), value(F16, back[lane]>>16))
			}
		}
	})
	t.Run("s32", func(t *testing.T) {
		d := make([]Column, n)
		for i := range n / 2 {
			reg := randomRegister(rng)
			before := reg
			S32.LoadD(d, i, &reg)
			for lane := range 32 {
				row, column := AccumulatorAt(lane, i)
				require.Zero(t, d[column][row])
				d[column][row] = float32(-lane)
			}
			S32.StoreD(&reg, d, i)
			for lane := range 32 {
				require.Equal(t, before[lane]-uint32(lane), reg[lane])
			}
		}
	})
}

// The code for this machine's processor does what the plain Go does.
func TestPortableTwins(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	t.Run("spread and collect", func(t *testing.T) {
		for range 100 {
			reg := randomRegister(rng)
			reg[rng.IntN(32)] = 0x7f800123
			var fast, plain [8]Column
			odd, row := rng.IntN(2), 8*rng.IntN(2)
			spread(&fast, odd, row, &reg)
			spreadPortable(&plain, odd, row, &reg)
			for c := range fast {
				for r := range fast[c] {
					same(t, plain[c][r], fast[c][r])
				}
			}
			var fastBack, plainBack Register
			collect(&fastBack, &fast, odd, row)
			collectPortable(&plainBack, &plain, odd, row)
			require.Equal(t, plainBack, fastBack)
		}
	})
	t.Run("every 16-bit code", func(t *testing.T) {
		memory := make([]byte, 1<<17)
		addresses := make([]uint32, 0, 1<<13)
		for code := range 1 << 16 {
			memory[2*code], memory[2*code+1] = byte(code), byte(code>>8)
			if code%8 == 0 {
				addresses = append(addresses, uint32(2*code))
			}
		}
		for _, ty := range []Type{F16, BF16} {
			fast, plain := make([]float32, 1<<16), make([]float32, 1<<16)
			ty.widenChunks(fast, memory, addresses)
			ty.widenChunksPortable(plain, memory, addresses)
			for code := range fast {
				same(t, value(ty, uint32(code)), plain[code], "%#x", code)
				same(t, plain[code], fast[code], "%#x", code)
			}
		}
	})
}
