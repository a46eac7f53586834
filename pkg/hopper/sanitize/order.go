package sanitize

import (
	"math/bits"

	"gohopper/pkg/hopper/event"
)

// relation is how an earlier deed stands to an access.
type relation uint8

const (
	ordered   relation = iota
	unfenced           // ordered, but no proxy fence is on the way
	unordered          // nothing keeps the access from happening first, or at the same time
)

// relation judges a deed through the generic proxy against an access to the
// same bytes.
func (c *cluster) relation(e *deed, a *act, common uint16) relation {
	worst := ordered
	for _, x := range a.warp.minds {
		if x.lanes&a.deed.lanes == 0 {
			continue
		}
		if a.async() {
			worst = max(worst, c.acrossProxies(e, a, x))
		} else {
			worst = max(worst, c.plain(e, a, x, common))
		}
	}
	return worst
}

// plain judges two accesses through the generic proxy.
func (c *cluster) plain(e *deed, a *act, x *mind, common uint16) relation {
	t, open := e.end()
	own := int(e.warp) == a.warp.id
	switch {
	case e.op != nil && e.op.copies.seen(e.lanes, &x.order):
		return ordered
	case open:
		return unordered
	case x.order.covers(int(e.warp), e.lanes, t):
		return ordered
	case own && e.sameLanes(&a.deed, common):
		return ordered
	}
	return unordered
}

// end is the time from which a deed through the generic proxy is over, and
// whether it may still be going on.
func (e *deed) end() (t uint32, open bool) {
	if e.op == nil {
		return e.time, false
	}
	t = e.op.closedAt(e.lanes)
	return t, t == 0
}

// acrossProxies judges a deed through the generic proxy against an
// asynchronous operation.
func (c *cluster) acrossProxies(e *deed, a *act, x *mind) relation {
	t, open := e.end()
	inOrder := !open && (x.order.covers(int(e.warp), e.lanes, t) || int(e.warp) == a.warp.id && e.lanes&^a.lanes == 0)
	if e.op != nil {
		inOrder = inOrder || e.op.copies.seen(e.lanes, &x.order)
	}
	switch {
	case !inOrder:
		return unordered
	case e.does&writes == 0: // the next write need only come later
		return ordered
	case !open && x.fenced.covers(int(e.warp), e.lanes, t):
		return ordered
	}
	return unfenced
}

// over reports whether somebody with knowledge k may take an asynchronous
// operation for finished in doing a.
func (o *op) over(a *act, k *knowledge) bool {
	switch o.unit {
	case event.TensorCore:
		for i, t := range o.closed {
			if t == 0 {
				continue
			}
			w := o.warp.id - o.warp.index%4 + i
			if w == a.warp.id || k.done.touches(w, t) {
				return true
			}
		}
		return false
	case event.BulkStore:
		t := o.closed[0]
		return t != 0 && (o.warp == a.warp && a.deed.lanes&^o.lanes == 0 || k.done.covers(o.warp.id, o.lanes, t))
	}
	if o.bar == nil || !o.landed {
		return false
	}
	if a.writes && a.op != nil { // one asynchronous write after another: it need only be over
		return k.done.phases(o.bar.index) > o.phase
	}
	return k.order.phases(o.bar.index) > o.phase
}

// sameLanes reports whether each of the common bytes was touched by the same
// single lane in both.
func (e *deed) sameLanes(d *deed, common uint16) bool {
	if e.lanes == d.lanes && bits.OnesCount32(e.lanes) == 1 {
		return true
	}
	for rest := common; rest != 0; rest &= rest - 1 {
		b := bits.TrailingZeros16(rest)
		l := e.lanesAt(b)
		if l != d.lanesAt(b) || l&(l-1) != 0 {
			return false
		}
	}
	return true
}

// lanesAt is the lanes that touched a byte.
func (e *deed) lanesAt(b int) uint32 {
	if e.each == 0 {
		return e.lanes
	}
	return 1 << (lane(e.lanes) + (b-int(e.from))/int(e.each))
}
