package lab

import (
	"errors"
	"flag"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/report"
)

// options is parsed flags and what the flag package says.
func options(t *testing.T, args string) (*Options, *strings.Builder) {
	said := &strings.Builder{}
	fs := flag.NewFlagSet("fixture", flag.ContinueOnError)
	fs.SetOutput(said)
	o := NewOptions(fs, fixture(none).Small)
	require.NoError(t, o.Parse(strings.Fields(args)))
	return o, said
}

func work(t *testing.T, p *Product, l Lesson[tile]) *Work {
	w, err := p.Work(l.Name, l.Kernel(l.Tile, p.Elem.Word), l.Plan(l.Tile, p.Shape, 132), Values(l.Flags, l.Tile))
	require.NoError(t, err)
	return w
}

// conduct runs a lesson on a card; change may spoil the work first. It must be
// called where time is simulated: the pauses are seconds.
func conduct(t *testing.T, c *card, m mistake, args string, change func(*Work)) (stdout, stderr string, err error) {
	o, _ := options(t, args)
	p, err := NewProduct(c, fixture(m).Small, o.Elem, o.Seed)
	require.NoError(t, err)
	w := work(t, p, fixture(m))
	if change != nil {
		change(w)
	}
	ref, err := p.Reference()
	require.NoError(t, err)
	var out, errs strings.Builder
	err = Conduct(o, c, w, ref, &out, &errs)
	return out.String(), errs.String(), err
}

// TestMeasuring: the kernel is timed between two timings of the library, after
// a pause each, and every sample is recorded.
func TestMeasuring(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	synctest.Test(t, func(t *testing.T) {
		c, start := newCard(), time.Now()
		stdout, stderr, err := conduct(t, c, none, "-json "+path, nil)
		require.NoError(t, err)
		assert.Empty(t, stderr)
		assert.Equal(t, "library kernel library", c.order())
		for i, w := range c.windows {
			assert.GreaterOrEqual(t, w.at.Sub(start), Pause, "a pause before window %d", i)
			start = w.at
		}
		assert.Equal(t, 2*(WarmUps+Iterations), c.calls, "the library is warmed up too")
		right, speed := strings.Index(stdout, "right: "), strings.Index(stdout, "TFLOP/s")
		assert.True(t, 0 <= right && right < speed, "the verdict comes before any speed:\n%s", stdout)
		assert.Contains(t, stdout, "ratio    1.250 of a library 1.0")
		assert.Contains(t, stdout, "verified again after timing")
	})
	results, err := report.Read(path)
	require.NoError(t, err)
	require.Len(t, results, 1)
	r := results[0]
	assert.Equal(t, report.Recorded, r.Origin)
	assert.Equal(t, report.Machine{Device: "a card", Driver: "1.2", CUDA: "13.0", Library: "a library 1.0"}, r.Machine)
	assert.Equal(t, map[string]int{"tile-m": 64, "tile-n": 64}, r.Config)
	assert.True(t, r.Before.OK && r.After.OK)
	assert.Equal(t, report.Method{WarmUps: WarmUps, Iterations: Iterations, PauseS: 3}, r.Timing.Method)
	reading := report.Reading{SMClockMHz: 1700, MemClockMHz: 3201, PowerW: 650, TempC: 61}
	for i, s := range []*report.Series{r.Timing.LibraryBefore, &r.Timing.Ours, r.Timing.LibraryAfter} {
		want := &report.Series{SamplesMS: []float64{[]float64{1.25, 1, 1.25}[i]}, Before: &reading, After: &reading}
		assert.Equal(t, want, s)
	}
	assert.Equal(t, 1.25, r.Summary.Ratio.Median)
}

// TestNoSpeedWithoutAPass: what is wrong is not timed.
func TestNoSpeedWithoutAPass(t *testing.T) {
	for m, want := range map[mistake]string{incorrect: "is wrong", hasty: "the kernel misbehaved"} {
		synctest.Test(t, func(t *testing.T) {
			c := newCard()
			stdout, _, err := conduct(t, c, m, "", nil)
			assert.ErrorContains(t, err, want)
			assert.Empty(t, stdout)
			assert.Empty(t, c.windows)
		})
	}
}

// TestWrongAfterTimingFails: a kernel that was right once and is not any more
// has no speed.
func TestWrongAfterTimingFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	synctest.Test(t, func(t *testing.T) {
		c := newCard()
		stdout, _, err := conduct(t, c, none, "-json "+path, func(w *Work) {
			launch, launches := w.Launch, 0
			w.Launch = func() error {
				if launches++; launches <= 1+WarmUps+Iterations {
					return launch()
				}
				return nil // C keeps the poison
			}
		})
		assert.ErrorContains(t, err, "after timing: C = A·Bᵀ of 72x80x136 in f16 is wrong")
		assert.Equal(t, "library kernel library", c.order())
		assert.NotContains(t, stdout, "TFLOP/s")
	})
	assert.NoFileExists(t, path)
}

func TestMissingLibraryIsANote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	synctest.Test(t, func(t *testing.T) {
		c := newCard()
		c.library = nil
		stdout, stderr, err := conduct(t, c, none, "-json "+path, nil)
		require.NoError(t, err)
		assert.Equal(t, "note: no library to compare with: libcublas.so is not there\n", stderr)
		assert.Equal(t, "kernel", c.order())
		assert.Contains(t, stdout, "TFLOP/s")
		assert.NotContains(t, stdout, "ratio")
	})
	results, err := report.Read(path)
	require.NoError(t, err)
	assert.Nil(t, results[0].Timing.LibraryBefore)
	assert.Nil(t, results[0].Summary.Ratio)
	assert.Empty(t, results[0].Machine.Library)
}

func TestLaunchThatFailsWhileTimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lost := errors.New("the card was lost")
		stdout, _, err := conduct(t, newCard(), none, "", func(w *Work) {
			launch, launches := w.Launch, 0
			w.Launch = func() error {
				if launches++; launches > 10 {
					return lost
				}
				return launch()
			}
		})
		assert.ErrorIs(t, err, lost)
		assert.NotContains(t, stdout, "TFLOP/s")
	})
}

// TestNoTimeOnTheEmulator: it has no seconds to give.
func TestNoTimeOnTheEmulator(t *testing.T) {
	c := newCard()
	_, err := NewMeter(c.Machine)
	assert.EqualError(t, err, "emulator keeps no time: it computes results, not seconds")
}
