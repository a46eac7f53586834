package trace

import (
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

	loads, stores int // operations it has started
	commits       [event.TensorCore + 1]int
	groups        map[int]*group // of wgmma, by number
	sent          []*operation   // its stores
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
