package sanitize

import "gohopper/pkg/hopper/event"

// barrier is a named barrier of a CTA, or the barrier of the cluster.
type barrier struct {
	phases [4]barrierPhase // the latest, by number
}

// barrierPhase is one phase of it.
type barrierPhase struct {
	number  uint64
	gather  *knowledge // of those who have arrived
	members []arrival
}

// phase is a phase of the barrier.
func (b *barrier) phase(c *cluster, number uint64) *barrierPhase {
	p := &b.phases[number%4]
	if p.gather == nil {
		p.gather = newKnowledge(len(c.warps))
		p.number = number
	}
	if p.number != number {
		p.number = number
		p.gather.clear()
		p.members = p.members[:0]
	}
	return p
}

// arriveAt is an arrival at a named barrier.
func (c *cluster) arriveAt(e *event.Event, w *warp) {
	b := &c.ctas[w.cta].barriers[e.N]
	p := b.phase(c, e.Phase)
	if e.Bytes != 0 && e.Phase > 0 {
		c.checkMembers(b.phase(c, e.Phase-1), e, w)
	}
	p.members = append(p.members, arrival{w, e.Lanes, w.now(), e.Instr, false})
	c.publish(w, e.Lanes, p.gather, false)
}

// leave is the end of a wait at a named barrier.
func (c *cluster) leave(e *event.Event, w *warp) {
	p := c.ctas[w.cta].barriers[e.N].phase(c, e.Phase)
	c.level(w, e.Lanes, p.gather)
}

// checkMembers is asked when a warp arrives at a named barrier: that the
// phase before, if others made it up, is over must be known to the warp, or
// under another schedule it is counted there.
func (c *cluster) checkMembers(last *barrierPhase, e *event.Event, w *warp) {
	x := w.mind(e.Lanes)
	for _, m := range last.members {
		if m.warp == w {
			return
		}
	}
	for _, m := range last.members {
		if !x.done.touches(m.warp.id, m.time) {
			c.mixedBarrier(m, e, w)
			return
		}
	}
}

// clusterArrive and clusterLeave are the barrier of the cluster.
func (c *cluster) clusterArrive(e *event.Event, w *warp) {
	c.publish(w, e.Lanes, c.barrier.phase(c, e.Phase).gather, e.Instr.Has("relaxed"))
}

func (c *cluster) clusterLeave(e *event.Event, w *warp) {
	c.learn(w, e.Lanes, c.barrier.phase(c, e.Phase).gather, false)
}

// fence is a fence of any kind.
func (c *cluster) fence(e *event.Event, w *warp) {
	in := e.Instr
	switch {
	case in.Has("mbarrier_init"):
		w.publishInits(e.Lanes)
	case in.Has("proxy"):
		if in.Has("async") && !in.Has("global") {
			c.fenceProxy(w, e.Lanes)
			w.publishInits(e.Lanes)
		}
	default:
		w.fence, c.fenced = true, true
	}
}

// synchronise is an access that may order others: an atomic operation, or a
// load or store that is volatile or has an order. Who writes passes on what it
// knows, if it releases or has executed a fence; who reads learns it.
func (c *cluster) synchronise(e *event.Event, w *warp) {
	in := e.Instr
	releases := e.Does != event.Read && (w.fence || in.Has("release") || in.Has("acq_rel") || in.Has("sc"))
	if e.Space == event.Global {
		c.voice.heard(e, e.Does != event.Read && (releases || c.fenced))
	}
	if len(c.flags) == 0 && !releases {
		return
	}
	for l := range eachLane(e.Lanes) {
		key := flagKey{e.Space, e.Addrs[l]}
		k := c.flags[key]
		if k == nil && len(c.flags) >= mostFlags {
			key = flagKey{}
			k = c.flags[key]
		}
		if k != nil && e.Does != event.Write {
			c.learn(w, 1<<l, k, false)
		}
		if !releases {
			continue
		}
		if k == nil {
			k = newKnowledge(len(c.warps))
			c.flags[key] = k
		}
		c.publish(w, 1<<l, k, false)
	}
}

// mostFlags is how many places are told apart; all further ones are taken for
// one, which can only hide what is wrong.
const mostFlags = 4096

// flagKey is a place in memory through which threads synchronise.
type flagKey struct {
	space event.Space
	addr  uint64
}
