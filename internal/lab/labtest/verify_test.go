package labtest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/lab"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper/num"
)

func TestCases(t *testing.T) {
	cases := Cases(matrix.Tile{M: 128, N: 128, K: 64}, 4)
	seen := map[matrix.Shape]bool{}
	depths := map[int]bool{}
	for _, c := range cases {
		assert.False(t, seen[c.Shape], "%v twice", c.Shape)
		assert.NotEmpty(t, c.Why)
		seen[c.Shape] = true
		depths[(c.K+63)/64] = true
	}
	for _, tiles := range []int{1, 3, 4, 5} {
		assert.True(t, depths[tiles], "K tiles of 1, stages-1, stages and stages+1: no case has %d", tiles)
	}
	assert.True(t, seen[matrix.Shape{M: 1, N: 8, K: 8}])
	assert.True(t, seen[matrix.Shape{M: 129, N: 264, K: 520}])
}

func TestSeedsTakeBothTypes(t *testing.T) {
	assert.Equal(t, lab.F16, elem(1), "a single seed is f16")
	assert.Equal(t, lab.BF16, elem(2))
	assert.EqualValues(t, 1, Case{}.seeds(), "no number of seeds is one seed")
}

// TestAgree: two results agree in every bit, or the first that differs is named.
func TestAgree(t *testing.T) {
	x := matrix.Fill(5, 8, num.FormatF16, 1, 0)
	require.NoError(t, agree(x, x.Clone()))
	for why, code := range map[string]uint32{"one unit in the last place": x.Code(2, 3) + 1, "a NaN": 0xFFFF} {
		y := x.Clone()
		y.SetCode(2, 3, code)
		y.SetCode(4, 7, x.Code(4, 7)^1)
		assert.ErrorContains(t, agree(x, y), "2 of 40 elements differ on the two machines; the first, row 2, column 3: ", why)
	}
}
