package emu

import (
	"fmt"
	"strings"

	"gohopper/pkg/hopper/event"
)

// together makes an op of an .aligned instruction: it runs once all live lanes
// of the warp have come to it.
func together(inner op) op {
	return func(w *warp, m mask) *wait {
		if wt := w.converge(w.live); wt != nil {
			return wt
		}
		if m != w.live {
			w.report(m, event.Finding{
				Rule: "divergence", Severity: event.Error,
				Message: fmt.Sprintf("the guard switches %v off at an instruction that all lanes of the warp must execute", w.live&^m),
				Advice:  "branch around it with a condition that is the same for the whole warp",
			})
		}
		return inner(w, m)
	}
}

// converge returns nil if the live lanes of need stand at the present
// instruction, and otherwise a wait until they do. The ops with a membermask
// call it.
func (w *warp) converge(need mask) *wait {
	if need&w.live&^w.cur.lanes == 0 {
		return nil
	}
	pc := w.pc
	return &wait{
		remote: remoteWarp,
		ready: func() bool {
			here := w.groupAt(pc)
			return here == nil || need&w.live&^here.lanes == 0
		},
		explain: func() (string, []string) {
			var here mask
			if g := w.groupAt(pc); g != nil {
				here = g.lanes
			}
			missing := need & w.live &^ here
			var facts []string
			for i := range w.groups[:w.n] {
				g := &w.groups[i]
				if g.pc != pc && g.lanes&missing != 0 {
					facts = append(facts, fmt.Sprintf("%v of warp %d at %s", g.lanes&missing, w.index, w.cta.cluster.launch.line(&w.prog.code[g.pc])))
				}
			}
			return fmt.Sprintf("waits for %v of its warp to reach this instruction", missing), facts
		},
	}
}

// groupAt is the group at an instruction, or nil.
func (w *warp) groupAt(pc int32) *group {
	for i := range w.groups[:w.n] {
		if g := &w.groups[i]; g.pc == pc && g.lanes != 0 {
			return g
		}
	}
	return nil
}

// String lists lanes, as in "lanes 0-3, 7".
func (m mask) String() string {
	var parts []string
	for lane := 0; lane < lanes; lane++ {
		if m>>lane&1 == 0 {
			continue
		}
		end := lane
		for end+1 < lanes && m>>(end+1)&1 == 1 {
			end++
		}
		if end > lane {
			parts = append(parts, fmt.Sprintf("%d-%d", lane, end))
		} else {
			parts = append(parts, itoa(lane))
		}
		lane = end
	}
	if m.count() == 1 {
		return "lane " + parts[0]
	}
	return "lanes " + strings.Join(parts, ", ")
}
