// Package lab is the host program that the lessons after V0 share: choose a
// device, fill the matrices, upload, launch, verify, time, report.
//
// It knows devices, matrices and reports. It must not know any lesson: what
// differs between them arrives in a Lesson value.
package lab

import (
	"flag"
	"fmt"
	"io"

	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
)

// Lesson is what a lesson's main gives to the lab. T is its tile: the
// parameters that its kernel is recorded with.
type Lesson[T any] struct {
	Name  string // "v1"
	Title string // one line
	Tile  T      // the default
	// Choose picks the tile for a shape when no flag names one; nil where it is
	// always Tile.
	Choose func(s matrix.Shape, sms int) T
	// Flags declares a flag for each field of the tile.
	Flags func(*flag.FlagSet, *T)
	// Space is the tiles that -tune measures.
	Space []T
	// Ablations are the claims of the text that -ablate measures; nil for none.
	Ablations func(t T, e Elem, s matrix.Shape, sms int) []Ablation
	// Kernel records the kernel for a tile.
	Kernel func(T, hopper.Elem) *hopper.Kernel
	// Plan says how a tile is launched on a shape.
	Plan func(t T, s matrix.Shape, sms int) Plan
	// Small is the shape that the emulator runs when none is given.
	Small matrix.Shape
}

// TileFor is the tile that a shape gets when no flag names one.
func (l Lesson[T]) TileFor(s matrix.Shape, sms int) T {
	if l.Choose == nil {
		return l.Tile
	}
	return l.Choose(s, sms)
}

// Plan is the launch of one product. The kernel's parameters are the tensor
// maps a and b, then c where the epilogue stores through TMA, then m, n, k,
// and then the pointer c where it does not.
type Plan struct {
	Grid [3]int
	BoxA Box // of the tensor maps: the tile that one load fills
	BoxB Box
	BoxC *Box // nil: the kernel takes a pointer to C
	// Overlap launches the kernel so that it may start before the last one has
	// ended; it must wait for that one itself (device.Launch.Overlap).
	Overlap bool
}

// Box is the box of a tensor map, in elements, with the swizzle of the tile it
// fills.
type Box struct {
	Rows, Cols int
	Swizzle    hopper.Swizzle
}

// Main runs a lesson as a program and returns its exit status: 0 for a
// verified result, 1 for a wrong one or a failure, 2 for a mistake on the
// command line.
func Main[T any](l Lesson[T], args []string, stdout, stderr io.Writer) int {
	tile := l.Tile
	fs := flag.NewFlagSet(l.Name, flag.ContinueOnError)
	fs.SetOutput(stderr)
	o := NewOptions(fs, l.Small)
	fs.BoolVar(&o.Tune, "tune", false, "time every tile of the lesson's tile space on a GPU")
	if l.Ablations != nil {
		fs.StringVar(&o.Ablate, "ablate", "", "measure a claim of the text on a GPU, by `name`, or all")
	}
	l.Flags(fs, &tile)
	if err := o.Parse(args); err != nil {
		return o.Refuse(err)
	}
	if err := l.run(o, tile, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", l.Name, err)
		return 1
	}
	return 0
}
