package trace

import (
	"fmt"
	"path"
	"slices"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// warp is the record of one warp.
type warp struct {
	cta, index int
	live       uint32 // lanes that have not ended
	ended      bool

	steps     []*step
	waits     []*wait
	stretches []stretch

	open    []*wait // waits that are not over
	waiting *wait   // the one of them that the warp's lane shows
	from    int64   // start of the present stretch, when none is
	did     tally   // in it

	loads, stores, products int // operations it has started
	commits                 [event.TensorCore + 1]int
	groups                  map[int]*group // of wgmma, by number
	sent                    []*operation   // its stores
}

// step is an instruction that tells something, or a run of the same.
type step struct {
	warp     *warp
	from, to int64
	kind     event.Kind
	unit     event.Unit
	instr    *ptx.Instr
	n, tx    int
	bar      place
	phase    uint64
	done     bool // it completed the phase of bar
	reads    bool
	apart    bool // other lanes of the warp wait meanwhile
	ops      []*operation
	group    int // of wgmma
}

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

// stretch is what a warp does between two waits.
type stretch struct {
	from, to int64
	did      tally
}

// tally counts what happens in a stretch, in instructions.
type tally struct {
	loads, stores, copies, products, inits, arrivals     int
	sharedReads, sharedWrites, globalReads, globalWrites int
}

func (t *tally) access(e *event.Event) {
	reads, writes := &t.sharedReads, &t.sharedWrites
	if e.Space == event.Global {
		reads, writes = &t.globalReads, &t.globalWrites
	}
	if e.Does != event.Write {
		*reads++
	}
	if e.Does != event.Read {
		*writes++
	}
}

// step records an instruction. What lanes do one after another in the same
// instruction is one step, and so is a run of wgmma of one group.
func (c *cluster) step(w *warp, e *event.Event) *step {
	apart := w.waiting != nil && w.waiting.lanes&e.Lanes == 0
	group := w.commits[event.TensorCore]
	if n := len(w.steps); n > 0 {
		s := w.steps[n-1]
		again := s.instr == e.Instr && s.to == e.Time && s.kind == e.Kind && s.bar == place{e.Owner, e.At}
		run := s.kind == event.Start && e.Kind == event.Start && s.unit == event.TensorCore && e.Unit == event.TensorCore &&
			s.group == group && s.apart == apart && s.from >= w.from
		if again || run {
			s.to, s.n, s.tx, s.done = e.Time, s.n+e.N, s.tx+e.Tx, s.done || e.Done
			return s
		}
	}
	s := &step{
		warp: w, from: e.Time - 1, to: e.Time, kind: e.Kind, unit: e.Unit, instr: e.Instr, n: e.N, tx: e.Tx,
		bar: place{e.Owner, e.At}, phase: e.Phase, done: e.Done, reads: e.Reads, apart: apart, group: group,
	}
	w.steps = append(w.steps, s)
	c.entries++
	return s
}

// try is an mbarrier's phase that was asked for and is not complete. The wait
// lasts from the first such try until one succeeds, whatever the lanes do in
// between.
func (c *cluster) try(w *warp, e *event.Event) {
	at := place{e.Owner, e.At}
	for _, x := range w.open {
		if x.kind == event.MbarrierWait && x.lanes&e.Lanes != 0 && x.bar == at && x.phase == e.Phase {
			x.tries++
			return
		}
	}
	c.wait(w, e, &wait{kind: event.MbarrierWait, bar: at, phase: e.Phase, tries: 1})
}

// block is the beginning of any wait, or that more lanes join one. If those
// were at work, they take it into the warp's lane.
func (c *cluster) block(w *warp, e *event.Event) {
	for i, x := range w.open {
		if x.lanes&e.Lanes == 0 || x.instr != e.Instr {
			continue
		}
		x.lanes |= e.Lanes
		if x.apart && w.waiting == nil {
			x.to = e.Time - 1
			w.open = slices.Delete(w.open, i, i+1)
			break
		}
		return
	}
	c.wait(w, e, &wait{kind: event.Block})
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

// source writes a position as "file:line".
func source(m *ptx.Module, s ptx.Source) string {
	if s.Line == 0 {
		return ""
	}
	for _, f := range m.Files {
		if f.Index == s.File {
			return fmt.Sprintf("%s:%d", path.Join(path.Base(path.Dir(f.Name)), path.Base(f.Name)), s.Line)
		}
	}
	return ""
}
