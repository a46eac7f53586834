package sanitize

import "gohopper/pkg/hopper/event"

// copyOp is what a cp.async has of its own: every lane's copy is in a group of
// that lane and ends by itself.
type copyOp struct {
	groups [32]int32
	closed [32]uint32
	landed uint32 // lanes whose copy has ended with a phase of some mbarrier
	ends   []copyEnd
}

// copyEnd is a phase of an mbarrier with which lanes' copies ended. There may
// be several: an arrival waits for all copies before it.
type copyEnd struct {
	bar   *mbarrier
	phase uint32
	lanes uint32
}

// copyWarp is the cp.async groups of a warp's lanes.
type copyWarp struct {
	commits [32]int32
	open    []*op
}

// laneCopy is one lane's part of a cp.async.
type laneCopy struct {
	op   *op
	lane int
}

func (w *warp) copyWarp() *copyWarp {
	if w.copy == nil {
		w.copy = &copyWarp{}
	}
	return w.copy
}

// startCopy is a cp.async. It writes through the generic proxy.
func (c *cluster) startCopy(e *event.Event, w *warp, o *op) {
	k := w.copyWarp()
	o.copies = &copyOp{groups: k.commits}
	k.open = append(k.open, o)
	c.touchLanes(e, act{op: o, warp: w, lanes: e.Lanes, instr: e.Instr, writes: true, adds: true})
}

// waitCopy closes the copies of all but the lanes' newest groups.
func (c *cluster) waitCopy(e *event.Event, w *warp) {
	if w.copy == nil {
		return
	}
	k, now := w.copy, w.now()
	kept := k.open[:0]
	for _, o := range k.open {
		open := uint32(0)
		for lane := range eachLane(o.lanes) {
			if e.Lanes>>lane&1 != 0 && o.copies.closed[lane] == 0 && (e.N < 0 || o.copies.groups[lane] < k.commits[lane]-int32(e.N)) {
				o.copies.closed[lane] = now
			}
			if o.copies.closed[lane] == 0 {
				open |= 1 << lane
			}
		}
		if open != 0 {
			kept = append(kept, o)
		}
	}
	clear(k.open[len(kept):])
	k.open = kept
}

// startArrive is a cp.async.mbarrier.arrive: the lane's copies so far end with
// the phase of the mbarrier in which it comes to arrive.
func (c *cluster) startArrive(e *event.Event, w *warp, o *op) {
	o.bar = c.bars[barKey(e.Owner, e.At)]
	if w.copy == nil || o.bar == nil {
		return
	}
	c.use(o.bar, w, e.Lanes, e.Instr, false)
	l := lane(e.Lanes)
	kept := w.copy.open[:0]
	for _, x := range w.copy.open {
		if x.copies.landed == x.lanes {
			continue // over for every lane
		}
		kept = append(kept, x)
		if x.lanes>>l&1 != 0 && x.copies.closed[l] == 0 {
			o.before = append(o.before, laneCopy{x, l})
		}
	}
	clear(w.copy.open[len(kept):])
	w.copy.open = kept
}

// arrived is the arrival that startArrive promised.
func (o *op) arrived(phase uint32) {
	for _, x := range o.before {
		x.op.copies.end(copyEnd{o.bar, phase, 1 << x.lane})
	}
}

// end notes the end of lanes' copies.
func (k *copyOp) end(e copyEnd) {
	k.landed |= e.lanes
	for i := range k.ends {
		if k.ends[i].bar == e.bar && k.ends[i].phase == e.phase {
			k.ends[i].lanes |= e.lanes
			return
		}
	}
	k.ends = append(k.ends, e)
}

// seen reports whether a clock has seen a phase with which all these lanes'
// copies ended.
func (k *copyOp) seen(lanes uint32, c *clock) bool {
	for _, e := range k.ends {
		if c.phases(e.bar.index) > e.phase {
			lanes &^= e.lanes
		}
	}
	return lanes == 0
}

// closedAt is when lanes' parts of a cp.async were closed; 0 while one is open.
func (o *op) closedAt(lanes uint32) uint32 {
	var last uint32
	for lane := range eachLane(lanes) {
		if o.copies.closed[lane] == 0 {
			return 0
		}
		last = max(last, o.copies.closed[lane])
	}
	return last
}
