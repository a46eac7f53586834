package matrix

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/num"
)

// TestScreenSeesSingleElements changes one element at a time, outside the
// sampled rows and columns, by the error that the package comment promises to
// see.
func TestScreenSeesSingleElements(t *testing.T) {
	for _, typ := range []num.Format{num.FormatF16, num.FormatBF16} {
		a, b := Fill(60, 200, typ, 5, 0), Fill(90, 200, typ, 5, 1)
		r, err := newReference(a, b, Options{Tile: Tile{30, 30, 30}}, 0, 0)
		require.NoError(t, err)
		c := answer(a, b)
		require.NoError(t, r.Check(c).Err())
		rows, cols := map[int]bool{}, map[int]bool{}
		for _, i := range r.patches[0].rows {
			rows[i] = true
		}
		for _, j := range r.patches[1].cols {
			cols[j] = true
		}
		rng := rand.New(rand.NewPCG(1, 1))
		for tried := 0; tried < 100; {
			i, j := rng.IntN(c.Rows), rng.IntN(c.Cols)
			if rows[i] || cols[j] {
				continue
			}
			tried++
			var largest float64
			for g := j / groupSize * groupSize; g < min(c.Cols, (j/groupSize+1)*groupSize); g++ {
				largest = max(largest, c.At(i, g), -c.At(i, g))
			}
			right := c.Code(i, j)
			c.Set(i, j, c.At(i, j)+29*typ.ULP(largest)/2)
			report := r.Check(c)
			require.False(t, report.OK(), "(%d, %d)", i, j)
			require.Equal(t, [2]int{i, j}, [2]int{report.Worst.Row, report.Worst.Col})
			require.Equal(t, 1, report.Wrong)
			c.SetCode(i, j, right)
		}
	}
}

func TestSamplesHitEveryBand(t *testing.T) {
	for _, c := range []struct{ n, width int }{{1, 128}, {8, 3}, {127, 128}, {129, 128}, {1000, 64}} {
		chosen, others := sample(c.n, c.width, rand.New(rand.NewPCG(1, 1)))
		assert.Equal(t, c.n, len(chosen)+len(others))
		assert.Equal(t, 0, chosen[0])
		assert.Equal(t, c.n-1, chosen[len(chosen)-1])
		hit := map[int]bool{}
		for _, i := range chosen {
			hit[i/c.width] = true
		}
		assert.Len(t, hit, ceilDiv(c.n, c.width))
		assert.LessOrEqual(t, len(chosen), ceilDiv(c.n, c.width)+2)
	}
}

// TestResultsDoNotDependOnCores compares operands, references and reports.
func TestResultsDoNotDependOnCores(t *testing.T) {
	run := func(cores int) (*Matrix, *Reference, Report, Report) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		a, b := Fill(150, 300, num.FormatBF16, 9, 0), Fill(140, 300, num.FormatBF16, 9, 1)
		r, err := newReference(a, b, Options{}, 0, 0)
		require.NoError(t, err)
		c := answer(a, b)
		right := r.Check(c)
		for i := range c.Rows {
			c.Set(i, i/2, 0)
		}
		return a, r, right, r.Check(c)
	}
	a1, r1, right1, wrong1 := run(1)
	a5, r5, right5, wrong5 := run(5)
	assert.Equal(t, a1, a5)
	assert.Equal(t, r1, r5)
	assert.Equal(t, right1, right5)
	assert.Equal(t, wrong1, wrong5)
}
