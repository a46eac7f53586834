package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"gohopper/internal/lab/labtest"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
)

func TestGolden(t *testing.T) {
	labtest.Golden(t, Kernel(DefaultTile, hopper.F16),
		"two consumer warpgroups of 64 rows each over the same stages, and a tile's place computed from a one-dimensional grid")
}

func TestKernel(t *testing.T) {
	tile := matrix.Tile{M: DefaultTile.M, N: DefaultTile.N, K: DefaultTile.K}
	labtest.Verify(t, lesson, labtest.Cases(tile, DefaultTile.Stages)...)
}

func TestTiles(t *testing.T) {
	labtest.Tiles(t, lesson, matrix.Shape{M: 200, N: 264, K: 328})
}

func TestLarge(t *testing.T) { labtest.Large(t, lesson) }

func TestCommandLine(t *testing.T) { labtest.CommandLine(t, labtest.Main(lesson), flags) }

// TestTrace: a warpgroup waits for each of its groups before the next.
func TestTrace(t *testing.T) {
	assert.Zero(t, labtest.Trace(t, labtest.Main(lesson), "-k 520").Together())
}
