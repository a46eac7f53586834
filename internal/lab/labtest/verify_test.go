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

// TestAgree: results that differ by a rounding agree, a wrong element does not.
func TestAgree(t *testing.T) {
	for _, f := range []num.Format{num.FormatF16, num.FormatBF16} {
		a, b := matrix.Fill(5, 40, f, 1, 0), matrix.Fill(8, 40, f, 1, 1)
		x := matrix.New(5, 8, f)
		for i := range x.Rows {
			for j := range x.Cols {
				sum := 0.0
				for k := range a.Cols {
					sum += a.At(i, k) * b.At(j, k)
				}
				x.Set(i, j, sum)
			}
		}
		equal, err := agree(a, b, x, x)
		require.NoError(t, err)
		assert.Equal(t, 40, equal)

		y := x.Clone()
		y.SetCode(2, 3, x.Code(2, 3)+1)
		equal, err = agree(a, b, x, y)
		require.NoError(t, err, "one unit in the last place is a rounding")
		assert.Equal(t, 39, equal)

		for why, code := range map[string]uint32{
			"three units": x.Code(2, 3) + 3, "NaN": 0xFFFF, "zero": 0,
		} {
			y.SetCode(2, 3, code)
			_, err = agree(a, b, x, y)
			assert.ErrorContains(t, err, "the results differ at row 2, column 3", why)
		}
	}
}
