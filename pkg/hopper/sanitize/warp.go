package sanitize

import "gohopper/pkg/hopper/ptx"

// warp is what the sanitizer keeps of a warp: its time, and what its lanes
// know. Lanes that know the same share a mind; most of the time there is one.
type warp struct {
	cta   int // rank
	index int // in the CTA
	id    int // in the cluster
	full  uint32
	time  uint32
	gone  uint32 // lanes that have ended
	told  bool   // what happened at this time is published: what comes next is later
	minds []*mind

	bulk      map[int]*bulkThread // by lane: its bulk groups
	copy      *copyWarp           // its cp.async groups, nil until the first
	tries     tryAt               // the mbarrier it waits for
	inits     []*mbarrier         // that it initialised and no fence has published
	empty     uint32              // lanes that waited for bulk groups without having any
	emptyWait *ptx.Instr          // and where, the latest
	quota     int                 // registers per thread, as setmaxnreg last asked for
	asked     *ptx.Instr          // where; nil: as launched
	fence     bool                // has executed a fence that is not a proxy fence
}

// mind is what some lanes of a warp know.
type mind struct {
	lanes uint32
	knowledge
	last arrivalSeen // the latest mbarrier wait, for messages
}

// tryAt is a wait for the end of a phase that has not come.
type tryAt struct {
	bar   *mbarrier
	phase uint32
	lanes uint32
	instr *ptx.Instr
}

// now is the time of what the warp does next.
func (w *warp) now() uint32 {
	if w.told {
		w.time++
		w.told = false
	}
	return w.time
}

// split makes minds whose lanes are all in m or all outside, and returns those
// inside.
func (w *warp) split(m uint32) []*mind {
	if len(w.minds) == 1 && w.minds[0].lanes&^m == 0 {
		return w.minds
	}
	var inside []*mind
	for _, x := range w.minds {
		switch {
		case x.lanes&m == 0:
		case x.lanes&^m == 0:
			inside = append(inside, x)
		default:
			y := &mind{lanes: x.lanes & m, last: x.last}
			y.copyFrom(&x.knowledge)
			x.lanes &^= m
			w.minds = append(w.minds, y)
			inside = append(inside, y)
		}
	}
	return inside
}

// mind is what a lane knows.
func (w *warp) mind(lanes uint32) *mind {
	for _, x := range w.minds {
		if x.lanes&lanes != 0 {
			return x
		}
	}
	return w.minds[0]
}

// publish adds to k what lanes m know and have done until now.
func (c *cluster) publish(w *warp, m uint32, k *knowledge, relaxed bool) {
	for _, x := range w.minds {
		if x.lanes&m != 0 {
			k.join(&x.knowledge, c.full, relaxed)
		}
	}
	k.done.cover(w.id, m, w.time, w.full)
	if !relaxed {
		k.order.cover(w.id, m, w.time, w.full)
	}
	w.told = true
}

// learn gives lanes m the knowledge k.
func (c *cluster) learn(w *warp, m uint32, k *knowledge, relaxed bool) {
	for _, x := range w.split(m) {
		x.join(k, c.full, relaxed)
	}
}

// level gives lanes m, all of which have published into k, the knowledge k, so
// that they are of one mind.
func (c *cluster) level(w *warp, m uint32, k *knowledge) {
	inside := w.split(m)
	if len(inside) == 0 {
		return
	}
	one := inside[0]
	one.join(k, c.full, false)
	if len(inside) == 1 {
		return
	}
	kept := []*mind{one}
	for _, x := range w.minds {
		if x.lanes&m == 0 {
			kept = append(kept, x)
		} else if x != one {
			one.lanes |= x.lanes
		}
	}
	w.minds = kept
}

// meet is bar.warp.sync: lanes m learn what each of them knows and did.
func (c *cluster) meet(w *warp, m uint32) {
	m &= w.full
	if len(w.minds) == 1 && m == w.full {
		x := w.minds[0]
		x.order.cover(w.id, m, w.time, w.full)
		x.done.cover(w.id, m, w.time, w.full)
		w.told = true
		return
	}
	c.scratch.clear()
	c.publish(w, m, c.scratch, false)
	c.level(w, m, c.scratch)
}

// exchange is a shuffle or the like. It is no barrier for what the lanes did,
// but what one of them has acquired from elsewhere, all may rely on: they go on
// only after it has.
func (c *cluster) exchange(w *warp, m uint32) {
	if len(w.minds) == 1 {
		return
	}
	c.scratch.clear()
	for _, x := range w.minds {
		if x.lanes&m != 0 {
			c.scratch.join(&x.knowledge, c.full, false)
		}
	}
	c.level(w, m, c.scratch)
}

// fenceProxy orders what lanes m know of, and did, before what the
// asynchronous proxy does after this.
func (c *cluster) fenceProxy(w *warp, m uint32) {
	for _, x := range w.split(m) {
		x.fenced.join(&x.order, c.full)
		x.fenced.cover(w.id, x.lanes, w.time, w.full)
	}
	w.told = true
}
