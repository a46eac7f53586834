package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWaits: what becomes of waits, and in which phase the mbarrier ends.
func TestWaits(t *testing.T) {
	for _, c := range []struct {
		why   string
		count int
		steps string
		want  string // of the waits
		phase uint64
		rule  string // of a finding, "" for none
	}{
		{"a fresh barrier counts the phase before it as complete", 1, "wait 1", "returns at once", 0, ""},
		{"and not its own", 1, "wait 0", "hangs", 0, "stuck"},
		{"a wait holds until the phase completes", 1, "wait 0; expect_tx 8; arrive; complete_tx 8", "holds until step 4", 1, ""},
		{"an arrival alone does not complete a phase that misses bytes", 1, "arrive.expect_tx 8; wait 0", "hangs", 0, "stuck"},
		{"bytes may come before they are announced", 1, "complete_tx 8; arrive.expect_tx 8; wait 0", "returns at once", 1, ""},
		{"a phase that is past cannot be told from one to come", 1, "arrive; arrive; wait 0", "hangs", 2, "stuck"},
		{"waits of both parities, before and after", 2, "wait 0; wait 1; arrive; arrive; wait 0; wait 1", "holds until step 4, returns at once, returns at once, hangs", 1, "stuck"},
		{"a waiter sees each phase, however short it is", 1, "wait 0; arrive; arrive; arrive", "holds until step 2", 3, ""},
		{"an arrival too many is found", 2, "expect_tx 8; arrive; arrive; arrive", "", 0, "mbarrier"},
	} {
		t.Run(c.why, func(t *testing.T) {
			steps, err := parseSteps(c.steps)
			require.NoError(t, err)
			for seed := range int64(12) { // of the schedule, which must not show
				r, err := record(c.count, steps, seed)
				require.NoError(t, err)
				var verdicts []string
				for _, x := range r.waiters {
					verdicts = append(verdicts, x.verdict())
				}
				assert.Equal(t, c.want, strings.Join(verdicts, ", "), "seed %d", seed)
				assert.Equal(t, c.phase, r.moments[len(steps)].phase, "seed %d", seed)
				if c.rule == "" {
					assert.Empty(t, r.found)
					continue
				}
				require.Len(t, r.found, 1)
				assert.Equal(t, c.rule, r.found[0].Rule)
			}
		})
	}
}

func TestMoments(t *testing.T) {
	steps, err := parseSteps("arrive.expect_tx 4096; wait 0; complete_tx 1000; arrive; complete_tx 3096")
	require.NoError(t, err)
	r, err := record(2, steps, 1)
	require.NoError(t, err)
	assert.Equal(t, []moment{
		{0, 2, 0, false, true},
		{0, 1, 4096, false, true},
		{0, 1, 4096, false, true}, // a wait changes nothing
		{0, 1, 3096, false, true},
		{0, 0, 3096, false, true},
		{1, 2, 0, true, true},
	}, r.moments)
}

// TestExamples: every example shows what its name promises.
func TestExamples(t *testing.T) {
	want := map[string]string{
		"load": "wait A holds until step 4; wait B returns at once", "early": "wait A returns at once", "hang": "wait A hangs",
		"producer": "wait A returns at once; wait B returns at once; wait C returns at once", "behind": "wait A hangs", "bytes": "wait A hangs",
		"before": "wait A holds until step 3", "two": "wait A holds until step 3; wait B returns at once", "many": "",
	}
	for _, e := range examples() {
		a := ask("mbarrier", map[string]string{"example": e.name}, "example")
		require.Empty(t, a.Wrong)
		s := settings{controls: a.Controls}
		assert.Equal(t, e.steps, s.text("steps"))
		var waits []string
		for _, row := range a.Table.Rows {
			for w := range strings.SplitSeq(row[6], "; ") {
				if strings.HasPrefix(w, "wait") && !strings.HasSuffix(w, "goes on") {
					waits = append(waits, w)
				}
			}
		}
		assert.Equal(t, want[e.name], strings.Join(waits, "; "), e.name)
		hangs := strings.Contains(want[e.name], "hangs") || e.name == "many"
		assert.Equal(t, hangs, a.Output != "", "%s: the emulator says so", e.name)
	}
}

func TestOwnSteps(t *testing.T) {
	a := ask("mbarrier", map[string]string{"example": "load", "steps": "arrive"}, "steps")
	s := settings{controls: a.Controls}
	assert.Equal(t, own, s.text("example"))
	assert.Equal(t, "1", s.text("step"), "the strip is shown to its end")
}
