package trace

import "gohopper/pkg/hopper/event"

// cluster is the record of one cluster. Times are ticks: the instruction that
// is told at tick t takes from t-1 to t, and what is not an instruction
// happens at t.
type cluster struct {
	launch event.Launch
	ctas   [][3]int // nil: the cluster did not start

	limit, entries int
	cut            bool  // the limit was reached
	last           int64 // tick of the last event
	clock          clock
	stuck          bool

	warps      []*warp             // by CTA, then by number
	mbarriers  map[place]*mbarrier // the present ones
	all        []*mbarrier         // and those that were there before them
	pending    map[int]*operation  // by number
	operations []*operation
	groups     []*group
	met        map[meeting]*step
}

// meeting is a phase of a named barrier, or with CTA -1 of the cluster's. The
// step that goes with it is the arrival that completed it. The meeting for
// registers goes with the last step that gave some back.
type meeting struct {
	cta, barrier int
	phase        uint64
}

const registers = -1

// place is an offset in the shared memory of a CTA.
type place struct {
	cta int // rank
	at  uint32
}

const lanes = 32

// begin makes the warps.
func (c *cluster) begin(ctas [][3]int) {
	c.ctas = ctas
	b := c.launch.Block
	for cta := range ctas {
		for i := range c.perCTA() {
			w := &warp{cta: cta, index: i, live: 1<<lanes - 1, groups: map[int]*group{}}
			if rest := b[0]*b[1]*b[2] - i*lanes; rest < lanes {
				w.live = 1<<rest - 1
			}
			c.warps = append(c.warps, w)
		}
	}
}

// perCTA is the number of warps in a CTA.
func (c *cluster) perCTA() int {
	b := c.launch.Block
	return (b[0]*b[1]*b[2] + lanes - 1) / lanes
}

// Take records an event.
func (c *cluster) Take(e *event.Event) {
	if c.cut = c.cut || c.entries >= c.limit; c.cut {
		return
	}
	if e.Time > c.last {
		c.clock.pass(c.last, e.Time)
		c.last = e.Time
	}
	w := c.warps[e.CTA*c.perCTA()+e.Warp]
	switch e.Kind {
	case event.Complete:
		c.complete(e)
		return
	case event.ReadsOver:
		if o := c.pending[e.Op]; o != nil {
			o.read = e.Time
		}
		return
	case event.MbarrierUpdate:
		if e.Op != 0 {
			c.update(e, cause{op: c.complete(e)})
			return
		}
	case event.MbarrierTry:
		c.try(w, e)
		return
	case event.Block:
		c.block(w, e)
		return
	}
	c.act(w, e)
}

// act records what a warp does itself.
func (c *cluster) act(w *warp, e *event.Event) {
	ended := c.resume(w, e)
	switch e.Kind {
	case event.Access:
		w.did.access(e)
	case event.Start:
		c.start(w, e)
	case event.Commit:
		c.step(w, e)
		w.commits[e.Unit]++
	case event.MbarrierInit:
		w.did.inits++
		c.initialise(e)
		c.step(w, e)
	case event.MbarrierInval:
		if b := c.mbarriers[place{e.Owner, e.At}]; b != nil {
			b.gone = e.Time
		}
	case event.MbarrierUpdate:
		w.did.arrivals++
		c.update(e, cause{step: c.step(w, e)})
	case event.BarrierArrive:
		if e.Instr.Has("arrive") {
			c.met[meeting{e.CTA, e.N, e.Phase}] = c.step(w, e)
		}
	case event.BarrierLeave:
		if !ended { // the last to arrive does not wait
			c.met[meeting{e.CTA, e.N, e.Phase}] = c.step(w, e)
		}
	case event.ClusterArrive:
		c.met[meeting{-1, 0, e.Phase}] = c.step(w, e)
	case event.Fence:
		c.step(w, e)
	case event.Registers:
		if !ended {
			s := c.step(w, e)
			if e.Instr.Has("dec") {
				c.met[meeting{e.CTA, registers, 0}] = s
			}
		}
	case event.MbarrierWait, event.WaitGroup, event.ClusterLeave:
		if !ended {
			c.step(w, e)
		}
	case event.Exit:
		if w.live &^= e.Lanes; w.live == 0 {
			c.rest(w, e.Time)
			w.ended = true
		}
	}
}

// Finish closes what is open.
func (c *cluster) Finish(stuck bool) []event.Finding {
	c.stuck = stuck && !c.cut
	for _, w := range c.warps {
		if w.waiting == nil && !w.ended {
			c.rest(w, c.last)
		}
		for _, x := range w.open {
			x.to, x.endless = c.last, true
		}
	}
	return nil
}
