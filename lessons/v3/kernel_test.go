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
		"two roles that meet only at full and empty mbarriers: no bar.sync inside either loop")
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

// TestTrace: the first CTA's timeline has the loads of all its slices of K.
func TestTrace(t *testing.T) {
	l := labtest.Trace(t, labtest.Main(lesson), "-m 130 -n 200 -k 520")
	tile := DefaultTile
	assert.Equal(t, lab.CeilDiv(520, tile.K)*(tile.M+tile.N)*tile.K*2, l.Loaded())
	assert.Zero(t, l.Together(), "every group is waited for before the next")
}
