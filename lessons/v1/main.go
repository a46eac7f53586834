// V1 hands the multiplication to a warpgroup: WGMMA reads both operands
// straight from shared memory, and registers hold only the accumulator.
package main

import (
	"flag"
	"os"

	"gohopper/internal/lab"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
)

var lesson = lab.Lesson[Tile]{
	Name:   "v1",
	Title:  "WGMMA straight from shared memory",
	Tile:   DefaultTile,
	Flags:  flags,
	Space:  []Tile{{64, 128, 64}, {64, 256, 64}, {128, 96, 64}, {128, 128, 64}, {128, 160, 64}, {128, 192, 64}},
	Kernel: Kernel,
	Plan:   plan,
	Small:  matrix.Shape{M: 200, N: 264, K: 328},
}

func main() { os.Exit(lab.Main(lesson, os.Args[1:], os.Stdout, os.Stderr)) }

func flags(fs *flag.FlagSet, t *Tile) {
	fs.IntVar(&t.M, "tile-m", t.M, "rows of C that one CTA computes")
	fs.IntVar(&t.N, "tile-n", t.N, "columns of C that one CTA computes")
}

// plan launches one CTA for each tile of C.
func plan(t Tile, s matrix.Shape, sms int) lab.Plan {
	return lab.Plan{
		Grid: [3]int{lab.CeilDiv(s.N, t.N), lab.CeilDiv(s.M, t.M), 1},
		BoxA: lab.Box{Rows: t.M, Cols: t.K, Swizzle: hopper.Swizzle128B},
		BoxB: lab.Box{Rows: t.N, Cols: t.K, Swizzle: hopper.Swizzle128B},
	}
}
