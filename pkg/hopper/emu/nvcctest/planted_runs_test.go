package nvcctest

import (
	"math/rand/v2"
	"slices"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

// How each pair of planted kernels is launched, and what the right one leaves.

type launcher = func(l device.Launch, args ...device.Arg)

func storedOperands(r rig, launch launcher) func() {
	o := r.operands(rand.New(rand.NewPCG(11, 12)), 64, 128, 64)
	launch(grid(1, 1, 128), device.Pointer(o.pa), device.Pointer(o.pb), device.Pointer(o.pc))
	return func() { o.require(r) }
}

func releasedStages(r rig, launch launcher) func() {
	const steps = 6
	o := r.operands(rand.New(rand.NewPCG(13, 14)), 64, 128, 64*steps)
	mapA, mapB := o.maps(r)
	l := grid(1, 1, 160)
	l.Shared = 2*(64+128)*64*2 + 4*8
	launch(l, mapA, mapB, device.Pointer(o.pc), device.Int32(steps))
	return func() { o.require(r) }
}

// maps are the operands in boxes of 64 columns with the 128-byte swizzle.
func (o operands) maps(r rig) (a, b device.Arg) {
	return r.tensorMap(device.MapF16, o.pa, o.m, o.k, 64, 64, device.Swizzle128B),
		r.tensorMap(device.MapF16, o.pb, o.n, o.k, 128, 64, device.Swizzle128B)
}

// oneProduct is a launch of a kernel that multiplies 64 x 64 by 128 x 64.
func oneProduct(r rig, launch launcher) func() {
	o := r.operands(rand.New(rand.NewPCG(15, 16)), 64, 128, 64)
	mapA, mapB := o.maps(r)
	l := grid(1, 1, 128)
	l.Shared = 2*(64+128)*64 + 8
	launch(l, mapA, mapB, device.Pointer(o.pc))
	return func() { o.require(r) }
}

// twoProducts is the same by two warpgroups, one result behind the other.
func twoProducts(r rig, launch launcher) func() {
	o := r.operands(rand.New(rand.NewPCG(17, 18)), 64, 128, 64)
	o.pc = r.blank(2 * 4 * o.m * o.n)
	mapA, mapB := o.maps(r)
	launch(grid(1, 1, 256), mapA, mapB, device.Pointer(o.pc))
	return func() {
		o.require(r)
		c := get[float32](r, o.pc, 2*o.m*o.n)
		require.Equal(r, c[:o.m*o.n], c[o.m*o.n:])
	}
}

// boxesOut is a kernel that stores the numbers from 0 on, box by box.
func boxesOut(r rig, launch launcher) func() {
	const boxes, n = 4, 4 * boxRows * boxCols
	out := r.blank(4 * n)
	m := r.tensorMap(device.MapF32, out, boxes*boxRows, boxCols, boxRows, boxCols, device.SwizzleNone)
	launch(grid(1, 1, 64), m, device.Int32(boxes))
	return func() {
		for i, got := range get[float32](r, out, n) {
			require.Equal(r, float32(i), got, "element %d", i)
		}
	}
}

func neighbour(r rig, launch launcher) func() {
	in := make([]int32, 128)
	for i := range in {
		in[i] = int32(3*i + 1)
	}
	out := r.blank(4 * len(in))
	launch(clusters(4, 32, 2), device.Pointer(r.put(in)), device.Pointer(out))
	return func() {
		for i, got := range get[int32](r, out, len(in)) {
			require.Equal(r, in[i^32], got, "element %d", i)
		}
	}
}

// rowSums sums one row of each box, columnSums all rows.
func rowSums(r rig, launch launcher) func() {
	return r.sums(launch, boxCols, func(box, row int) bool { return row == box })
}

func columnSums(r rig, launch launcher) func() {
	return r.sums(launch, 2*boxCols, func(int, int) bool { return true })
}

func (r rig) sums(launch launcher, threads int, counts func(box, row int) bool) func() {
	const boxes, rows = 5, 5 * boxRows
	in := ramp(rows, boxCols)
	out := r.blank(4 * threads)
	m := r.tensorMap(device.MapF32, r.put(in), rows, boxCols, boxRows, boxCols, device.SwizzleNone)
	launch(grid(1, 1, threads), m, device.Pointer(out), device.Int32(boxes))
	return func() {
		for x, got := range get[float32](r, out, threads) {
			var sum float32
			for y := range rows {
				if counts(y/boxRows, y%boxRows) {
					sum += in[y*boxCols+x%boxCols]
				}
			}
			require.Equal(r, sum, got, "column %d", x)
		}
	}
}

func ownCopies(r rig, launch launcher) func() {
	in := make([]int32, 64)
	for i := range in {
		in[i] = int32(i * i)
	}
	out := r.blank(4 * len(in))
	launch(grid(1, 1, len(in)), device.Pointer(r.put(in)), device.Pointer(out))
	return func() {
		slices.Reverse(in)
		require.Equal(r, in, get[int32](r, out, len(in)))
	}
}

func total(r rig, launch launcher) func() {
	const ctas = 5
	in, want := make([]int32, 32*ctas), int32(0)
	for i := range in {
		in[i] = int32(i%19) - 4
		want += in[i]
	}
	zeros := make([]int32, ctas)
	out := r.blank(4)
	launch(grid(ctas, 1, 32), device.Pointer(r.put(in)), device.Pointer(r.put(zeros)), device.Pointer(r.put(zeros)), device.Pointer(out))
	return func() { require.Equal(r, want, get[int32](r, out, 1)[0]) }
}

// nextBox adds one to a box.
func nextBox(r rig, launch launcher) func() {
	in := ramp(boxRows, boxCols)
	out := r.blank(4 * len(in))
	m := r.tensorMap(device.MapF32, r.put(in), boxRows, boxCols, boxRows, boxCols, device.SwizzleNone)
	launch(grid(1, 1, 64), m, device.Pointer(out))
	return func() { requireNext(r, in, boxCols, get[float32](r, out, len(in)), boxCols) }
}

// numbers is a kernel that leaves in each of its threads' words what is wanted.
func numbers(l device.Launch, rounds int, want func(thread int) int) func(r rig, launch launcher) func() {
	return func(r rig, launch launcher) func() {
		n := l.Grid[0] * l.Block[0]
		out := r.blank(4 * n)
		args := []device.Arg{device.Pointer(out)}
		if rounds > 0 {
			args = append(args, device.Int32(int32(rounds)))
		}
		launch(l, args...)
		return func() {
			for i, got := range get[int32](r, out, n) {
				require.EqualValues(r, want(i), got, "thread %d", i)
			}
		}
	}
}
