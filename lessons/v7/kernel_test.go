package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/internal/lab"
	"gohopper/internal/lab/labtest"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
)

func TestGolden(t *testing.T) {
	labtest.Golden(t, Kernel(space[0], hopper.F16),
		"V6's instructions, with griddepcontrol at the start and a commit group for each slab of the epilogue")
}

// cases are those of one cluster's tile, computed whole by one cluster.
func cases(tile Tile) []labtest.Case {
	unit := matrix.Tile{M: tile.Cluster * consumers * rows, N: tile.N, K: depth}
	all := labtest.Cases(unit, tile.Stages)
	for i := range all {
		all[i].SMs = tile.Cluster
	}
	return append(all, labtest.Case{
		Shape: matrix.Shape{M: 2*unit.M + 1, N: unit.N + 8, K: depth + 8}, SMs: tile.Cluster, Seeds: 20,
		Why: "six ragged tiles by one cluster, whose ring runs on from tile to tile and whose K loop turns",
	})
}

// fixed is the lesson with a tile that the shape does not choose.
func fixed(tile Tile) lab.Lesson[Tile] {
	l := lesson
	l.Tile, l.Choose = tile, nil
	return l
}

func TestKernel(t *testing.T) {
	for _, tile := range space {
		labtest.Verify(t, fixed(tile), cases(tile)...)
	}
}

func TestTiles(t *testing.T) {
	labtest.Tiles(t, fixed(lesson.Tile), matrix.Shape{M: 300, N: 328, K: 328})
}

func TestLarge(t *testing.T) { labtest.Large(t, lesson) }

func TestCommandLine(t *testing.T) { labtest.CommandLine(t, labtest.Main(lesson), flags) }

// The choice follows the shape: wide tiles where there is work for all SMs,
// narrow ones where there is not.
func TestChoose(t *testing.T) {
	for _, c := range []struct {
		shape matrix.Shape
		n     int
		why   string
	}{
		{matrix.Shape{M: 128, N: 8192, K: 8192}, 64, "one row of tiles: only narrow ones reach 128 SMs"},
		{matrix.Shape{M: 1024, N: 1024, K: 1024}, 64, "128 tiles of 128 x 64"},
		{matrix.Shape{M: 2048, N: 2048, K: 2048}, 256, "128 tiles of 128 x 256, one round"},
		{matrix.Shape{M: 4096, N: 4096, K: 4096}, 256, "four rounds of clusters"},
		{matrix.Shape{M: 8192, N: 8192, K: 8192}, 256, "sixteen full rounds of 64 clusters"},
		{matrix.Shape{M: 8192, N: 28672, K: 8192}, 320, "44 rounds of 320 are as many columns as 55 of 256, and wider"},
	} {
		require.Equal(t, c.n, choose(c.shape, 132).N, "%v: %s", c.shape, c.why)
	}
}

// The grid has no more clusters than its rounds need.
func TestClusters(t *testing.T) {
	for _, c := range []struct {
		size, clusters int
		why            string
	}{
		{2048, 64, "64 pairs of tiles are one round"},
		{4096, 64, "256 pairs take four rounds of 66 clusters, and of 64"},
		{8192, 64, "1024 pairs take sixteen"},
		{12288, 66, "2304 pairs take 35 rounds of 66, and 36 of 65"},
	} {
		s := matrix.Shape{M: c.size, N: c.size, K: c.size}
		tile := space[0]
		require.Equal(t, c.clusters, tile.clusters(s, 132), "%d cubed: %s", c.size, c.why)
		require.Equal(t, tile.rounds(s, 132), lab.CeilDiv(tile.units(s), tile.clusters(s, 132)))
	}
}
