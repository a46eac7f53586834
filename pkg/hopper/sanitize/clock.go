package sanitize

// clock says how much of what others did somebody may rely on. The time of a
// warp advances when one of its lanes publishes what it did, so a deed is
// (warp, lanes, time). It is covered by a clock that reaches that time.
type clock struct {
	warps []uint32 // by warp of the cluster: the time up to which all its lanes' deeds are covered
	bars  []uint32 // by mbarrier: phases that are seen complete, and with them the copies they counted
	some  []reach  // lanes of a warp that are covered further than warps says
}

// reach is a time up to which the deeds of some lanes of a warp are covered.
type reach struct {
	warp        int32
	lanes, time uint32
}

// covers reports whether the deeds of all these lanes up to a time are covered.
func (c *clock) covers(warp int, lanes, time uint32) bool {
	if c.warps[warp] >= time {
		return true
	}
	for _, r := range c.some {
		if int(r.warp) == warp && r.time >= time {
			if lanes &^= r.lanes; lanes == 0 {
				return true
			}
		}
	}
	return false
}

// touches reports whether the deeds of any lane of the warp up to a time are.
func (c *clock) touches(warp int, time uint32) bool {
	if c.warps[warp] >= time {
		return true
	}
	for _, r := range c.some {
		if int(r.warp) == warp && r.time >= time {
			return true
		}
	}
	return false
}

// phases is how many phases of an mbarrier are seen complete.
func (c *clock) phases(bar int) uint32 {
	if bar < len(c.bars) {
		return c.bars[bar]
	}
	return 0
}

// see notes that phases of an mbarrier are complete.
func (c *clock) see(bar int, phases uint32) {
	for bar >= len(c.bars) {
		c.bars = append(c.bars, 0)
	}
	c.bars[bar] = max(c.bars[bar], phases)
}

// cover extends the clock to deeds of lanes of a warp whose lanes are full.
func (c *clock) cover(warp int, lanes, time, full uint32) {
	if c.warps[warp] >= time {
		return
	}
	if lanes == full {
		c.warps[warp] = time
		c.prune(warp)
		return
	}
	for i := range c.some {
		r := &c.some[i]
		switch {
		case int(r.warp) != warp:
		case r.time >= time && lanes&^r.lanes == 0:
			return
		case r.time == time:
			if r.lanes |= lanes; r.lanes == full {
				c.warps[warp] = time
				c.prune(warp)
			}
			return
		case r.lanes == lanes:
			r.time = time
			return
		}
	}
	c.some = append(c.some, reach{int32(warp), lanes, time})
}

// prune forgets what warps says already.
func (c *clock) prune(warp int) {
	kept := c.some[:0]
	for _, r := range c.some {
		if int(r.warp) != warp || r.time > c.warps[warp] {
			kept = append(kept, r)
		}
	}
	c.some = kept
}

// join covers what o covers too. Full has every warp's lanes.
func (c *clock) join(o *clock, full []uint32) {
	for i, t := range o.warps {
		if t > c.warps[i] {
			c.warps[i] = t
			if len(c.some) > 0 {
				c.prune(i)
			}
		}
	}
	for i, n := range o.bars {
		if n > 0 {
			c.see(i, n)
		}
	}
	for _, r := range o.some {
		c.cover(int(r.warp), r.lanes, r.time, full[r.warp])
	}
}

// copyFrom makes c the same as o.
func (c *clock) copyFrom(o *clock) {
	c.warps = append(c.warps[:0], o.warps...)
	c.bars = append(c.bars[:0], o.bars...)
	c.some = append(c.some[:0], o.some...)
}

// knowledge is what somebody may rely on, in three senses.
type knowledge struct {
	// order: deeds that the memory model orders before whatever its owner does
	// through the generic proxy.
	order clock
	// fenced: those of them that a proxy fence has also ordered before what
	// the asynchronous proxy does for its owner.
	fenced clock
	// done: deeds that have happened, though nothing may order the accesses
	// among them. A relaxed arrival passes on no more. It is enough for the
	// reads of an asynchronous operation that somebody has waited for.
	done clock
}

func newKnowledge(warps int) *knowledge {
	all := make([]uint32, 3*warps)
	return &knowledge{
		order:  clock{warps: all[:warps:warps]},
		fenced: clock{warps: all[warps : 2*warps : 2*warps]},
		done:   clock{warps: all[2*warps:]},
	}
}

// join adds o. Relaxed adds only that things have happened.
func (k *knowledge) join(o *knowledge, full []uint32, relaxed bool) {
	k.done.join(&o.done, full)
	if relaxed {
		return
	}
	k.order.join(&o.order, full)
	k.fenced.join(&o.fenced, full)
}

func (k *knowledge) copyFrom(o *knowledge) {
	k.order.copyFrom(&o.order)
	k.fenced.copyFrom(&o.fenced)
	k.done.copyFrom(&o.done)
}

// clear forgets everything.
func (k *knowledge) clear() {
	for _, c := range []*clock{&k.order, &k.fenced, &k.done} {
		clear(c.warps)
		c.bars, c.some = c.bars[:0], c.some[:0]
	}
}
