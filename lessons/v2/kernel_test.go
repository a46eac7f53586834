package main

import (
	"testing"

	"gohopper/internal/lab/labtest"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
)

func TestGolden(t *testing.T) {
	labtest.Golden(t, Kernel(DefaultTile, hopper.F16),
		"the loads of the first stages before the loop, and in it a wait for one stage before the next load into it")
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
