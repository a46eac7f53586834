package sanitize

import (
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// op is an asynchronous operation: an interval that stays open until somebody
// who waits in the right way has seen its end.
type op struct {
	unit    event.Unit
	instr   *ptx.Instr
	warp    *warp // that issued it; of a wgmma the first
	lanes   uint32
	time    uint32 // of the warp, when it was issued
	bytes   int    // that it signals
	tensor  bool
	swizzle int
	outside bool        // the whole box lies outside of its tensor
	used    bool        // somebody read what it wrote
	after   arrivalSeen // what its thread had waited for

	// An operation that signals an mbarrier ends with a phase of it.
	bar      *mbarrier
	landed   bool
	phase    uint32
	issuedIn uint32 // its phase when the operation was issued

	// A bulk store and a wgmma belong to a group.
	group int
	parts int // warps that have issued a wgmma
	// closed is when its thread, or each warp of its warpgroup, had waited for
	// its reads; 0 while that is open. all is the same for a store's writes.
	closed [4]uint32
	all    uint32
	short  *shortWait // a wait of its thread that did not cover it

	copies *copyOp      // of a cp.async
	before []laneCopy   // of a cp.async.mbarrier.arrive: what it waits for
	global []event.Rows // that a store writes
}

// shortWait is a wait that left an operation pending.
type shortWait struct {
	instr       *ptx.Instr
	given, need int // groups that may stay pending
}

// group is a warpgroup with its wgmma operations.
type warpgroup struct {
	index   int // in the CTA
	warps   []*warp
	open    []*op         // that some warp has not waited for
	commits [4]int        // groups that each warp has closed
	met     map[int]clock // by group: what the warps knew when they issued it
	waited  *ptx.Instr    // latest wait of any of its warps
}

// warpgroupOf is the warpgroup of a warp, nil if the CTA's last warps make none.
func (c *cluster) warpgroupOf(w *warp) *warpgroup {
	t := c.ctas[w.cta]
	i := w.index / 4
	if 4*i+4 > len(t.warps) {
		return nil
	}
	if t.groups[i] == nil {
		t.groups[i] = &warpgroup{index: i, warps: t.warps[4*i:][:4], met: map[int]clock{}}
	}
	return t.groups[i]
}

// start is the beginning of an operation.
func (c *cluster) start(e *event.Event, w *warp) {
	if e.Unit == event.TensorCore {
		c.startProduct(e, w)
		return
	}
	o := &op{unit: e.Unit, instr: e.Instr, warp: w, lanes: e.Lanes, time: w.now(), bytes: e.Bytes, tensor: e.Instr.Has("tensor"), outside: e.Outside}
	switch e.Unit {
	case event.CopyAsync:
		c.startCopy(e, w, o)
		return
	case event.CopyArrive:
		c.ops[e.Op] = o
		c.startArrive(e, w, o)
		return
	case event.BulkStore:
		t := w.bulkThread(lane(e.Lanes))
		o.group = t.commits
		t.open = append(t.open, o)
		c.storeGlobal(o, e.Global)
		if !e.Instr.Has("reduce") {
			c.copyGlobal(e, w, true)
		}
	default:
		c.ops[e.Op] = o
		if o.outside {
			c.outside = append(c.outside, o)
		}
		o.bar, o.after = c.signalled(e, w), w.mind(e.Lanes).last
		if o.bar != nil {
			o.bar.inFlight(o)
		}
		c.copyGlobal(e, w, false)
	}
	for i := range e.Regions {
		r := &e.Regions[i]
		o.swizzle = r.Swizzle
		c.peerTouched(w, e.Lanes, r.CTA, o)
		c.touchRegion(r, &act{op: o, warp: w, lanes: e.Lanes, instr: e.Instr, writes: r.Write, adds: true})
	}
}

// startProduct is a warp's part in a wgmma.
func (c *cluster) startProduct(e *event.Event, w *warp) {
	g := c.warpgroupOf(w)
	if g == nil {
		return
	}
	place := w.index % 4
	o := c.ops[e.Op]
	first := o == nil
	if first {
		o = &op{unit: event.TensorCore, instr: e.Instr, warp: g.warps[0], lanes: e.Lanes, time: w.now(), group: g.commits[place]}
		c.ops[e.Op] = o
		g.open = append(g.open, o)
	}
	for i := range e.Regions {
		r := &e.Regions[i]
		if first {
			c.checkDescriptor(w, e, r)
		}
		c.touchRegion(r, &act{op: o, warp: w, lanes: e.Lanes, instr: e.Instr, adds: first, swizzle: r.Swizzle})
	}
	if o.parts++; o.parts == 4 {
		delete(c.ops, e.Op)
	}
	met, ok := g.met[g.commits[place]]
	if !ok {
		met = clock{warps: make([]uint32, len(c.warps))}
	}
	for _, x := range w.minds {
		met.join(&x.done, c.full)
	}
	met.cover(w.id, w.full, w.time, w.full)
	w.told = true
	g.met[g.commits[place]] = met
}

// waitProduct closes the products of all but a warp's newest groups.
func (c *cluster) waitProduct(e *event.Event, w *warp) {
	g := c.warpgroupOf(w)
	if g == nil {
		return
	}
	g.waited = e.Instr
	place := w.index % 4
	limit := g.commits[place] - e.N
	now := w.now()
	kept := g.open[:0]
	for _, o := range g.open {
		if o.group < limit && o.closed[place] == 0 {
			o.closed[place] = now
		}
		if o.group >= limit && o.group < g.commits[place] {
			o.short = &shortWait{e.Instr, e.N, g.commits[place] - 1 - o.group}
		}
		if o.closed[0] == 0 || o.closed[1] == 0 || o.closed[2] == 0 || o.closed[3] == 0 {
			kept = append(kept, o)
		}
	}
	clear(g.open[len(kept):])
	g.open = kept
	for group, met := range g.met {
		if group < limit {
			for _, x := range w.minds {
				x.done.join(&met, c.full)
			}
		}
		if group < min(g.commits[0], g.commits[1], g.commits[2], g.commits[3])-8 {
			delete(g.met, group)
		}
	}
}

// bulkThread is a thread's bulk groups.
type bulkThread struct {
	commits   int
	open      []*op // whose reads it has not waited for
	unwritten []*op // whose writes alone it has not waited for
}

func (w *warp) bulkThread(lane int) *bulkThread {
	if w.bulk == nil {
		w.bulk = map[int]*bulkThread{}
	}
	t := w.bulk[lane]
	if t == nil {
		t = &bulkThread{}
		w.bulk[lane] = t
	}
	return t
}

// waitBulk closes the stores of all but a thread's newest groups.
func (c *cluster) waitBulk(e *event.Event, w *warp) {
	for lane := range eachLane(e.Lanes) {
		t := w.bulk[lane]
		if t == nil {
			w.emptyWait = e.Instr
			w.empty |= 1 << lane
			continue
		}
		now := w.now()
		kept := t.open[:0]
		for _, o := range t.open {
			if o.group >= t.commits-e.N {
				o.short = &shortWait{e.Instr, e.N, t.commits - 1 - o.group}
				kept = append(kept, o)
				continue
			}
			o.closed[0] = now
			t.unwritten = append(t.unwritten, o)
		}
		clear(t.open[len(kept):])
		t.open = kept
		if e.Reads {
			continue
		}
		left := t.unwritten[:0]
		for _, o := range t.unwritten {
			if o.group >= t.commits-e.N {
				left = append(left, o)
				continue
			}
			o.all = now
		}
		clear(t.unwritten[len(left):])
		t.unwritten = left
	}
}

// commit closes groups.
func (c *cluster) commit(e *event.Event, w *warp) {
	switch e.Unit {
	case event.TensorCore:
		if g := c.warpgroupOf(w); g != nil {
			g.commits[w.index%4]++
		}
	case event.BulkStore:
		for lane := range eachLane(e.Lanes) {
			if t := w.bulk[lane]; t != nil {
				t.commits++
			}
		}
	case event.CopyAsync:
		k := w.copyWarp()
		for lane := range eachLane(e.Lanes) {
			k.commits[lane]++
		}
	}
}

// waitGroup is a wait for groups.
func (c *cluster) waitGroup(e *event.Event, w *warp) {
	switch e.Unit {
	case event.TensorCore:
		c.waitProduct(e, w)
	case event.BulkStore:
		c.waitBulk(e, w)
	case event.CopyAsync:
		c.waitCopy(e, w)
	}
}
