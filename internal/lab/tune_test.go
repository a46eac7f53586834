package lab

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/report"
	"gohopper/pkg/hopper"
)

// tuneOn tunes a lesson on a card; time must be simulated.
func tuneOn(t *testing.T, c *card, l Lesson[tile], args string) (stdout string, err error) {
	o, _ := options(t, args)
	p, err := NewProduct(c, l.Small, o.Elem, o.Seed)
	require.NoError(t, err)
	var out, errs strings.Builder
	err = l.tune(o, p, &out, &errs)
	return out.String(), err
}

func TestTune(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tune.json")
	synctest.Test(t, func(t *testing.T) {
		c := newCard()
		stdout, err := tuneOn(t, c, fixture(none), "-json "+path)
		require.NoError(t, err)
		assert.Equal(t, "library kernel library library kernel library", c.order())
		assert.Contains(t, stdout, "fixture: 2 tiles at 72x80x136 f16 on a card")
		assert.Contains(t, stdout, "best: tile-m 64, tile-n 64", "of equals the first")
	})
	results, err := report.Read(path)
	require.NoError(t, err)
	require.Len(t, results, 2)
	assert.Equal(t, map[string]int{"tile-m": 64, "tile-n": 128}, results[1].Config)
	assert.Equal(t, tunePause.Seconds(), results[1].Timing.Method.PauseS)
}

// TestTuneFailsWithATile: a tile that is wrong or does not fit is shown with
// its reason, the others are still measured, and the run fails.
func TestTuneFailsWithATile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := fixture(none)
		l.Space = []tile{{64, 100, 64}, {64, 64, 64}, {64, 128, 64}}
		l.Kernel = func(t tile, e hopper.Elem) *hopper.Kernel {
			if t.N == 128 {
				return multiply(t, e, incorrect)
			}
			return multiply(t, e, none)
		}
		stdout, err := tuneOn(t, newCard(), l, "")
		assert.EqualError(t, err, "2 of 3 tiles failed, see above")
		assert.Contains(t, stdout, "failed: kernel fixture cannot be recorded")
		assert.Contains(t, stdout, "is wrong")
		assert.Contains(t, stdout, "best: tile-m 64, tile-n 64")
		assert.Equal(t, 1, strings.Count(stdout, "TFLOP/s"))
	})
	synctest.Test(t, func(t *testing.T) {
		stdout, err := tuneOn(t, newCard(), fixture(incorrect), "")
		assert.EqualError(t, err, "no tile of the space works at 72x80x136")
		assert.NotContains(t, stdout, "TFLOP/s")
	})
}
