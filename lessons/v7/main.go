// V7 goes past the library with what V6 leaves on the table: tiles chosen by
// shape, an epilogue in a ring of slabs, a K loop that turns round from tile to
// tile, a raster by rows, and a start that overlaps the last kernel's end.
package main

import (
	"flag"
	"os"

	"gohopper/internal/lab"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
)

var lesson = lab.Lesson[Tile]{
	Name:   "v7",
	Title:  "past the library: the tile by shape, and the last few percent",
	Tile:   space[0],
	Choose: choose,
	Flags:  flags,
	Space:  space,
	Kernel: Kernel,
	Plan:   plan,
	Small:  matrix.Shape{M: 1000, N: 968, K: 200},
}

func main() { os.Exit(lab.Main(lesson, os.Args[1:], os.Stdout, os.Stderr)) }

func flags(fs *flag.FlagSet, t *Tile) {
	fs.IntVar(&t.N, "tile-n", t.N, "columns of C that one CTA computes, a multiple of 64, at most 320")
	fs.IntVar(&t.Stages, "stages", t.Stages, "slices of K that the ring holds")
	fs.IntVar(&t.Cluster, "cluster", t.Cluster, "CTAs that share B")
	fs.IntVar(&t.Group, "group", t.Group, "tiles across a raster group")
	fs.IntVar(&t.Raster, "raster", t.Raster, "1: raster groups of columns; 2: of rows")
}

// plan launches at most one CTA for each SM.
func plan(t Tile, s matrix.Shape, sms int) lab.Plan {
	return lab.Plan{
		Grid:    [3]int{t.Cluster * t.clusters(s, sms), 1, 1},
		BoxA:    lab.Box{Rows: consumers * rows, Cols: depth, Swizzle: hopper.Swizzle128B},
		BoxB:    lab.Box{Rows: t.N / t.Cluster, Cols: depth, Swizzle: hopper.Swizzle128B},
		BoxC:    &lab.Box{Rows: rows, Cols: column, Swizzle: hopper.Swizzle64B},
		Overlap: true,
	}
}
