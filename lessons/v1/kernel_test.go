package main

import (
	"testing"

	"gohopper/internal/lab/labtest"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
)

func TestGolden(t *testing.T) {
	labtest.Golden(t, Kernel(DefaultTile, hopper.F16),
		"one wgmma.mma_async for each 64 rows and 16 of K, between one fence, one commit and one wait; no ldmatrix and no mma.sync")
}

func TestKernel(t *testing.T) {
	tile := matrix.Tile{M: DefaultTile.M, N: DefaultTile.N, K: DefaultTile.K}
	labtest.Verify(t, lesson, labtest.Cases(tile, 1)...)
}

func TestTiles(t *testing.T) {
	labtest.Tiles(t, lesson, matrix.Shape{M: 200, N: 264, K: 328})
}

func TestLarge(t *testing.T) { labtest.Large(t, lesson) }

func TestCommandLine(t *testing.T) { labtest.CommandLine(t, labtest.Main(lesson), flags) }
