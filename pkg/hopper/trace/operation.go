package trace

import (
	"slices"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// operation is one asynchronous operation.
type operation struct {
	unit     event.Unit
	warp     *warp
	instr    *ptx.Instr
	from, to int64
	read     int64 // of a store: when it has read shared memory; 0 for not yet
	ended    bool
	bytes    int
	lo, hi   place // the shared memory that it fills or reads: lo to before hi
	bar      place // that it signals
	tensor   string
	corner   []int32
	outside  bool
	step     *step // that started it
	group    int   // of its unit, by commits of its warp
	warps    int   // of its warpgroup that have started it, for wgmma
}

// group is the wgmma operations between two commits of a warpgroup.
type group struct {
	cta, warpgroup int
	number         int
	ops            []*operation
	reads          map[place]bool // first bytes of its operands in shared memory
	done           int            // operations that are complete
	to             int64          // when the last was
}

// start records an operation, or that another warp takes part in it.
func (c *cluster) start(w *warp, e *event.Event) {
	s := c.step(w, e)
	switch e.Unit {
	case event.BulkLoad:
		w.loads++
		w.did.loads++
	case event.BulkStore:
		w.stores++
		w.did.stores++
	case event.TensorCore:
		w.did.products++
		s.n++
	default:
		w.did.copies++
	}
	if e.Unit == event.CopyAsync {
		return // a copy for each lane, whose end nobody is told
	}
	o := c.pending[e.Op]
	if o == nil {
		o = &operation{
			unit: e.Unit, warp: w, instr: e.Instr, bytes: e.Bytes, bar: place{e.Owner, e.At},
			tensor: e.Tensor, corner: append([]int32(nil), e.Corner...), outside: e.Outside, group: w.commits[e.Unit],
		}
		if len(e.Regions) > 0 {
			r := e.Regions[0]
			o.lo, o.hi = place{r.CTA, r.Low}, place{r.CTA, r.High}
		}
		c.pending[e.Op] = o
		if e.Unit == event.TensorCore {
			c.join(w, o, e.Regions)
		} else {
			c.operations = append(c.operations, o)
			if e.Unit == event.BulkStore {
				w.sent = append(w.sent, o)
			}
			c.entries += 3 // with the arrow to it
		}
	}
	o.from, o.to, o.step = e.Time, e.Time, s
	o.warps++
	s.ops = append(s.ops, o)
}

// join puts a wgmma into its group.
func (c *cluster) join(w *warp, o *operation, reads []event.Region) {
	g := w.groups[o.group]
	if g == nil {
		g = &group{cta: w.cta, warpgroup: w.index / 4, number: o.group, reads: map[place]bool{}}
		c.groups = append(c.groups, g)
		c.entries += 3
		for i := range 4 {
			c.warps[w.cta*c.perCTA()+g.warpgroup*4+i].groups[o.group] = g
		}
	}
	g.ops = append(g.ops, o)
	for _, r := range reads {
		g.reads[place{r.CTA, r.Low}] = true
	}
}

// complete ends an operation.
func (c *cluster) complete(e *event.Event) *operation {
	o := c.pending[e.Op]
	if o == nil {
		return nil
	}
	delete(c.pending, e.Op)
	o.to, o.ended = e.Time, true
	if o.unit == event.TensorCore {
		if g := o.warp.groups[o.group]; g != nil {
			g.done++
			g.to = max(g.to, e.Time)
		}
	}
	return o
}

// freed finds what a wait for groups was for: the newest group that it covers.
func (c *cluster) freed(w *warp, x *wait) {
	newest := w.commits[x.unit] - 1 - max(x.n, 0)
	switch x.unit {
	case event.TensorCore:
		x.freed = w.groups[newest]
	case event.BulkStore:
		for _, o := range slices.Backward(w.sent) {
			if x.stored != nil && o.group < x.stored.group {
				break
			}
			if o.group <= newest && (x.stored == nil || o.over(x.reads) > x.stored.over(x.reads)) {
				x.stored = o
			}
		}
	}
}

// over is when a store was over, or its reads.
func (o *operation) over(reads bool) int64 {
	if reads && o.read != 0 {
		return o.read
	}
	return o.to
}
