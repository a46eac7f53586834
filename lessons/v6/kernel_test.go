package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"gohopper/internal/lab"
	"gohopper/internal/lab/labtest"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
)

func TestGolden(t *testing.T) {
	labtest.Golden(t, Kernel(DefaultTile, hopper.F16),
		"setmaxnreg both ways, one multicast load of half of B, remote arrives by mapa, stmatrix and TMA stores, and a cluster barrier at both ends")
}

// cases are those of one cluster's tile. Planned for two SMs, one cluster
// computes all tiles of a case.
func cases() []labtest.Case {
	tile := matrix.Tile{M: cluster * DefaultTile.M, N: DefaultTile.N, K: DefaultTile.K}
	all := labtest.Cases(tile, DefaultTile.Stages)
	for i := range all {
		all[i].SMs = cluster
	}
	return append(all, labtest.Case{
		Shape: matrix.Shape{M: 3*tile.M - 1, N: 2*tile.N + 8, K: 200}, SMs: 2 * cluster,
		Why: "9 tiles over two clusters: one computes 5 and the other 4",
	}, labtest.Case{
		Shape: matrix.Shape{M: 2*tile.M + 1, N: tile.N + 8, K: 72}, SMs: cluster, Seeds: 20,
		Why: "6 ragged tiles by one cluster, whose ring runs on from tile to tile",
	})
}

func TestKernel(t *testing.T) { labtest.Verify(t, lesson, cases()...) }

func TestTiles(t *testing.T) {
	labtest.Tiles(t, lesson, matrix.Shape{M: 300, N: 328, K: 328})
}

func TestLarge(t *testing.T) { labtest.Large(t, lesson) }

func TestCommandLine(t *testing.T) { labtest.CommandLine(t, labtest.Main(lesson), flags) }

// TestTrace: the first cluster has two pairs of tiles, and B comes into both
// CTAs, half of it from the other.
func TestTrace(t *testing.T) {
	l := labtest.Trace(t, labtest.Main(lesson), "-m 2048 -n 2880 -k 72")
	tile := DefaultTile
	assert.Equal(t, 2*lab.CeilDiv(72, tile.K)*cluster*(tile.M+tile.N)*tile.K*2, l.Loaded())
	assert.Positive(t, l.Together(), "one group stays in flight")
}
