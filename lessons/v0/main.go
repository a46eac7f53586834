// V0 multiplies matrices on Hopper's tensor cores in the simplest way that
// still feeds them by TMA: tiles come into shared memory, travel through
// registers by ldmatrix, and are multiplied by mma.sync.
//
// This program spells the host's part out, step by step. The later lessons
// leave the same steps to internal/lab.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"gohopper/internal/lab"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/ptx"
)

const title = "TMA into shared memory, ldmatrix and mma.sync through registers"

// small is the shape that the emulator runs by default, ragged on every side.
var small = matrix.Shape{M: 200, N: 264, K: 328}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("v0", flag.ContinueOnError)
	fs.SetOutput(stderr)
	o := lab.NewOptions(fs, small)
	t := DefaultTile
	tileFlags(fs, &t)
	if err := o.Parse(args); err != nil {
		return o.Refuse(err)
	}
	if err := lesson(o, t, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "v0: %v\n", err)
		return 1
	}
	return 0
}

func tileFlags(fs *flag.FlagSet, t *Tile) {
	fs.IntVar(&t.M, "tile-m", t.M, "rows of C that one CTA computes")
	fs.IntVar(&t.N, "tile-n", t.N, "columns of C that one CTA computes")
	fs.IntVar(&t.WarpsM, "warps-m", t.WarpsM, "warps that share the rows of the tile")
	fs.IntVar(&t.WarpsN, "warps-n", t.WarpsN, "warps that share the columns of the tile")
}

func lesson(o *lab.Options, t Tile, stdout, stderr io.Writer) error {
	//region record
	kernel := Kernel(t, o.Elem.Word)
	module, err := kernel.Module()
	if err != nil {
		return err
	}
	text := ptx.Print(module)
	//endregion record
	if o.PTX {
		_, err := io.WriteString(stdout, text)
		return err
	}

	dev, err := o.Open(stderr)
	if err != nil {
		return err
	}
	defer dev.Close()
	s := o.ShapeOn(dev)

	//region data
	a := matrix.Fill(s.M, s.K, o.Elem.Format, uint64(o.Seed), 0)
	b := matrix.Fill(s.N, s.K, o.Elem.Format, uint64(o.Seed), 1)
	var at [3]device.Ptr // A, B and C
	for i, bytes := range []int{len(a.Bytes()), len(b.Bytes()), s.M * s.N * o.Elem.Format.Size()} {
		if at[i], err = dev.Alloc(bytes); err != nil {
			return err
		}
		defer dev.Free(at[i])
	}
	if err := dev.Upload(at[0], a.Bytes()); err != nil {
		return err
	}
	if err := dev.Upload(at[1], b.Bytes()); err != nil {
		return err
	}
	//endregion data

	//region maps
	mapA, err := tensorMap(dev, o.Elem, at[0], s.M, s.K, t.M, t.K)
	if err != nil {
		return fmt.Errorf("tensor map of A: %w", err)
	}
	mapB, err := tensorMap(dev, o.Elem, at[1], s.N, s.K, t.N, t.K)
	if err != nil {
		return fmt.Errorf("tensor map of B: %w", err)
	}
	//endregion maps

	//region load
	start := time.Now()
	loaded, err := dev.Load(text)
	if err != nil {
		return err
	}
	defer loaded.Close()
	compile := time.Since(start)
	entry, err := loaded.Kernel(kernel.Name())
	if err != nil {
		return err
	}
	//endregion load

	//region launch
	grid := [3]int{(s.N + t.N - 1) / t.N, (s.M + t.M - 1) / t.M, 1}
	launch := func() error {
		return entry.Launch(
			device.Launch{Grid: grid, Block: [3]int{t.Threads(), 1, 1}, Shared: kernel.SharedBytes()},
			device.Map(mapA), device.Map(mapB),
			device.Int32(int32(s.M)), device.Int32(int32(s.N)), device.Int32(int32(s.K)),
			device.Pointer(at[2]))
	}
	//endregion launch

	//region verify
	ref, err := o.Reference(a, b)
	if err != nil {
		return err
	}
	w := &lab.Work{
		Lesson: "v0", Kernel: kernel.Name(), Tile: lab.Values(tileFlags, t), Shape: s, Elem: o.Elem,
		PtrA: at[0], PtrB: at[1], PtrC: at[2],
		Text: text, Log: loaded.Log(), Compile: compile, Resources: entry.Resources(),
		Threads: t.Threads(), Shared: kernel.SharedBytes(), CTAs: grid[0] * grid[1],
		Launch: launch,
	}
	lab.Introduce(stdout, "v0", title, dev, w)
	return lab.Conduct(o, dev, w, ref, stdout, stderr)
	//endregion verify
}

// tensorMap describes a row-major matrix of rows x cols to the TMA engine, to
// be copied in boxes of boxRows x boxCols. Every list begins with the innermost
// dimension, the columns.
func tensorMap(dev device.Device, e lab.Elem, p device.Ptr, rows, cols, boxRows, boxCols int) (device.EncodedMap, error) {
	//region tensormap
	return dev.EncodeTiled(device.TensorMap{
		Type:        e.Map,
		Address:     p,
		Dims:        []uint64{uint64(cols), uint64(rows)},
		Strides:     []uint64{uint64(cols * e.Format.Size())}, // bytes from row to row
		Box:         []uint32{uint32(boxCols), uint32(boxRows)},
		Swizzle:     device.Swizzle128B,
		L2Promotion: device.L2256B,
	})
	//endregion tensormap
}
