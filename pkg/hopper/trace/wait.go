package trace

import (
	"slices"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// wait is why lanes do not go on.
type wait struct {
	warp     *warp
	from, to int64
	lanes    uint32
	instr    *ptx.Instr
	kind     event.Kind // of the event that ends it
	unit     event.Unit
	n        int
	bar      place // of a wait for an mbarrier
	phase    uint64
	tries    int
	reads    bool
	apart    bool // other lanes of the warp work or wait for something else
	endless  bool // the record ends first
	released cause
	freed    *group     // whose completion a wait for wgmma groups was for
	stored   *operation // and a wait for bulk groups
}

// try is an mbarrier's phase that was asked for and is not complete. The wait
// lasts from the first such try until one succeeds, whatever the lanes do in
// between.
func (c *cluster) try(w *warp, e *event.Event) {
	at, tries := place{e.Owner, e.At}, 1
	for _, x := range w.open {
		if x.kind == event.MbarrierWait && x.lanes&e.Lanes != 0 && x.bar == at && x.phase == e.Phase {
			x.tries++
			if x.joined(w, e) {
				return
			}
			tries = x.tries
			break
		}
	}
	c.wait(w, e, &wait{kind: event.MbarrierWait, bar: at, phase: e.Phase, tries: tries})
}

// block is the beginning of any wait, or that more lanes join one.
func (c *cluster) block(w *warp, e *event.Event) {
	for _, x := range w.open {
		if x.lanes&e.Lanes != 0 && x.instr == e.Instr {
			if x.joined(w, e) {
				return
			}
			break
		}
	}
	c.wait(w, e, &wait{kind: event.Block})
}

// joined adds lanes to a wait that some of them are in already. It is false if
// the others were at work, which is over now: the wait goes on as a new one, in
// the warp's lane.
func (x *wait) joined(w *warp, e *event.Event) bool {
	x.lanes |= e.Lanes
	if !x.apart || w.waiting != nil {
		return true
	}
	x.to = e.Time - 1
	w.open = slices.DeleteFunc(w.open, func(o *wait) bool { return o == x })
	return false
}

// wait opens a wait.
func (c *cluster) wait(w *warp, e *event.Event, x *wait) {
	x.warp, x.from, x.lanes, x.instr = w, e.Time-1, e.Lanes, e.Instr
	x.apart = w.waiting != nil
	if !x.apart {
		c.rest(w, x.from)
		w.waiting = x
	}
	w.waits, w.open = append(w.waits, x), append(w.open, x)
	c.entries += 3 // with the arrow to it
}

// rest ends the present stretch.
func (c *cluster) rest(w *warp, at int64) {
	if w.waiting == nil && at > w.from {
		w.stretches = append(w.stretches, stretch{w.from, at, w.did})
		c.entries++
	}
	w.did = tally{}
}

// resume ends the waits that an act of their lanes ends, and reports whether
// the act is the end of one.
func (c *cluster) resume(w *warp, e *event.Event) (ended bool) {
	if len(w.open) == 0 {
		return false
	}
	kept := w.open[:0]
	for _, x := range w.open {
		over := x.lanes&e.Lanes != 0
		if x.kind == event.MbarrierWait && e.Kind != event.Exit {
			over = over && e.Kind == event.MbarrierWait && x.bar == place{e.Owner, e.At} && e.Phase > x.phase
		}
		if !over {
			kept = append(kept, x)
			continue
		}
		ended = ended || x.instr == e.Instr
		c.end(w, x, e)
	}
	clear(w.open[len(kept):])
	w.open = kept
	return ended
}

// end closes a wait and notes what ended it.
func (c *cluster) end(w *warp, x *wait, e *event.Event) {
	x.to = e.Time
	if x.instr != e.Instr {
		x.to-- // its lanes went on before this instruction
	}
	if w.waiting == x {
		w.waiting, w.from, w.did = nil, x.to, tally{}
	}
	if x.kind == event.MbarrierWait {
		if b := c.mbarriers[x.bar]; b != nil {
			x.released = b.completed(x.phase)
		}
		return
	}
	if x.instr == e.Instr {
		x.kind, x.unit, x.n, x.reads, x.phase = e.Kind, e.Unit, e.N, e.Reads, e.Phase
	}
	switch e.Kind {
	case event.WaitGroup:
		c.freed(w, x)
	case event.BarrierLeave:
		x.released.step = c.met[meeting{e.CTA, e.N, e.Phase}]
	case event.ClusterLeave:
		x.released.step = c.met[meeting{-1, 0, e.Phase}]
	case event.Registers:
		if s := c.met[meeting{e.CTA, registers, 0}]; s != nil && s.to > x.from {
			x.released.step = s
		}
	}
}
