// V3 splits the CTA by role: one warp produces tiles, a warpgroup consumes
// them, and two barriers for each stage carry the word between them.
package main

import (
	"flag"
	"os"

	"gohopper/internal/lab"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
)

var lesson = lab.Lesson[Tile]{
	Name:   "v3",
	Title:  "producer warp, consumer warpgroup",
	Tile:   DefaultTile,
	Flags:  flags,
	Space:  []Tile{{128, 128, 64, 2}, {128, 128, 64, 3}, {128, 128, 64, 4}, {128, 160, 64, 3}, {128, 160, 64, 4}, {128, 192, 64, 4}, {128, 192, 64, 5}},
	Kernel: Kernel,
	Plan:   plan,
	Small:  matrix.Shape{M: 200, N: 264, K: 328},
}

func main() { os.Exit(lab.Main(lesson, os.Args[1:], os.Stdout, os.Stderr)) }

func flags(fs *flag.FlagSet, t *Tile) {
	fs.IntVar(&t.M, "tile-m", t.M, "rows of C that one CTA computes")
	fs.IntVar(&t.N, "tile-n", t.N, "columns of C that one CTA computes")
	fs.IntVar(&t.Stages, "stages", t.Stages, "slices of K that the ring holds")
}

// plan launches one CTA for each tile of C.
func plan(t Tile, s matrix.Shape, sms int) lab.Plan {
	return lab.Plan{
		Grid: [3]int{lab.CeilDiv(s.N, t.N), lab.CeilDiv(s.M, t.M), 1},
		BoxA: lab.Box{Rows: t.M, Cols: t.K, Swizzle: hopper.Swizzle128B},
		BoxB: lab.Box{Rows: t.N, Cols: t.K, Swizzle: hopper.Swizzle128B},
	}
}
