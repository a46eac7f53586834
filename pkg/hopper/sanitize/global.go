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
// the same cluster write there. Nothing else is known of global memory.
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
