package plots

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gohopper/lessons"
)

// traceFormat is how a timeline that a lesson has written names its format, a
// dialect of the Trace Event format.
const traceFormat = "gohopper timeline 1"

// trace is such a timeline, of one lesson.
type trace struct {
	path   string
	lesson lessons.Lesson
	kernel string
	grid   [3]int
	spans  []span // of the first CTA
}

// span is a bar of a timeline. Times are the emulator's ticks, which order
// events and measure nothing.
type span struct {
	lane, category, name string
	from, to             float64
}

// readTraces reads the timelines in a folder, NAME.json.gz for a lesson;
// lessons that have none are left out.
func readTraces(dir string) ([]trace, error) {
	var all []trace
	for _, l := range lessons.All() {
		t, err := readTrace(filepath.Join(dir, l.Name+".json.gz"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		t.lesson = l
		all = append(all, t)
	}
	return all, nil
}

func readTrace(path string) (trace, error) {
	t := trace{path: path}
	packed, err := os.Open(path)
	if err != nil {
		return t, err
	}
	defer packed.Close()
	data, err := gzip.NewReader(packed)
	if err != nil {
		return t, fmt.Errorf("%s is not a compressed timeline: %w", path, err)
	}
	var file struct {
		About struct {
			Format, Kernel string
			Grid           [3]int
			Cut, Stuck     string
		} `json:"otherData"`
		Events []struct {
			Name     string
			Category string  `json:"cat"`
			Phase    string  `json:"ph"`
			Time     float64 `json:"ts"`
			Duration float64 `json:"dur"`
			PID, TID int
			Args     struct{ Name string }
		} `json:"traceEvents"`
	}
	if err := json.NewDecoder(data).Decode(&file); err != nil {
		return t, fmt.Errorf("%s is not a timeline: %w", path, err)
	}
	if file.About.Format != traceFormat {
		return t, fmt.Errorf("%s: the format is %q, but this program knows only %q: write it again with lesson trace", path, file.About.Format, traceFormat)
	}
	if file.About.Cut != "" || file.About.Stuck != "" {
		return t, fmt.Errorf("%s is not of a whole run: %s%s", path, file.About.Cut, file.About.Stuck)
	}
	t.kernel, t.grid = file.About.Kernel, file.About.Grid
	const first = 1 // process of the first CTA
	lanes := map[int]string{}
	for _, e := range file.Events {
		switch {
		case e.PID != first:
		case e.Phase == "M" && e.Name == "thread_name":
			lanes[e.TID] = e.Args.Name
		case e.Phase == "X":
			t.spans = append(t.spans, span{lanes[e.TID], e.Category, e.Name, e.Time, e.Time + e.Duration})
		}
	}
	return t, nil
}

// fills is the spans in which a stage is being filled, by the stage's full
// barrier.
func (t trace) fills() []span {
	return t.choose(func(s span) bool { return strings.HasPrefix(s.lane, "full") && s.name == "bytes in flight" })
}

// products is the groups of wgmma of one warpgroup.
func (t trace) products(warpgroup int) []span {
	lane := fmt.Sprintf("tensor core, warpgroup %d", warpgroup)
	return t.choose(func(s span) bool {
		return s.category == "wgmma" && (s.lane == lane || strings.HasPrefix(s.lane, lane+","))
	})
}

// reads is the stretches in which the warps of a kernel without wgmma read
// shared memory, and multiply.
func (t trace) reads() []span {
	return t.choose(func(s span) bool { return s.category == "work" && strings.HasPrefix(s.name, "read shared memory") })
}

// stores is the copies of a result out of shared memory.
func (t trace) stores() []span {
	return t.choose(func(s span) bool { return s.category == "TMA store" && strings.HasPrefix(s.name, "store") })
}

// choose is the spans that are wanted, sorted by their beginning.
func (t trace) choose(want func(span) bool) []span {
	var all []span
	for _, s := range t.spans {
		if want(s) {
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	return all
}
