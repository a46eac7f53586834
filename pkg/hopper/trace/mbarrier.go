package trace

import "gohopper/pkg/hopper/event"

// mbarrier is the record of one mbarrier.
type mbarrier struct {
	place
	needs  int   // arrivals
	from   int64 // of the present phase
	gone   int64 // when it was invalidated; 0 for never
	phases []phase
	now    phase // the present one
}

// cause is what completed a phase: an operation or an instruction of a warp.
type cause struct {
	op   *operation
	step *step
}

// phase is one phase of an mbarrier.
type phase struct {
	number            uint64
	from, to          int64
	armed             int64 // the first arrival or expected byte; 0 before
	arrivals          int
	expected, arrived int // bytes
	by                cause
}

// initialise makes an mbarrier, in the place of one that is there.
func (c *cluster) initialise(e *event.Event) {
	at := place{e.Owner, e.At}
	if old := c.mbarriers[at]; old != nil && old.gone == 0 {
		old.gone = e.Time
	}
	b := &mbarrier{place: at, from: e.Time, needs: e.N}
	c.mbarriers[at] = b
	c.all = append(c.all, b)
}

// update is an arrival at an mbarrier, or bytes for it.
func (c *cluster) update(e *event.Event, by cause) {
	b := c.mbarriers[place{e.Owner, e.At}]
	if b == nil {
		return // the emulator has reported it
	}
	p := &b.now
	p.number = e.Phase
	if p.armed == 0 {
		p.armed = e.Time
	}
	p.arrivals += e.N
	p.expected += max(e.Tx, 0)
	p.arrived += max(-e.Tx, 0)
	if e.Done {
		p.from, p.to, p.by = b.from, e.Time, by
		b.phases = append(b.phases, *p)
		b.from, b.now = e.Time, phase{number: e.Phase + 1}
		c.entries += 2
	}
}

// completed is what completed a phase.
func (b *mbarrier) completed(number uint64) cause {
	for i := len(b.phases) - 1; i >= 0; i-- {
		if b.phases[i].number == number {
			return b.phases[i].by
		}
	}
	return cause{}
}
