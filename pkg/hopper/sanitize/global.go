package sanitize

import "gohopper/pkg/hopper/event"

// mostStores is how many bulk stores of a cluster are remembered for what they
// write to global memory.
const mostStores = 256

// storeGlobal remembers a bulk store's destination.
func (c *cluster) storeGlobal(o *op, rows []event.Rows) {
	if len(rows) == 0 {
		return
	}
	o.global = append([]event.Rows(nil), rows...)
	if len(c.stores) == mostStores {
		c.stores = append(c.stores[:0], c.stores[1:]...)
	}
	c.stores = append(c.stores, o)
}

// accessGlobal judges an access to global memory against what bulk stores of
// the same cluster write there.
func (c *cluster) accessGlobal(e *event.Event, a *act) {
	if len(c.stores) == 0 {
		return
	}
	low, high := e.Addrs[lane(e.Lanes)], uint64(0)
	for l := range eachLane(e.Lanes) {
		low, high = min(low, e.Addrs[l]), max(high, e.Addrs[l]+uint64(e.Bytes))
	}
	for _, o := range c.stores {
		if first, last := o.global[0], o.global[len(o.global)-1]; low >= last.At+last.Bytes || high <= first.At {
			continue
		}
		if o.all != 0 && c.mayRead(o, a) {
			continue
		}
		for l := range eachLane(e.Lanes) {
			if o.writesTo(e.Addrs[l], uint64(e.Bytes)) {
				c.storeNotOver(o, a, l)
				break
			}
		}
	}
}

// mayRead reports whether all lanes of an access know that a store is over.
func (c *cluster) mayRead(o *op, a *act) bool {
	for _, x := range a.warp.minds {
		if x.lanes&a.lanes == 0 || o.warp == a.warp && x.lanes&a.lanes&^o.lanes == 0 {
			continue
		}
		if !x.order.covers(o.warp.id, o.lanes, o.all) {
			return false
		}
	}
	return true
}

// writesTo reports whether a store writes any of n bytes.
func (o *op) writesTo(at, n uint64) bool {
	for _, r := range o.global {
		if at < r.At+r.Bytes && at+n > r.At {
			return true
		}
	}
	return false
}

// besideWrite judges a plain access against what other warps of the cluster
// wrote to the same bytes. To write the same value does no harm.
func (c *cluster) besideWrite(e *event.Event, w *warp, l int, p *writtenPage, from uint64) {
	c.beside(e, w, l, &p.touched, p, from)
}

// besideRead judges a plain write against what other warps of the cluster read.
func (c *cluster) besideRead(e *event.Event, w *warp, l int, p *readPage, from uint64) {
	c.beside(e, w, l, &p.touched, nil, from)
}

// beside looks for a byte that another warp touched and that nothing orders
// before lane l; p has its value, nil if it was read.
func (c *cluster) beside(e *event.Event, w *warp, l int, t *touched, p *writtenPage, from uint64) {
	marks, end := c.footprint.marks, from+uint64(e.Bytes)
	for i := from / 4; i <= (end-1)/4; i++ {
		m := &marks[t.by[i]]
		if m.warp == w.id || m.instr.Op == "cp" || t.mixed>>i&1 != 0 || w.mind(1<<l).order.touches(m.warp, t.when[i]) {
			continue
		}
		for at := max(from, 4*i); at < min(end, 4*i+4); at++ {
			if t.bytes[at/64]>>(at%64)&1 == 0 || p != nil && e.Does != event.Read && !p.differs(at, e, uint64(l*e.Bytes)+at-from) {
				continue
			}
			other := c.warps[m.warp]
			c.raceInGlobal(who{w, 1 << l, e.Instr, nil}, who{other, other.full, m.instr, nil}, e, e.Addrs[l]+at-from, p != nil)
			return
		}
	}
}

// differs reports whether a store is known to write another value to a byte
// than is there.
func (p *writtenPage) differs(at uint64, e *event.Event, i uint64) bool {
	return e.Data != nil && p.known[at/64]>>(at%64)&1 != 0 && p.value[at] != e.Data[i]
}
