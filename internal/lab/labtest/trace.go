package labtest

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Timeline is a file that -trace wrote.
type Timeline struct {
	About  map[string]any  `json:"otherData"`
	Events []TimelineEvent `json:"traceEvents"`
}

// TimelineEvent is an element of "traceEvents".
type TimelineEvent struct {
	Name     string         `json:"name"`
	Category string         `json:"cat"`
	Phase    string         `json:"ph"`
	Time     float64        `json:"ts"`
	Duration float64        `json:"dur"`
	PID      int            `json:"pid"`
	TID      int            `json:"tid"`
	ID       int            `json:"id"`
	Args     map[string]any `json:"args"`
}

func (e TimelineEvent) end() float64 { return e.Time + e.Duration }

// row is a lane of the page.
type row struct{ pid, tid int }

// Trace runs a lesson's program on the emulator with -trace, reads the
// timeline, and checks what is true of every timeline: each row has a name and
// its slices nest, arrows lead forward from one slice to another, and the
// phases of an mbarrier follow each other without a gap.
func Trace(t *testing.T, run Run, args string) Timeline {
	t.Helper()
	path := filepath.Join(t.TempDir(), "timeline.json")
	status, stdout, stderr := run.call(args + " -trace " + path)
	require.Zero(t, status, stderr)
	assert.Contains(t, stdout, "timeline "+path)
	return ReadTimeline(t, path)
}

// ReadTimeline is the second half of Trace.
func ReadTimeline(t *testing.T, path string) Timeline {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var l Timeline
	require.NoError(t, json.Unmarshal(data, &l))
	require.NotEmpty(t, l.slices(""))
	l.checkRows(t)
	l.checkArrows(t)
	l.checkPhases(t)
	return l
}

// slices are the slices of a category, or all, by row and time, outer first.
func (l Timeline) slices(category string) (list []TimelineEvent) {
	for _, e := range l.Events {
		if e.Phase == "X" && (category == "" || e.Category == category) {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b TimelineEvent) int {
		return cmp.Or(a.PID-b.PID, a.TID-b.TID, cmp.Compare(a.Time, b.Time), cmp.Compare(b.Duration, a.Duration))
	})
	return list
}

// rows is the names of the rows.
func (l Timeline) rows() map[row]string {
	names := map[row]string{}
	for _, e := range l.Events {
		if e.Phase == "M" && e.Name == "thread_name" {
			names[row{e.PID, e.TID}], _ = e.Args["name"].(string)
		}
	}
	return names
}

func (l Timeline) checkRows(t *testing.T) {
	names := l.rows()
	var at row
	var open []TimelineEvent
	for _, s := range l.slices("") {
		if at != (row{s.PID, s.TID}) {
			at, open = row{s.PID, s.TID}, nil
			assert.NotEmpty(t, names[at], "the row of %s has no name", s.Name)
		}
		assert.NotEmpty(t, s.Name)
		assert.GreaterOrEqual(t, s.Time, 0.0, "%s begins before the kernel", s.Name)
		assert.GreaterOrEqual(t, s.Duration, 0.0, "%s ends before it begins", s.Name)
		for len(open) > 0 && open[len(open)-1].end() <= s.Time {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			around := open[len(open)-1]
			assert.LessOrEqual(t, s.end(), around.end(), "%s overlaps %s at %v in the row %q", s.Name, around.Name, s.Time, names[at])
			assert.NotContains(t, []string{"work", "wait"}, s.Category, "%s lies in %s at %v in the row %q", s.Name, around.Name, s.Time, names[at])
		}
		open = append(open, s)
	}
}

func (l Timeline) checkArrows(t *testing.T) {
	inside := map[row][]TimelineEvent{}
	for _, s := range l.slices("") {
		inside[row{s.PID, s.TID}] = append(inside[row{s.PID, s.TID}], s)
	}
	ends := map[int][]TimelineEvent{}
	for _, e := range l.Events {
		if e.Phase == "s" || e.Phase == "f" {
			ends[e.ID] = append(ends[e.ID], e)
			assert.True(t, slices.ContainsFunc(inside[row{e.PID, e.TID}], func(s TimelineEvent) bool {
				return s.Time < e.Time && e.Time < s.end()
			}), "the arrow %d (%s) at %v is in no slice of its row", e.ID, e.Name, e.Time)
		}
	}
	assert.NotEmpty(t, ends)
	for id, pair := range ends {
		if assert.Len(t, pair, 2, "arrow %d", id) {
			assert.Equal(t, "sf", pair[0].Phase+pair[1].Phase, "arrow %d", id)
			assert.Less(t, pair[0].Time, pair[1].Time, "arrow %d leads back", id)
		}
	}
}

func (l Timeline) checkPhases(t *testing.T) {
	var last TimelineEvent
	for _, s := range l.slices("mbarrier") {
		if !strings.HasPrefix(s.Name, "phase ") {
			continue
		}
		if last.PID == s.PID && last.TID == s.TID {
			assert.Equal(t, last.end(), s.Time, "%s follows %s", s.Name, last.Name)
			assert.Equal(t, last.Args["phase"].(float64)+1, s.Args["phase"])
			assert.NotContains(t, last.Args, "note", "only the last phase may be open")
		} else {
			assert.Zero(t, s.Args["phase"], "the first phase")
		}
		last = s
	}
}

// Loaded is the bytes that TMA loads bring into the CTAs of the timeline, a
// multicast once for each destination.
func (l Timeline) Loaded() (bytes int) {
	for _, s := range l.slices("TMA load") {
		n, _ := s.Args["bytes"].(float64)
		bytes += int(n)
	}
	return bytes
}

// Together is for how long, summed over warpgroups, two wgmma groups of one
// are in flight.
func (l Timeline) Together() (ticks float64) {
	groups := l.slices("wgmma")
	names := l.rows()
	of := func(e TimelineEvent) string {
		name, _, _ := strings.Cut(names[row{e.PID, e.TID}], ", next group")
		return name
	}
	for i, a := range groups {
		for _, b := range groups[i+1:] {
			if a.PID == b.PID && of(a) == of(b) {
				ticks += max(0, min(a.end(), b.end())-max(a.Time, b.Time))
			}
		}
	}
	return ticks
}
