// V6 moves registers from the producer to the consumers for a tile of 128 x
// 320, shares B between the two CTAs of a cluster, walks its tiles in a
// persistent loop and stores them through shared memory.
package main

import (
	"flag"
	"os"

	"gohopper/internal/lab"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
)

var lesson = lab.Lesson[Tile]{
	Name:      "v6",
	Title:     "setmaxnreg, cluster multicast, persistent tiles, TMA-store epilogue",
	Tile:      DefaultTile,
	Flags:     flags,
	Space:     []Tile{{128, 256, 64, 4, 8}, {128, 320, 64, 3, 4}, {128, 320, 64, 3, 8}, {128, 320, 64, 3, 16}},
	Ablations: ablations,
	Kernel:    Kernel,
	Plan:      plan,
	Small:     matrix.Shape{M: 1000, N: 968, K: 200},
}

func main() { os.Exit(lab.Main(lesson, os.Args[1:], os.Stdout, os.Stderr)) }

func flags(fs *flag.FlagSet, t *Tile) {
	fs.IntVar(&t.N, "tile-n", t.N, "columns of C that one CTA computes")
	fs.IntVar(&t.Stages, "stages", t.Stages, "slices of K that the ring holds")
	fs.IntVar(&t.Group, "group", t.Group, "columns of tiles in a raster group")
}

// plan launches one CTA for each SM, at most, in whole clusters: the kernel
// loops over the tiles.
func plan(t Tile, s matrix.Shape, sms int) lab.Plan {
	pairs := lab.CeilDiv(s.M, cluster*t.M) * lab.CeilDiv(s.N, t.N)
	return lab.Plan{
		Grid: [3]int{cluster * min(pairs, sms/cluster), 1, 1},
		BoxA: lab.Box{Rows: t.M, Cols: t.K, Swizzle: hopper.Swizzle128B},
		BoxB: lab.Box{Rows: t.N / cluster, Cols: t.K, Swizzle: hopper.Swizzle128B},
		BoxC: &lab.Box{Rows: rows, Cols: slab, Swizzle: hopper.Swizzle64B},
	}
}
