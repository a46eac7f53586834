// V5 keeps one group of WGMMAs in flight at all times, and releases a stage
// one turn after the group that read it.
package main

import (
	"flag"
	"os"

	"gohopper/internal/lab"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
)

var lesson = lab.Lesson[Tile]{
	Name:   "v5",
	Title:  "one WGMMA group always in flight",
	Tile:   DefaultTile,
	Flags:  flags,
	Space:  []Tile{{128, 192, 64, 5, 8}, {128, 256, 64, 3, 8}, {128, 256, 64, 4, 4}, {128, 256, 64, 4, 8}, {128, 256, 64, 4, 16}},
	Kernel: Kernel,
	Plan:   plan,
	Small:  matrix.Shape{M: 200, N: 264, K: 328},
}

func main() { os.Exit(lab.Main(lesson, os.Args[1:], os.Stdout, os.Stderr)) }

func flags(fs *flag.FlagSet, t *Tile) {
	fs.IntVar(&t.M, "tile-m", t.M, "rows of C that one CTA computes")
	fs.IntVar(&t.N, "tile-n", t.N, "columns of C that one CTA computes")
	fs.IntVar(&t.Stages, "stages", t.Stages, "slices of K that the ring holds")
	fs.IntVar(&t.Group, "group", t.Group, "columns of tiles in a raster group")
}

// plan launches one CTA for each tile of C, in the order that the kernel's
// raster gives them.
func plan(t Tile, s matrix.Shape, sms int) lab.Plan {
	return lab.Plan{
		Grid: [3]int{lab.CeilDiv(s.M, t.M) * lab.CeilDiv(s.N, t.N), 1, 1},
		BoxA: lab.Box{Rows: t.M, Cols: t.K, Swizzle: hopper.Swizzle128B},
		BoxB: lab.Box{Rows: t.N, Cols: t.K, Swizzle: hopper.Swizzle128B},
	}
}
