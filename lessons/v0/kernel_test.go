package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/lab"
	"gohopper/internal/lab/labtest"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
)

// shared is V0's kernel on the host path that the later lessons share. V0's own
// path, spelled out in main.go, is what TestCommandLine and TestHost run.
var shared = lab.Lesson[Tile]{
	Name:   "v0",
	Title:  title,
	Tile:   DefaultTile,
	Flags:  tileFlags,
	Space:  []Tile{{128, 128, 64, 2, 2}, {128, 128, 64, 4, 2}, {128, 256, 64, 2, 4}, {64, 64, 64, 2, 2}},
	Kernel: Kernel,
	Plan: func(t Tile, s matrix.Shape, sms int) lab.Plan {
		return lab.Plan{
			Grid: [3]int{lab.CeilDiv(s.N, t.N), lab.CeilDiv(s.M, t.M), 1},
			BoxA: lab.Box{Rows: t.M, Cols: t.K, Swizzle: hopper.Swizzle128B},
			BoxB: lab.Box{Rows: t.N, Cols: t.K, Swizzle: hopper.Swizzle128B},
		}
	},
	Small: small,
}

func TestGolden(t *testing.T) {
	labtest.Golden(t, Kernel(DefaultTile, hopper.F16),
		"two TMA loads a turn; for each step of 16 along K, ldmatrix of A and B and then mma.sync from registers; no wgmma")
}

func TestKernel(t *testing.T) {
	tile := matrix.Tile{M: DefaultTile.M, N: DefaultTile.N, K: DefaultTile.K}
	labtest.Verify(t, shared, labtest.Cases(tile, 1)...)
}

func TestTiles(t *testing.T) {
	labtest.Tiles(t, shared, matrix.Shape{M: 200, N: 264, K: 328})
}

func TestLarge(t *testing.T) { labtest.Large(t, shared) }

func TestCommandLine(t *testing.T) { labtest.CommandLine(t, run, tileFlags) }

// TestHost runs the program on ragged shapes under several seeds.
func TestHost(t *testing.T) {
	for seed, shape := range []string{"-m 1 -n 8 -k 8", "-m 129 -n 264 -k 520", "-m 257 -n 72 -k 64"} {
		for _, elem := range []string{"f16", "bf16"} {
			args := fmt.Sprintf("-device emu -seed %d -type %s %s", seed, elem, shape)
			var stdout, stderr strings.Builder
			require.Zero(t, run(strings.Fields(args), &stdout, &stderr), "%s: %s", args, stderr.String())
			assert.Contains(t, stdout.String(), "right: ", args)
		}
	}
}
