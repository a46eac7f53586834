package launch

import (
	"fmt"
	"io"
	"strings"

	"gohopper/pkg/hopper/event"
)

// Report is what all seeds of a run found.
type Report struct {
	Entry    string  `json:"entry"`
	Seeds    []int64 `json:"seeds"` // that were run to the end
	Findings []Found `json:"findings"`
	LeftOut  int     `json:"left_out"` // findings that are not shown
	// Buffers are what the first seed left in those that are not too large.
	Buffers []*Buffer `json:"buffers"`
	Counts  []Count   `json:"counts"` // of the first seed
}

// Found is a finding, as the first of its seeds told it.
type Found struct {
	event.Finding
	Seeds []int64 `json:"seeds"` // that led to it
}

// add takes in what one seed found.
func (r *Report) add(seed int64, found []event.Finding) {
	r.Seeds = append(r.Seeds, seed)
	for _, f := range found {
		old := r.same(f)
		if old == nil {
			r.Findings = append(r.Findings, Found{Finding: f, Seeds: []int64{seed}})
			continue
		}
		old.Count += f.Count
		if old.Seeds[len(old.Seeds)-1] != seed {
			old.Seeds = append(old.Seeds, seed)
		}
	}
}

// results takes in what one seed left behind.
func (r *Report) results(o outcome) {
	if len(r.Seeds) == 1 {
		r.Buffers, r.Counts = append(r.Buffers, o.buffers...), o.counts
		return
	}
	for i, b := range o.buffers {
		if b.Digest != r.Buffers[i].Digest {
			r.Buffers[i].Differs = append(r.Buffers[i].Differs, o.seed)
		}
	}
}

// same is the finding of an earlier seed with this rule and these places. The
// other party of a finding depends on the schedule where there are several, so
// only the first counts.
func (r *Report) same(f event.Finding) *Found {
	key := func(f event.Finding) string {
		if f.Rule == "budget" { // where it happens to stop says little
			return f.Rule
		}
		s := fmt.Sprint(f.Rule, f.At.Pos, f.At.Calls)
		if len(f.Other) > 0 && f.Severity != event.Stuck {
			s += fmt.Sprint(f.Other[0].Pos, f.Other[0].Calls)
		}
		return s
	}
	for i := range r.Findings {
		if key(r.Findings[i].Finding) == key(f) {
			return &r.Findings[i]
		}
	}
	return nil
}

// Cut keeps the first findings only.
func (r *Report) Cut(most int) {
	if n := len(r.Findings) - most; n > 0 {
		r.Findings, r.LeftOut = r.Findings[:most], n
	}
}

// Print lays the findings out as text, and ends with a line that counts them.
// More says how to see those that are left out.
func (r *Report) Print(w io.Writer, more string) error {
	var b strings.Builder
	for _, f := range r.Findings {
		b.WriteString(f.String())
		if len(r.Seeds) > 1 {
			fmt.Fprintf(&b, "  under %d of %d seeds, first %d\n", len(f.Seeds), len(r.Seeds), f.Seeds[0])
		}
		b.WriteString("\n")
	}
	if r.LeftOut > 0 {
		fmt.Fprintf(&b, "%d more are over the limit of findings shown; %s\n", r.LeftOut, more)
	}
	fmt.Fprintf(&b, "%s: %s under %s\n", r.Entry, count(len(r.Findings)+r.LeftOut, "finding"), count(len(r.Seeds), "seed"))
	_, err := io.WriteString(w, b.String())
	return err
}

// count is "1 seed", "2 seeds".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
