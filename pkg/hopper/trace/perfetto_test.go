package trace

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// imported is what Perfetto's trace processor makes of a file, by the rules in
// its sources (importers/json, slice_tracker.cc, flow_tracker.cc): times are
// whole nanoseconds; entries are taken by time, equal times as they stand in
// the file; a slice that begins in another and ends after it is dropped; an
// end of an arrow belongs to the slice on top of its row, whether or not that
// is over, and without one is dropped.
type imported struct {
	slices, flows int
	wrong         []string // what its table of errors would count
}

// open is a slice that a row has not left yet.
type open struct {
	from, to int64
	name     string
}

func importFile(t *testing.T, text []byte) (in imported) {
	t.Helper()
	var f struct {
		Events []entry `json:"traceEvents"`
	}
	require.NoError(t, json.Unmarshal(text, &f))
	wrong := func(e entry, format string, args ...any) {
		in.wrong = append(in.wrong, fmt.Sprintf("%q at %v: ", e.Name, e.Time)+fmt.Sprintf(format, args...))
	}
	ns := func(e entry, us float64) int64 {
		n := math.Round(us * 1000)
		if math.Abs(us*1000-n) > 1e-3 || n < 0 {
			wrong(e, "%v us is no whole number of nanoseconds from 0 on", us)
		}
		return int64(n)
	}
	events := slices.DeleteFunc(f.Events, func(e entry) bool { return e.Phase == "M" })
	slices.SortStableFunc(events, func(a, b entry) int { return cmp.Compare(ns(a, a.Time), ns(b, b.Time)) })
	rows := map[int][]open{}
	begun := map[string]bool{}
	for _, e := range events {
		at, row := ns(e, e.Time), rows[e.TID]
		id := fmt.Sprint(e.Category, e.Name, e.ID) // as a flow is known
		switch e.Phase {
		case "X":
			to := at + ns(e, *e.Duration)
			for len(row) > 0 && row[len(row)-1].to <= at {
				row = row[:len(row)-1]
			}
			if n := len(row); n > 0 && to > row[n-1].to {
				wrong(e, "it sticks out of %q", row[n-1].name)
				break
			}
			row = append(row, open{at, to, e.Name})
			in.slices++
		case "s", "f":
			if len(row) == 0 {
				wrong(e, "an arrow with no slice at its end")
				break
			}
			if !slices.ContainsFunc(row, func(o open) bool { return o.from <= at && at <= o.to }) {
				wrong(e, "an arrow that is bound to %q, which is over", row[len(row)-1].name)
			}
			switch {
			case e.Phase == "s" && begun[id], e.Phase == "f" && !begun[id]:
				wrong(e, "a second beginning of an arrow, or an end of none")
			case e.Phase == "s":
				begun[id] = true
			case e.Bind != "e":
				wrong(e, "an arrow that ends at the next slice of its row")
			default:
				delete(begun, id)
				in.flows++
			}
		default:
			wrong(e, "an entry of a kind %q that nothing here writes", e.Phase)
		}
		rows[e.TID] = row
	}
	for id := range begun {
		in.wrong = append(in.wrong, "an arrow without an end: "+id)
	}
	return in
}

// TestPerfettoImports: a file is read as a whole. The timelines in plots/data
// are those of the lessons.
func TestPerfettoImports(t *testing.T) {
	texts := map[string][]byte{"the story": encode(t, whole(Limit).Recorder)}
	for limit := 1; limit < 60; limit++ {
		texts[fmt.Sprint("the story, cut at ", limit)] = encode(t, whole(limit).Recorder)
	}
	stuck := newStory(Limit)
	stuck.init()
	stuck.load(0)
	stuck.await(0, full+8, 0)
	stuck.sink.Finish(true)
	texts["a kernel that hangs"] = encode(t, stuck.Recorder)
	recorded, err := filepath.Glob("../../../plots/data/timelines/*.json.gz")
	require.NoError(t, err)
	require.NotEmpty(t, recorded)
	for _, name := range recorded {
		packed, err := os.ReadFile(name)
		require.NoError(t, err)
		r, err := gzip.NewReader(bytes.NewReader(packed))
		require.NoError(t, err)
		texts[filepath.Base(name)], err = io.ReadAll(r)
		require.NoError(t, err)
	}
	for name, text := range texts {
		in := importFile(t, text)
		assert.Empty(t, in.wrong, name)
		assert.Equal(t, bytes.Count(text, []byte(`"ph":"X"`)), in.slices, "%s: every slice is kept", name)
		assert.Equal(t, bytes.Count(text, []byte(`"ph":"s"`)), in.flows, "%s: every arrow has both ends", name)
		assert.NotContains(t, string(text), `\u`, "%s: some readers know only the short escapes", name)
	}
	assert.Greater(t, importFile(t, texts["v6.json.gz"]).flows, 400, "the lessons' timelines are no trifles")
}

// TestImportCatches: each rule, broken.
func TestImportCatches(t *testing.T) {
	const slice = `{"name":"a","ph":"X","ts":1,"dur":4,"pid":1,"tid":1000},`
	for _, c := range []struct{ why, events, want string }{
		{"slices that cross", slice + `{"name":"b","ph":"X","ts":3,"dur":4,"pid":1,"tid":1000}`, `it sticks out of "a"`},
		{"a time between nanoseconds", `{"name":"b","ph":"X","ts":0.0005,"dur":4,"pid":1,"tid":1000}`, "no whole number"},
		{"a time before 0", `{"name":"b","ph":"X","ts":-0.5,"dur":4,"pid":1,"tid":1000}`, "no whole number"},
		{"an arrow from nowhere", `{"name":"x","ph":"s","ts":3,"pid":1,"tid":1000,"id":1}`, "no slice at its end"},
		{"an arrow from what is over", slice + `{"name":"x","ph":"s","ts":7,"pid":1,"tid":1000,"id":1}`, `bound to "a", which is over`},
		{"an arrow without an end", slice + `{"name":"x","ph":"s","ts":3,"pid":1,"tid":1000,"id":1}`, "without an end"},
		{"an arrow without a beginning", slice + `{"name":"x","ph":"f","bp":"e","ts":3,"pid":1,"tid":1000,"id":1}`, "an end of none"},
		{"an arrow that ends before it begins", slice + `{"name":"x","ph":"f","bp":"e","ts":2,"pid":1,"tid":1000,"id":1},{"name":"x","ph":"s","ts":3,"pid":1,"tid":1000,"id":1}`, "an end of none"},
		{"two that share a number", slice + `{"name":"x","ph":"s","ts":2,"pid":1,"tid":1000,"id":1},{"name":"x","ph":"s","ts":3,"pid":1,"tid":1000,"id":1}`, "a second beginning"},
		{"an end at the next slice", slice + `{"name":"x","ph":"s","ts":2,"pid":1,"tid":1000,"id":1},{"name":"x","ph":"f","ts":3,"pid":1,"tid":1000,"id":1}`, "the next slice"},
	} {
		in := importFile(t, []byte(`{"traceEvents":[`+c.events+`]}`))
		require.NotEmpty(t, in.wrong, c.why)
		assert.Contains(t, fmt.Sprint(in.wrong), c.want, c.why)
	}
	assert.Equal(t, imported{slices: 1}, importFile(t, []byte(`{"traceEvents":[`+slice[:len(slice)-1]+`]}`)))
}
