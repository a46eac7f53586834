package sanitize

import (
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// mbarrier is the ledger of one mbarrier: who gave what to its present phase,
// and what one who waits for it learns.
type mbarrier struct {
	index int // in clocks
	owner int // CTA rank
	at    uint32
	count int  // arrivals that it was initialised for
	bytes bool // it has counted bytes: it says "full" rather than "empty"

	init      deed // who initialised it
	published bool // a fence has published the initialisation
	trusted   map[*warp]bool

	phase    uint32     // complete phases
	gather   *knowledge // of those who have arrived in the present one
	complete *knowledge // of those who had arrived in any complete one
	expected int        // bytes, in the present phase
	expects  who        // who was the last to expect bytes
	brought  *op        // the latest copy to come; of those of a phase the one that is last in the text
	missing  int        // arrivals that it needs
	left     int        // bytes that it needs
	gave     []arrival  // to the present phase
	gaveLast []arrival  // and to the one before
	flying   []*op      // copies that will signal it
	waited   []sighting // of the latest complete phase
	jumped   []jump
	twice    []sighting // by threads that had seen that phase before
}

// jump is a warp that saw several phases complete at once.
type jump struct {
	warp   *warp
	phases uint32 // that it had not seen end
}

// passedBy is how many phases passed a warp by before it looked.
func (b *mbarrier) passedBy(w *warp) uint32 {
	for _, j := range b.jumped {
		if j.warp == w {
			return j.phases
		}
	}
	return 0
}

// arrival is what a thread gave to a phase.
type arrival struct {
	warp    *warp
	lanes   uint32
	time    uint32
	instr   *ptx.Instr
	relaxed bool
}

// who is who arrived.
func (a *arrival) who() who { return who{a.warp, a.lanes, a.instr, nil} }

// latest is the last of some arrivals, nobody if there are none.
func latest(list []arrival) who {
	if len(list) == 0 {
		return who{}
	}
	return list[len(list)-1].who()
}

// sighting is a wait that found a phase complete.
type sighting struct {
	warp  *warp
	lanes uint32
	time  uint32
	instr *ptx.Instr
}

// arrivalSeen is the latest sighting of some lanes.
type arrivalSeen struct {
	bar   *mbarrier
	phase uint32 // complete phases then
	instr *ptx.Instr
	gave  []arrival // to the latest of them
}

func barKey(owner int, at uint32) uint64 { return uint64(owner)<<32 | uint64(at) }

// initBarrier makes a ledger.
func (c *cluster) initBarrier(e *event.Event, w *warp) {
	b := &mbarrier{
		index: c.barCount, owner: e.Owner, at: e.At, count: e.N, missing: e.N,
		init:    deed{instr: e.Instr, lanes: e.Lanes, time: w.now(), warp: uint16(w.id)},
		trusted: map[*warp]bool{}, gather: newKnowledge(len(c.warps)), complete: newKnowledge(len(c.warps)),
	}
	c.barCount++
	t := c.ctas[e.Owner]
	c.forget(t, e.At)
	c.bars[barKey(e.Owner, e.At)] = b
	t.bars = append(t.bars, b)
	w.inits = append(w.inits, b)
}

// invalidate ends a ledger.
func (c *cluster) invalidate(e *event.Event) {
	delete(c.bars, barKey(e.Owner, e.At))
	c.forget(c.ctas[e.Owner], e.At)
}

func (c *cluster) forget(t *cta, at uint32) {
	kept := t.bars[:0]
	for _, b := range t.bars {
		if b.at != at {
			kept = append(kept, b)
		}
	}
	t.bars = kept
}

// publishInits is a fence that publishes the initialisations of lanes m.
func (w *warp) publishInits(m uint32) {
	kept := w.inits[:0]
	for _, b := range w.inits {
		if b.init.lanes&m != 0 {
			b.published = true
		} else {
			kept = append(kept, b)
		}
	}
	w.inits = kept
}

// use is any use of an mbarrier by lanes m of a warp, through the generic
// proxy or, for a copy that is to signal it, the asynchronous one. Its
// initialisation must be ordered before it.
func (c *cluster) use(b *mbarrier, w *warp, m uint32, instr *ptx.Instr, async bool) {
	if b.trusted[w] && (!async || b.published) {
		return
	}
	x := w.mind(m)
	i := &b.init
	own := int(i.warp) == w.id && i.lanes&^m == 0
	switch {
	case !own && !x.order.covers(int(i.warp), i.lanes, i.time):
		c.beforeInit(b, w, m, instr, x)
	case async && !b.published && !x.fenced.covers(int(i.warp), i.lanes, i.time):
		c.unpublishedInit(b, w, m, instr)
		b.published = true // once is enough
	default:
		if !own {
			b.trusted[w] = true
		}
	}
}

// signalled is the mbarrier that a copy will signal, nil where there is none.
func (c *cluster) signalled(e *event.Event, w *warp) *mbarrier {
	b := c.bars[barKey(e.Owner, e.At)]
	if b != nil {
		c.use(b, w, e.Lanes, e.Instr, true)
	}
	return b
}

func (b *mbarrier) inFlight(o *op) {
	b.bytes = true
	o.issuedIn = b.phase
	b.flying = append(b.flying, o)
}

// update is what an mbarrier is given.
func (c *cluster) update(e *event.Event, w *warp) {
	b := c.bars[barKey(e.Owner, e.At)]
	if b == nil {
		return
	}
	b.missing, b.left = e.Missing, e.MissingTx
	if o := c.ops[e.Op]; o != nil {
		c.landed(b, o, e)
	} else {
		c.arrive(b, e, w)
	}
	if e.Done {
		c.completePhase(b, e)
	}
	delete(c.ops, e.Op)
}

// landed is the signal of an asynchronous operation.
func (c *cluster) landed(b *mbarrier, o *op, e *event.Event) {
	if o.unit == event.CopyArrive {
		o.arrived(uint32(e.Phase))
		return
	}
	o.landed, o.phase = true, uint32(e.Phase)
	// Who sees the phase end knows that the copy was issued, and so what its
	// thread had done by then.
	b.gather.done.cover(o.warp.id, o.lanes, o.time, c.full[o.warp.id])
	if old := b.brought; old == nil || old.phase != o.phase || old.instr.Pos.Line < o.instr.Pos.Line {
		b.brought = o
	}
	for i, f := range b.flying {
		if f == o {
			b.flying = append(b.flying[:i], b.flying[i+1:]...)
			break
		}
	}
}

// arrive is what a thread gives.
func (c *cluster) arrive(b *mbarrier, e *event.Event, w *warp) {
	c.use(b, w, e.Lanes, e.Instr, false)
	if e.Tx > 0 {
		b.bytes = true
		b.expected += e.Tx
		b.expects = who{w, e.Lanes, e.Instr, nil}
	}
	if e.N == 0 {
		return
	}
	relaxed := e.Instr.Has("relaxed")
	b.gave = append(b.gave, arrival{w, e.Lanes, w.now(), e.Instr, relaxed})
	c.publish(w, e.Lanes, b.gather, relaxed)
	if e.Owner != w.cta {
		c.peerArrived(w, e, b)
	}
}

// completePhase ends a phase.
func (c *cluster) completePhase(b *mbarrier, e *event.Event) {
	c.checkBytes(b, e)
	c.checkLapped(b, e)
	b.phase = uint32(e.Phase) + 1
	b.complete.join(b.gather, c.full, false)
	b.complete.order.see(b.index, b.phase)
	b.complete.done.see(b.index, b.phase)
	b.gather.clear()
	b.gave, b.gaveLast = nil, b.gave
	b.waited, b.expected = b.waited[:0], 0
}

// wait is threads that find a phase complete.
func (c *cluster) wait(e *event.Event, w *warp) {
	b := c.bars[barKey(e.Owner, e.At)]
	if b == nil {
		return
	}
	c.use(b, w, e.Lanes, e.Instr, false)
	relaxed := e.Instr.Has("relaxed")
	if before := w.mind(e.Lanes).done.phases(b.index); uint32(e.Phase) > before+1 && b.passedBy(w) == 0 {
		b.jumped = append(b.jumped, jump{w, uint32(e.Phase) - before - 1})
	}
	c.learn(w, e.Lanes, b.complete, relaxed)
	for _, x := range w.split(e.Lanes) {
		x.last = arrivalSeen{b, uint32(e.Phase), e.Instr, b.gaveLast}
	}
	for i := range b.waited {
		if s := &b.waited[i]; s.warp == w && s.lanes&e.Lanes != 0 && (s.instr == e.Instr || b.begun()) {
			s.lanes, s.time, s.instr = s.lanes|e.Lanes, w.now(), e.Instr
			if b.sawTwice(w, e.Lanes) == nil {
				b.twice = append(b.twice, *s)
			}
			return
		}
	}
	b.waited = append(b.waited, sighting{w, e.Lanes, w.now(), e.Instr})
}

// begun reports whether anybody has given anything to the present phase. Who
// then waits for the one before it a second time means another phase: a loop
// that is unrolled does it at another instruction.
func (b *mbarrier) begun() bool { return b.expected > 0 || len(b.gave) > 0 || len(b.flying) > 0 }

// sawTwice finds a wait of lanes of a warp that returned because of a phase
// that they had seen before.
func (b *mbarrier) sawTwice(w *warp, m uint32) *sighting {
	for i := range b.twice {
		if s := &b.twice[i]; s.warp == w && s.lanes&m != 0 {
			return s
		}
	}
	return nil
}
