package main

import (
	"gohopper/internal/lab"
	"gohopper/internal/matrix"
)

// Tile is the part of C that one CTA computes: 128 rows by N columns, in slices
// of K of which the ring holds Stages. Cluster CTAs, one above the other, share
// B. The raster takes tiles in groups of Group columns or, if Raster is byRows,
// of Group rows.
type Tile struct{ N, Stages, Cluster, Group, Raster int }

// Values of Tile.Raster.
const (
	byColumns = 1
	byRows    = 2
)

const (
	consumers    = 2  // warpgroups that multiply
	rows         = 64 // of C for each of them
	depth        = 64 // elements of K in a stage
	column       = 32 // columns of C in one tile of the epilogue
	consumerRegs = 232
	producerRegs = 40
)

// width is the columns of one WGMMA: a tile of more than 256 takes two.
func (t Tile) width() int {
	if t.N > 256 {
		return t.N / 2
	}
	return t.N
}

// space is the tiles that the lesson chooses among, first the one for 8192 cubed.
var space = []Tile{
	//region space
	{N: 256, Stages: 4, Cluster: 2, Group: 8, Raster: byColumns},
	{N: 320, Stages: 3, Cluster: 2, Group: 8, Raster: byRows},
	{N: 256, Stages: 4, Cluster: 1, Group: 8, Raster: byColumns},
	{N: 128, Stages: 6, Cluster: 1, Group: 8, Raster: byColumns},
	{N: 64, Stages: 8, Cluster: 1, Group: 8, Raster: byColumns},
	//endregion space
}

// sharedBytes is what a CTA may have, and barrierBytes more than its barriers
// take.
const (
	sharedBytes  = 232448
	barrierBytes = 1024
)

// slots is the slabs of a consumer's epilogue ring: as many as fit beside the
// operands, and no more than the tile has.
func (t Tile) slots() int {
	operands := t.Stages * depth * (consumers*rows + t.N) * 2
	free := (sharedBytes - barrierBytes - operands) / (consumers * rows * column * 2)
	return max(1, min(free, t.N/column, 5))
}

// units is the pieces of C that are dealt out to clusters.
func (t Tile) units(s matrix.Shape) int {
	return lab.CeilDiv(s.M, t.Cluster*consumers*rows) * lab.CeilDiv(s.N, t.N)
}

// rounds is how often the card takes a piece for each of its clusters. A
// cluster larger than the card counts as one; recording the kernel refuses it.
func (t Tile) rounds(s matrix.Shape, sms int) int {
	return lab.CeilDiv(t.units(s), max(1, sms/t.Cluster))
}

// clusters is the fewest that need no more rounds than all of them.
func (t Tile) clusters(s matrix.Shape, sms int) int {
	//region clusters
	return lab.CeilDiv(t.units(s), t.rounds(s, sms))
	//endregion clusters
}

// choose takes the tile with the least predicted time. A tile of 128 x N costs
// N*K/16 cycles of the tensor cores; the card takes them in whole rounds. How
// much more a narrow tile costs, since it reads more operands for the same
// work, and what a launch costs, were fitted to an H200 at 1024 to 8192 cubed.
func choose(s matrix.Shape, sms int) Tile {
	//region choose
	best, least := space[0], 0.0
	for i, t := range space {
		slowdown := map[int]float64{320: 1, 256: 1.012, 128: 1.09, 64: 1.4}[t.N]
		start := 5000.0 // cycles of launch, first loads and last stores
		if t.Cluster == 1 {
			slowdown += 0.02
			start -= 1700
		}
		cycles := start + float64(t.rounds(s, sms))*(float64(t.N*s.K)/16*slowdown+1500)
		if i == 0 || cycles < least {
			best, least = t, cycles
		}
	}
	return best
	//endregion choose
}
