package lab

import (
	"errors"
	"flag"
	"io"
	"strings"
	"time"

	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
)

type tile struct{ M, N, K int }

// mistake is what the kernel of a fixture does wrong.
type mistake string

const (
	none      mistake = ""
	incorrect mistake = "leaves the first K tile out"
	hasty     mistake = "does not wait for its loads"
	waiting   mistake = "waits for bytes that nobody sends"
)

// fixture is a lesson with a kernel of one warpgroup, small and plain, that
// makes one mistake or none.
func fixture(m mistake) Lesson[tile] {
	return Lesson[tile]{
		Name: "fixture", Title: "a lesson for tests", Tile: tile{64, 64, 64},
		Flags: func(fs *flag.FlagSet, t *tile) {
			fs.IntVar(&t.M, "tile-m", t.M, "rows of a tile")
			fs.IntVar(&t.N, "tile-n", t.N, "columns of a tile")
		},
		Space:  []tile{{64, 64, 64}, {64, 128, 64}},
		Kernel: func(t tile, e hopper.Elem) *hopper.Kernel { return multiply(t, e, m) },
		Plan: func(t tile, s matrix.Shape, sms int) Plan {
			return Plan{
				Grid: [3]int{CeilDiv(s.N, t.N), CeilDiv(s.M, t.M), 1},
				BoxA: Box{t.M, t.K, hopper.Swizzle128B}, BoxB: Box{t.N, t.K, hopper.Swizzle128B},
			}
		},
		Small: matrix.Shape{M: 72, N: 80, K: 136},
	}
}

func multiply(t tile, e hopper.Elem, m mistake) *hopper.Kernel {
	k := hopper.New("fixture", hopper.Threads(128))
	a, b := k.TensorMap("a"), k.TensorMap("b")
	rows, cols, depth := k.Int32("m"), k.Int32("n"), k.Int32("k")
	c := k.Matrix("c", e, rows, cols)
	sa, sb := k.Shared(e, t.M, t.K, hopper.Swizzle128B), k.Shared(e, t.N, t.K, hopper.Swizzle128B)
	full := k.Mbarrier()
	k.OneThread(func() {
		full.Init(1)
		k.FenceMbarrierInit()
	})
	k.Sync()
	row, col := k.BlockIdx(1).Mul(t.M), k.BlockIdx(0).Mul(t.N)
	acc := k.Accumulator(t.M, t.N)
	acc.Zero()
	phase := k.Var(0)
	first, extra := 0, 0
	if m == incorrect {
		first = t.K
	}
	if m == waiting {
		extra = 16
	}
	for x := range k.Range(first, depth, t.K) {
		k.OneThread(func() {
			full.ArriveExpectTx(sa.Bytes() + sb.Bytes() + extra)
			k.TMALoad(sa, a.At(x, row), full)
			k.TMALoad(sb, b.At(x, col), full)
		})
		if m != hasty {
			full.Wait(phase)
		}
		k.WgmmaFence()
		k.Wgmma(acc, sa, sb)
		k.WgmmaCommit()
		k.WgmmaWait(0)
		k.Sync()
		phase.Set(phase.Xor(1))
	}
	k.StoreGlobal(c, row, col, acc)
	return k
}

// card is a device that passes for a GPU: an emulator computes, and a window
// of launches takes as long as the test says.
type card struct {
	*emu.Machine
	windows   []window
	library   device.Library // nil: there is none
	kernelMS  float64        // of one launch
	libraryMS float64
	calls     int // of the library
}

// window is one timed window.
type window struct {
	of string // "kernel" or "library"
	at time.Time
}

var (
	_ device.Timer        = (*card)(nil)
	_ device.Sensor       = (*card)(nil)
	_ device.LibraryOwner = (*card)(nil)
)

func newCard() *card {
	c := &card{Machine: emu.New(emu.Config{Seed: 1}), kernelMS: 1, libraryMS: 1.25}
	c.library = &yardstick{c}
	return c
}

func (c *card) Info() device.Info {
	i := c.Machine.Info()
	i.Name, i.Real, i.Driver, i.CUDA = "a card", true, "1.2", "13.0"
	return i
}

func (c *card) Time(work func() error) (float64, error) {
	w, each, before := window{"kernel", time.Now()}, c.kernelMS, c.calls
	err := work()
	if c.calls > before {
		w.of, each = "library", c.libraryMS
	}
	c.windows = append(c.windows, w)
	ms := Iterations * each
	time.Sleep(time.Duration(ms * float64(time.Millisecond)))
	return ms, err
}

func (c *card) Read() (device.Reading, error) {
	return device.Reading{SMClockMHz: 1700, MemClockMHz: 3201, PowerW: 650, TempC: 61}, nil
}

func (c *card) Library() (device.Library, error) {
	if c.library == nil {
		return nil, errors.New("libcublas.so is not there")
	}
	return c.library, nil
}

// order is what was timed.
func (c *card) order() string {
	var of []string
	for _, w := range c.windows {
		of = append(of, w.of)
	}
	return strings.Join(of, " ")
}

// yardstick is a library that is fast and wrong: it leaves zeros in C, so that
// what it leaves is never taken for the kernel's result.
type yardstick struct{ card *card }

func (y *yardstick) Name() string { return "a library 1.0" }

func (y *yardstick) MatMul(t device.ElemType, m, n, k int, a, b, c device.Ptr) error {
	y.card.calls++
	return y.card.Fill(c, 0, m*n*2)
}

func (y *yardstick) Close() error { return nil }

// pipe is a reader that has gone away.
type pipe struct{}

func (pipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
