package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// grid is the tiles of C, and the order in which they are taken.
type grid struct {
	rows, cols   int // of tiles
	tileM, tileN int
	group        int
	across       bool // groups are of rows, not of columns
}

// place is a tile's row and column.
type place struct{ row, col int }

// The small copies by which the kernel of an order shows where it is: the first
// rows of the tile's A and B, half as wide as a swizzle atom.
const (
	probeRows = 8
	probeCols = 32
)

// kernel records a kernel that takes all tiles in order and loads a little of A
// and of B for each, by the words and the arithmetic of the lessons. Its one
// CTA stands for all.
func (g grid) kernel() *hopper.Kernel {
	k := hopper.New("order", hopper.Threads(32))
	a, b := k.TensorMap("a"), k.TensorMap("b")
	rows, cols := k.Int32("rows"), k.Int32("cols")
	sa := k.Shared(hopper.F16, probeRows, probeCols, hopper.Swizzle64B)
	sb := k.Shared(hopper.F16, probeRows, probeCols, hopper.Swizzle64B)
	full := k.Mbarrier()
	k.OneThread(func() {
		full.Init(1)
		k.FenceMbarrierInit()
		phase := k.Var(0)
		for tile := range k.Range(0, rows.Mul(cols), 1) {
			var row, col hopper.Int
			if g.across {
				col, row = k.GroupedRaster(tile, cols, rows, g.group)
			} else {
				row, col = k.GroupedRaster(tile, rows, cols, g.group)
			}
			full.ArriveExpectTx(sa.Bytes() + sb.Bytes())
			k.TMALoad(sa, a.At(0, row.Mul(g.tileM)), full)
			k.TMALoad(sb, b.At(0, col.Mul(g.tileN)), full)
			full.Wait(phase)
			phase.Set(phase.Xor(1))
		}
	})
	return k
}

// order runs the kernel on the emulator and reads from the coordinates of its
// copies which tile it took when.
func (g grid) order() ([]place, error) {
	k := g.kernel()
	recorded, err := k.Module()
	if err != nil {
		return nil, err
	}
	seen := &corners{grid: g}
	m := emu.New(emu.Config{Workers: 1, Observe: func(event.Launch) event.Observer { return seen }})
	defer m.Close()
	module, err := m.Load(ptx.PrintBare(recorded))
	if err != nil {
		return nil, err
	}
	kernel, err := module.Kernel(k.Name())
	if err != nil {
		return nil, err
	}
	args, err := g.arguments(m)
	if err != nil {
		return nil, err
	}
	l := device.Launch{Grid: [3]int{1, 1, 1}, Block: [3]int{k.ThreadsPerCTA(), 1, 1}, Shared: k.SharedBytes()}
	if err := kernel.Launch(l, args...); err != nil {
		return nil, err
	}
	if found := m.Findings(); len(found) > 0 {
		return nil, fmt.Errorf("the kernel of the order misbehaved: %s", found[0])
	}
	return seen.order, nil
}

// arguments is the kernel's parameters. All rows of the matrices are the same
// few bytes of memory: the strides are 0.
func (g grid) arguments(m *emu.Machine) ([]device.Arg, error) {
	const bytes = probeCols * 2
	memory, err := m.Alloc(bytes)
	if err != nil {
		return nil, err
	}
	if err := m.Fill(memory, 0, bytes); err != nil {
		return nil, err
	}
	var args []device.Arg
	for _, rows := range []int{g.rows * g.tileM, g.cols * g.tileN} {
		encoded, err := m.EncodeTiled(device.TensorMap{
			Type: device.MapF16, Address: memory, Dims: []uint64{probeCols, uint64(rows)}, Strides: []uint64{0},
			Box: []uint32{probeCols, probeRows}, Swizzle: device.Swizzle64B,
		})
		if err != nil {
			return nil, err
		}
		args = append(args, device.Map(encoded))
	}
	return append(args, device.Int32(int32(g.rows)), device.Int32(int32(g.cols))), nil
}

// corners is the observer that reads the copies' coordinates: a tile's row from
// that of A, its column from that of B, which follows.
type corners struct {
	grid  grid
	row   int
	order []place
}

func (c *corners) Cluster([][3]int) event.Sink { return c }

func (c *corners) Findings() []event.Finding { return nil }

func (c *corners) Finish(bool) []event.Finding { return nil }

// Take notes a copy when it starts.
func (c *corners) Take(e *event.Event) {
	if e.Kind != event.Start || e.Unit != event.BulkLoad {
		return
	}
	switch e.Tensor {
	case "a":
		c.row = int(e.Corner[1]) / c.grid.tileM
	case "b":
		c.order = append(c.order, place{c.row, int(e.Corner[1]) / c.grid.tileN})
	}
}

// wave is the tiles that are in progress at one time.
type wave struct {
	tiles      []place
	rows, cols map[int]bool // that they touch
}

// waves cuts an order into as many tiles at a time as there are SMs.
func waves(order []place, sms int) []wave {
	var all []wave
	for from := 0; from < len(order); from += sms {
		w := wave{tiles: order[from:min(from+sms, len(order))], rows: map[int]bool{}, cols: map[int]bool{}}
		for _, p := range w.tiles {
			w.rows[p.row], w.cols[p.col] = true, true
		}
		all = append(all, w)
	}
	return all
}

// operands is the rows of A and of B that a wave's tiles need: all different
// ones, each once, and with none of them shared.
func (w wave) operands(g grid) (shared, alone int) {
	return len(w.rows)*g.tileM + len(w.cols)*g.tileN, len(w.tiles) * (g.tileM + g.tileN)
}

// megabytes is rows of a matrix of K columns of 2 bytes, in 10^6 bytes.
func megabytes(rows, k int) string {
	return strconv.FormatFloat(float64(rows)*float64(k)*2/1e6, 'f', 1, 64)
}

// sortedPlaces is places in the order of rows, then columns.
func sortedPlaces(list []place) []place {
	return slices.SortedFunc(slices.Values(list), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.col, b.col))
	})
}
