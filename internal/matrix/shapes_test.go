package matrix

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestShapesCoverTheRingAndTheEdges(t *testing.T) {
	for _, stages := range []int{1, 2, 3, 4} {
		tile := Tile{M: 128, N: 64, K: 64}
		kTiles, raggedM, raggedN, raggedK, nonSquare := map[int]bool{}, false, false, false, false
		seen := map[Shape]bool{}
		for _, c := range Shapes(tile, stages) {
			require.NoError(t, c.Validate())
			require.False(t, seen[c.Shape], "%v twice", c.Shape)
			seen[c.Shape] = true
			require.NotEmpty(t, c.Why)
			require.Zero(t, c.N%8, "%v: TMA", c.Shape)
			require.Zero(t, c.K%8, "%v: TMA", c.Shape)
			require.Equal(t, c.M%tile.M == 0 && c.N%tile.N == 0 && c.K%tile.K == 0, c.Whole)
			if c.Whole {
				kTiles[c.K/tile.K] = true
				nonSquare = nonSquare || c.M/tile.M != c.N/tile.N
			}
			raggedM = raggedM || c.M%tile.M != 0
			raggedN = raggedN || c.N%tile.N != 0
			raggedK = raggedK || c.K%tile.K != 0
		}
		for _, n := range []int{1, stages - 1, stages, stages + 1, 2*stages + 1} {
			assert.True(t, n == 0 || kTiles[n], "%d stages: no case of %d K tiles", stages, n)
		}
		assert.True(t, raggedM && raggedN && raggedK && nonSquare)
	}
}
