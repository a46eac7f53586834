package labtest

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/lab"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/emu"
)

type tile struct{ M, N, K int }

// lesson is the plainest kernel that multiplies with wgmma.
var lesson = lab.Lesson[tile]{
	Name: "lesson", Tile: tile{64, 64, 64}, Small: matrix.Shape{M: 8, N: 8, K: 8},
	Flags: func(fs *flag.FlagSet, t *tile) { fs.IntVar(&t.N, "tile-n", t.N, "columns") },
	Space: []tile{{64, 64, 64}, {64, 128, 64}},
	Plan: func(t tile, s matrix.Shape, sms int) lab.Plan {
		return lab.Plan{
			Grid: [3]int{lab.CeilDiv(s.N, t.N), lab.CeilDiv(s.M, t.M), 1},
			BoxA: lab.Box{Rows: t.M, Cols: t.K, Swizzle: hopper.Swizzle128B},
			BoxB: lab.Box{Rows: t.N, Cols: t.K, Swizzle: hopper.Swizzle128B},
		}
	},
	Kernel: func(t tile, e hopper.Elem) *hopper.Kernel {
		k := hopper.New("plain", hopper.Threads(128))
		a, b := k.TensorMap("a"), k.TensorMap("b")
		m, n, kk := k.Int32("m"), k.Int32("n"), k.Int32("k")
		c := k.Matrix("c", e, m, n)
		sa, sb := k.Shared(e, t.M, t.K, hopper.Swizzle128B), k.Shared(e, t.N, t.K, hopper.Swizzle128B)
		full := k.Mbarrier()
		k.OneThread(func() {
			full.Init(1)
			k.FenceMbarrierInit()
		})
		k.Sync()
		row, col := k.BlockIdx(1).Mul(t.M), k.BlockIdx(0).Mul(t.N)
		acc, phase := k.Accumulator(t.M, t.N), k.Var(0)
		acc.Zero()
		for x := range k.Range(0, kk, t.K) {
			k.OneThread(func() {
				full.ArriveExpectTx(sa.Bytes() + sb.Bytes())
				k.TMALoad(sa, a.At(x, row), full)
				k.TMALoad(sb, b.At(x, col), full)
			})
			full.Wait(phase)
			k.WgmmaFence()
			k.Wgmma(acc, sa, sb)
			k.WgmmaCommit()
			k.WgmmaWait(0)
			k.Sync()
			phase.Set(phase.Xor(1))
		}
		k.StoreGlobal(c, row, col, acc)
		return k
	},
}

func TestVerify(t *testing.T) {
	Verify(t, lesson, Case{Shape: matrix.Shape{M: 65, N: 72, K: 136}, Why: "ragged", Seeds: 2})
	Tiles(t, lesson, matrix.Shape{M: 8, N: 136, K: 64})
}

// TestTwoMachines compares two machines as an emulator and a GPU are compared.
func TestTwoMachines(t *testing.T) {
	other := emu.New(emu.Config{Seed: 99})
	defer other.Close()
	for seed := int64(1); seed <= 2; seed++ {
		verify(t, lesson, Case{Shape: matrix.Shape{M: 65, N: 72, K: 136}, Why: "ragged"}, other, seed)
	}
}

// TestChosenTile: where a lesson chooses its tile by the shape, so do its
// tests.
func TestChosenTile(t *testing.T) {
	l, asked := lesson, matrix.Shape{}
	l.Choose = func(s matrix.Shape, sms int) tile {
		asked = s
		return tile{64, 128, 64}
	}
	dev := emu.New(emu.Config{})
	defer dev.Close()
	s := matrix.Shape{M: 8, N: 136, K: 64}
	w := run(t, l, Case{Shape: s, Why: "chosen"}, dev, 1)
	assert.Equal(t, s, asked)
	assert.Equal(t, map[string]int{"tile-n": 128}, w.Tile)
	require.NotNil(t, w.Result)
}

func TestCommandLine(t *testing.T) { CommandLine(t, Main(lesson), lesson.Flags) }
