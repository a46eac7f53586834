package emu

import (
	"slices"

	"gohopper/pkg/hopper/emu/tensor"
	"gohopper/pkg/hopper/emu/tma"
	"gohopper/pkg/hopper/event"
)

// What happens in a cluster is told to its sink, if it has one. Each function
// here is one hook and does nothing without a sink.

// observe makes the launch's observer, if the machine is configured with one.
func (l *launch) observe() {
	if l.machine.config.Observe == nil {
		return
	}
	l.observer = l.machine.config.Observe(event.Launch{
		Module: l.module.ptx, Entry: l.prog.fn,
		Grid: l.shape.Grid, Block: l.shape.Block, Cluster: l.shape.Cluster,
		SharedFirst: l.prog.sharedFirst(), SharedEnd: sharedBase + l.sharedBytes(),
		Registers: l.registers(),
	})
}

// follow gives a new cluster its sink.
func (c *cluster) follow() {
	if c.launch.observer == nil {
		return
	}
	var ctas [][3]int
	for _, t := range c.ctas {
		ctas = append(ctas, t.at)
	}
	c.sink = c.launch.observer.Cluster(ctas)
}

// unfollow ends the sink and keeps what it found.
func (c *cluster) unfollow() {
	if c.sink != nil {
		c.found.list = append(c.found.list, c.sink.Finish(c.alive() > 0 && c.faults < mostFaults)...)
	}
}

// tell completes an event of an agent and hands it over.
func (c *cluster) tell(by agent, e event.Event) {
	e.CTA, e.Warp, e.Lanes, e.Time = by.cta.rank, by.warp, uint32(by.lanes), c.now
	if c.running != nil {
		e.Time += int64(c.running.used)
	}
	if by.in != nil {
		e.Instr = by.in.told
	}
	if e.Op == 0 {
		e.Op = by.op
	}
	c.told = e
	c.sink.Take(&c.told)
}

// tell hands over an event of lanes m at the present instruction.
func (w *warp) tell(m mask, e event.Event) {
	if c := w.cta.cluster; c.sink != nil {
		c.tell(w.agent(m), e)
	}
}

// tellAccess is an access by lanes m to n bytes each, before it happens. Only
// memory that threads share matters.
func (w *warp) tellAccess(m mask, s space, a address, n int, does event.Does, strong bool) {
	c := w.cta.cluster
	if c.sink == nil || s == spaceLocal || s == spaceParam || s == spaceConst {
		return
	}
	var shared, global mask
	for rest := m; rest != 0; rest &= rest - 1 {
		lane := rest.first()
		in, addr := s, a.at(w, lane)
		if s == spaceGeneric {
			in, addr = split(addr)
		}
		switch in {
		case spaceShared:
			if at, ok := w.cta.offset(addr); ok {
				shared |= 1 << lane
				c.addrs[lane] = at
			}
		case spaceGlobal:
			global |= 1 << lane
			c.addrs[lane] = addr
		}
	}
	if shared != 0 {
		c.tell(w.agent(shared), event.Event{Kind: event.Access, Space: event.Shared, Does: does, Strong: strong, Addrs: &c.addrs, Bytes: n})
	}
	if global != 0 {
		e := event.Event{Kind: event.Access, Space: event.Global, Does: does, Strong: strong, Addrs: &c.addrs, Bytes: n}
		if len(c.stored) > 0 {
			e.Data = c.stored
		}
		c.tell(w.agent(global), e)
	}
}

// tellStore is tellAccess of a store, with what it writes to global memory.
func (w *warp) tellStore(t *transfer, m mask, n int) {
	c := w.cta.cluster
	if c.sink == nil {
		return
	}
	if !t.strong && (t.space == spaceGlobal || t.space == spaceGeneric) {
		if cap(c.stored) < lanes*n {
			c.stored = make([]byte, lanes*n)
		}
		c.stored = c.stored[:lanes*n]
		for rest := m; rest != 0; rest &= rest - 1 {
			lane := rest.first()
			t.pack(w, lane, c.stored[lane*n:][:n])
		}
	}
	w.tellAccess(m, t.space, t.addr, n, event.Write, t.strong)
	c.stored = c.stored[:0]
}

// tellOne is an access by one lane to n bytes at an address.
func (w *warp) tellOne(lane int, s space, addr uint64, n int, a access) {
	if w.cta.cluster.sink == nil {
		return
	}
	does := event.Read
	if a == write {
		does = event.Write
	}
	w.tellAccess(1<<lane, s, address{base: kindPred, offset: addr}, n, does, false)
}

// offset is a shared address as events write it.
func (t *cta) offset(addr uint64) (uint64, bool) {
	owner, off := t.cluster.owner(t, uint32(addr))
	if owner == nil || addr>>32 != 0 {
		return 0, false
	}
	return uint64(owner.rank)<<32 | uint64(off), true
}

// begin tells that an asynchronous operation starts and gives it to its agent.
func (c *cluster) begin(by *agent, e event.Event) {
	if c.sink == nil {
		return
	}
	c.ops++
	by.op = c.ops
	e.Kind = event.Start
	c.tell(*by, e)
}

// beginLanding is begin for an operation that signals an mbarrier at a shared
// address with a rank, and reads global memory.
func (c *cluster) beginLanding(by *agent, u event.Unit, bar uint32, global []event.Rows, regions ...event.Region) {
	if c.sink == nil {
		return
	}
	e := event.Event{Unit: u, Regions: regions, Global: global}
	for _, r := range regions {
		if r.Write && len(r.Runs) > 0 {
			e.Bytes += int(r.Runs[0].Bytes)
		}
	}
	if owner, off := c.owner(by.cta, bar); owner != nil {
		e.Owner, e.At = owner.rank, off
	}
	c.begin(by, e)
}

// beginCopy tells that lanes start a cp.async.
func (c *cluster) beginCopy(x *asyncCopy) {
	if c.sink == nil {
		return
	}
	by := x.by
	for lane := range lanes {
		if at, ok := by.cta.offset(x.dst[lane]); ok && x.lanes>>lane&1 != 0 {
			c.addrs[lane] = at
		} else {
			by.lanes &^= 1 << lane
		}
	}
	c.begin(&by, event.Event{Unit: event.CopyAsync, Addrs: &c.addrs, Bytes: x.bytes})
	x.by.op = by.op
}

// ended tells that an agent's operation is over.
func (c *cluster) ended(by agent) {
	if c.sink != nil {
		c.tell(by, event.Event{Kind: event.Complete})
	}
}

// readsOver tells that an agent's copy has read what it copies.
func (c *cluster) readsOver(by agent) {
	if c.sink != nil {
		c.tell(by, event.Event{Kind: event.ReadsOver})
	}
}

// runOf is contiguous shared memory at an address as a region.
func (c *cluster) runOf(of *cta, addr uint32, n int, writes bool) event.Region {
	owner, off := c.owner(of, addr)
	if owner == nil {
		return event.Region{}
	}
	return event.Region{CTA: owner.rank, Write: writes, Runs: []event.Run{{At: off, Bytes: uint32(n)}}, Low: off, High: off + uint32(n)}
}

// beginBox tells that a tensor copy between a box and shared memory starts.
func (c *cluster) beginBox(by *agent, of tensorBox, box *tma.Box, s spot, writes bool) {
	if c.sink == nil {
		return
	}
	_, at := c.owner(by.cta, s.dst)
	r := event.Region{CTA: s.cta.rank, Write: writes, Swizzle: box.Span()}
	e := event.Event{Unit: event.BulkLoad, Bytes: box.Bytes(), Outside: true, Corner: box.Corner()}
	e.Tensor = c.launch.paramName(of.at.at(by.cta.warps[by.warp], by.lanes.first()))
	if box.Dense() {
		r.Runs = append(r.Runs, event.Run{At: at, Bytes: uint32(box.Bytes())})
	}
	for row := range box.Rows(0, box.NumRows()) {
		lo, hi := 0, box.RowBytes()
		if row.Lo < row.Hi {
			e.Outside = false
			e.Global = append(e.Global, event.Rows{At: row.Global, Bytes: uint64(row.Hi - row.Lo)})
		}
		if !box.Dense() {
			for chunk, n := range box.Chunks(at, row, lo, hi) {
				r.Runs = append(r.Runs, event.Run{At: chunk, Bytes: uint32(n)})
			}
		}
	}
	r.Low, r.High = at, at+uint32(box.NumRows()*box.Pitch())
	e.Regions = []event.Region{r}
	if writes {
		e.Owner, e.At = s.cta.rank, s.bar&offsetMask
	} else {
		e.Unit = event.BulkStore
	}
	c.begin(by, e)
}

// beginProduct tells that a warp starts a wgmma.
func (g *warpgroup) beginProduct(w *warp, p, first *tileProduct) {
	c := w.cta.cluster
	if c.sink == nil {
		return
	}
	if p == first {
		c.ops++
		p.by.op = c.ops
		if p.aRegisters == nil {
			p.regions = append(p.regions, operandRegion(w, p.left, p.a))
		}
		p.regions = append(p.regions, operandRegion(w, p.right, p.b))
	}
	by := w.agent(p.by.lanes)
	by.op = first.by.op
	c.tell(by, event.Event{Kind: event.Start, Unit: event.TensorCore, Regions: first.regions})
}

// operandKey is an operand in a CTA's shared memory.
type operandKey struct {
	tensor.Operand
	tensor.Descriptor
	cta *cta
}

// operandRegion is what a wgmma reads of an operand in shared memory. Kernels
// read the same few again and again.
func operandRegion(w *warp, o tensor.Operand, d tensor.Descriptor) event.Region {
	c := w.cta.cluster
	key := operandKey{o, d, w.cta}
	if r, ok := c.operands[key]; ok {
		return r
	}
	r := event.Region{CTA: w.cta.rank, Descriptor: uint64(d)}
	if d.Swizzle() != tensor.NoSwizzle {
		r.Swizzle = int(d.Swizzle().Span())
	}
	chunks := o.Chunks(nil, d)
	slices.Sort(chunks)
	for _, at := range chunks {
		if n := len(r.Runs); n > 0 && r.Runs[n-1].At+r.Runs[n-1].Bytes == at {
			r.Runs[n-1].Bytes += 16
			continue
		}
		r.Runs = append(r.Runs, event.Run{At: at, Bytes: 16})
	}
	r.Low, r.High = chunks[0], chunks[len(chunks)-1]+16
	if c.operands == nil {
		c.operands = map[operandKey]event.Region{}
	}
	c.operands[key] = r
	return r
}

// paramName is the kernel's parameter at a generic address, "" for none.
func (l *launch) paramName(addr uint64) string {
	if s, at := split(addr); s == spaceParam {
		for _, p := range l.prog.params {
			if at >= uint64(p.offset) && at < uint64(p.offset+p.bytes) {
				return p.name
			}
		}
	}
	return ""
}

// tellMbarrier tells what an mbarrier was given.
func (c *cluster) tellMbarrier(by agent, owner *cta, b *mbarrier, e event.Event) {
	if c.sink == nil {
		return
	}
	e.Owner, e.At = owner.rank, b.at
	c.tell(by, e)
}

// tellWait tells that lanes m have seen phases of an mbarrier complete.
func (w *warp) tellWait(m mask, b *mbarrier) {
	if m != 0 && b != nil && w.cta.cluster.sink != nil {
		w.tell(m, event.Event{Kind: event.MbarrierWait, Owner: b.owner, At: b.at, Phase: b.phase})
	}
}
