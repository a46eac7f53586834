package sanitize

import "gohopper/pkg/hopper/event"

// Two accesses that nothing orders break one of several rules: which one
// depends on who they are by. It must not depend on which of them the schedule
// let come first, so a pair is looked at from both sides.

// pair is a deed and a later access to the same bytes.
type pair struct {
	cta         *cta   // whose shared memory
	at          uint32 // offset of the granule
	early, late who
	earlyWrites bool
	lateWrites  bool
	how         relation
}

// conflict reports a deed and an access that are not in order.
func (c *cluster) conflict(t *cta, at uint32, e *deed, a *act, how relation) {
	p := &pair{t, at, c.who(e), a.who(), e.does&writes != 0, a.writes, how}
	switch {
	case how == unfenced:
		c.reportUnfenced(p)
	case p.early.fills() || p.late.fills():
		c.fillConflict(p)
	case p.early.unit(event.TensorCore):
		c.productConflict(p, p.early, p.late, nil)
	case p.early.unit(event.BulkStore):
		c.storeConflict(p)
	case p.early.unit(event.CopyAsync) || p.late.unit(event.CopyAsync):
		c.copyConflict(p)
	default:
		c.reportRace(p)
	}
}

// unit reports whether an actor is an operation of a unit.
func (w who) unit(u event.Unit) bool { return w.op != nil && w.op.unit == u }

// fills reports whether an actor is a copy into shared memory that signals an
// mbarrier.
func (w who) fills() bool { return w.unit(event.BulkLoad) || w.unit(event.StoreAsync) }

// fillConflict is a copy into shared memory against anything else.
func (c *cluster) fillConflict(p *pair) {
	fill, other, otherWrites := p.early, p.late, p.lateWrites
	if !fill.fills() || p.late.fills() && p.lateWrites && !p.earlyWrites {
		fill, other, otherWrites = p.late, p.early, p.earlyWrites
	}
	if other.fills() {
		c.reportRefill(p, fill, other)
		return
	}
	b := fill.op.bar
	if b == nil {
		c.reportRace(p)
		return
	}
	phase := b.phase
	if fill.op.landed {
		phase = fill.op.phase
	}
	seen := other.warp.mind(other.lanes)
	phases := seen.order.phases(b.index)
	twice := b.sawTwice(other.warp, other.lanes)
	entitled := phases > phase || phases == phase && phase > 0
	switch {
	case twice != nil:
		c.reportStale(p, fill, other, b, phase, twice.instr)
	case entitled && other.unit(event.TensorCore):
		c.productConflict(p, other, fill, fill.op)
	case entitled && other.unit(event.BulkStore):
		c.storeConflict(p)
	case entitled:
		c.reportReuse(p, fill, other)
	case seen.done.phases(b.index) > phase:
		c.reportMissing(p, fill, other, b, "the wait for it is relaxed, which makes nothing visible")
	case seen.last.bar == b && !otherWrites:
		c.reportStale(p, fill, other, b, phase, seen.last.instr)
	default:
		c.reportMissing(p, fill, other, b, "")
	}
}

// productConflict is wgmma that may still read what somebody writes. Fill is
// the copy that does, nil if threads do.
func (c *cluster) productConflict(p *pair, reader, writer who, fill *op) {
	after := writer.warp.mind(writer.lanes).last
	if fill != nil {
		after = fill.after
	}
	readers := c.warpgroupOf(reader.warp)
	var let *arrival
	for i := range after.gave {
		if a := &after.gave[i]; a.warp.cta == reader.warp.cta && a.warp.index/4 == readers.index {
			let = a
		}
	}
	own := writer.warp.cta == reader.warp.cta && writer.warp.index/4 == readers.index
	other := c.ctas[writer.warp.cta].groups[writer.warp.index/4]
	switch {
	case let != nil || own:
		c.reportReleased(p, reader, writer, let, after)
	case writer.warp.cta != reader.warp.cta:
		c.reportReuse(p, writer, reader)
	case other != nil && other.commits != [4]int{}:
		c.reportGroups(p, reader, writer, other)
	default:
		c.reportReuse(p, writer, reader)
	}
}

// storeConflict is a bulk store that may still read what somebody writes.
func (c *cluster) storeConflict(p *pair) {
	store, writer := p.early, p.late
	if !store.unit(event.BulkStore) {
		store, writer = writer, store
	}
	o := store.op
	elsewhere := writer.warp != o.warp || writer.lanes&^o.lanes != 0
	// A wait that did not cover the store is to blame if it is the latest: in a
	// ring of buffers, earlier ones leave it in flight by right.
	newer := o.warp.bulk[lane(o.lanes)].commits - 1 - o.group
	switch {
	case o.short != nil && o.closed[0] == 0 && o.short.need == newer:
		c.reportCount(p, store, writer)
	case elsewhere && writer.warp.empty&writer.lanes != 0:
		c.reportThread(p, store, writer, writer.warp.emptyWait)
	case o.closed[0] != 0 || o.short != nil:
		c.reportThread(p, store, writer, nil)
	default:
		c.reportInFlight(p, store, writer)
	}
}

// copyConflict is a cp.async that may not have come.
func (c *cluster) copyConflict(p *pair) {
	copied, other := p.early, p.late
	if !copied.unit(event.CopyAsync) {
		copied, other = other, copied
	}
	if !p.earlyWrites || other.unit(event.CopyAsync) {
		c.reportRace(p)
		return
	}
	if copied.warp == other.warp && copied.lanes == other.lanes {
		c.reportMissing(p, copied, other, nil, "")
		return
	}
	c.reportCopyThread(p, copied, other)
}
