package trace

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// entry is an element of "traceEvents" (Trace Event Format, "The JSON Object
// Format").
type entry struct {
	Name     string   `json:"name"`
	Category string   `json:"cat,omitempty"`
	Phase    string   `json:"ph"`
	Time     float64  `json:"ts"`
	Duration *float64 `json:"dur,omitempty"`
	PID      int      `json:"pid"`
	TID      int      `json:"tid"`
	ID       int      `json:"id,omitempty"`
	Bind     string   `json:"bp,omitempty"`
	Args     any      `json:"args,omitempty"`
}

// about is "otherData": what a reader must know of the whole.
type about struct {
	Format  string `json:"format"`
	Time    string `json:"time"`
	Kernel  string `json:"kernel"`
	Grid    [3]int `json:"grid"`
	Block   [3]int `json:"block"`
	Cluster [3]int `json:"cluster"`
	Traced  string `json:"traced"`
	Stages  int    `json:"stages,omitempty"`
	Cut     string `json:"cut,omitempty"`
	Stuck   string `json:"stuck,omitempty"`
}

// format marks a file as ours.
const format = "gohopper timeline 1"

// Encode writes the timeline, an entry on each line.
func (r *Recorder) Encode(w io.Writer) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cluster == nil || r.cluster.ctas == nil {
		return errors.New("there is no timeline: no kernel has started")
	}
	p := draw(r.cluster)
	head, err := json.Marshal(p.about())
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "{\"displayTimeUnit\":\"ns\",\n\"otherData\":%s,\n\"traceEvents\":[", head)
	between := "\n"
	for _, e := range p.entries() {
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s%s", between, line)
		between = ",\n"
	}
	fmt.Fprint(out, "\n]}\n")
	return out.Flush()
}

// entries are the names of processes and rows, then slices and arrows by time.
func (p *picture) entries() []entry {
	var named, drawn []entry
	for cta, at := range p.c.ctas {
		pid := cta + 1
		name := fmt.Sprintf("CTA (%d,%d,%d)", at[0], at[1], at[2])
		if len(p.c.ctas) > 1 {
			name += fmt.Sprintf(", cluster rank %d", cta)
		}
		if p.c.cut {
			name += fmt.Sprintf(", the first %d ticks only", p.c.last)
		}
		named = append(named, meta("process_name", pid, 0, map[string]any{"name": name}),
			meta("process_labels", pid, 0, map[string]any{"labels": "1 us is one instruction of the emulator, not a time"}),
			meta("process_sort_index", pid, 0, map[string]any{"sort_index": cta}))
		tid := pid * 1000
		for _, l := range p.lanes {
			if l.cta != cta {
				continue
			}
			for i, row := range l.rows() {
				name := l.name
				if i > 0 {
					name = l.more
				}
				named = append(named, meta("thread_name", pid, tid, map[string]any{"name": name}),
					meta("thread_sort_index", pid, tid, map[string]any{"sort_index": tid}))
				for _, s := range row {
					drawn = s.entries(drawn, pid, tid)
				}
				tid++
			}
		}
	}
	for i, f := range p.flows {
		drawn = append(drawn,
			entry{Name: f.name, Category: "flow", Phase: "s", Time: f.at, PID: f.from.pid, TID: f.from.tid, ID: i + 1},
			entry{Name: f.name, Category: "flow", Phase: "f", Time: f.end, PID: f.to.pid, TID: f.to.tid, ID: i + 1, Bind: "e"})
	}
	slices.SortStableFunc(drawn, func(a, b entry) int { return cmp.Compare(a.Time, b.Time) })
	return append(named, drawn...)
}

func meta(name string, pid, tid int, args any) entry {
	return entry{Name: name, Phase: "M", PID: pid, TID: tid, Args: args}
}

// entries puts a slice on a row.
func (s *slice) entries(list []entry, pid, tid int) []entry {
	s.pid, s.tid = pid, tid
	d := s.to - s.from
	list = append(list, entry{
		Name: s.name, Category: s.category, Phase: "X", Time: s.from, Duration: &d, PID: pid, TID: tid, Args: s.details,
	})
	for _, x := range s.inner {
		list = x.entries(list, pid, tid)
	}
	return list
}

// Is reports whether data is a file in the Trace Event format.
func Is(data []byte) bool {
	var f struct {
		Events json.RawMessage `json:"traceEvents"`
	}
	return json.Unmarshal(data, &f) == nil && f.Events != nil
}
