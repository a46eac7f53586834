package sanitize

import (
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// remote is the latest access of one kind to the shared memory of another CTA,
// or the latest copy into the own one: it must be over before that CTA ends.
type remote struct {
	warp  *warp
	lanes uint32
	time  uint32
	instr *ptx.Instr
	op    *op
	bar   *mbarrier // arrived at, or signalled
	phase uint32    // of it
}

// remoteKey says which accesses are of one kind: later ones of them end later.
type remoteKey struct {
	target int // CTA rank
	warp   *warp
	lanes  uint32
	instr  *ptx.Instr
	bar    *mbarrier
}

// peerTouched is an access by lanes of a warp to a CTA's shared memory, by
// themselves or by an operation.
func (c *cluster) peerTouched(w *warp, m uint32, target int, o *op) {
	if target != w.cta {
		c.checkForm(w, m, target)
		c.checkStarted(w, m, target)
	}
	r := remote{warp: w, lanes: m, time: w.now(), instr: c.now.Instr, op: o}
	if o == nil || o.unit == event.CopyAsync {
		if target == w.cta {
			return
		}
	} else if o.bar == nil {
		return
	} else {
		r.bar = o.bar
	}
	c.reach(remoteKey{target, w, m, r.instr, r.bar}, r)
}

// peerArrived is an arrival at an mbarrier of another CTA.
func (c *cluster) peerArrived(w *warp, e *event.Event, b *mbarrier) {
	c.checkForm(w, e.Lanes, e.Owner)
	c.reach(remoteKey{e.Owner, w, e.Lanes, e.Instr, b}, remote{
		warp: w, lanes: e.Lanes, time: w.now(), instr: e.Instr, bar: b, phase: uint32(e.Phase),
	})
}

// reach remembers the latest access of a kind.
func (c *cluster) reach(key remoteKey, r remote) {
	if old := c.remotes[key]; old != nil {
		*old = r
		return
	}
	c.remotes[key] = &r
	c.reached = append(c.reached, key)
}

// checkForm requires that an instruction that reaches another CTA says so.
func (c *cluster) checkForm(w *warp, m uint32, target int) {
	if in := c.now.Instr; (in.Has("shared") || in.Has("shared::cta")) && !in.Has("shared::cluster") {
		c.wrongForm(w, m, target)
	}
}

// checkStarted requires that a CTA is known to have started before another
// touches it.
func (c *cluster) checkStarted(w *warp, m uint32, target int) {
	x := w.mind(m)
	for _, p := range c.ctas[target].warps {
		if x.order.touches(p.id, 1) {
			return
		}
	}
	c.notStarted(w, m, target)
}

// end is the end of lanes of a warp.
func (c *cluster) end(e *event.Event, w *warp) {
	w.gone |= e.Lanes
	t := c.ctas[w.cta]
	t.last = who{w, e.Lanes, e.Instr, nil}
	c.publish(w, e.Lanes, t.ended, true)
}

// checkEnds is asked at the end of the cluster: whatever reaches into a CTA
// must be over, for a thread of the CTA to see, before it ends.
func (c *cluster) checkEnds() {
	for _, key := range c.reached {
		r := c.remotes[key]
		known := &c.ctas[key.target].ended.done
		over := known.covers(r.warp.id, r.lanes, r.time)
		switch {
		case r.op != nil:
			over = r.op.landed && known.phases(r.bar.index) > r.op.phase
		case r.bar != nil:
			over = over || known.phases(r.bar.index) > r.phase
		}
		if !over {
			c.outlives(r, key.target)
		}
	}
}
