package trace

import (
	"fmt"
	"maps"
	"slices"

	"gohopper/pkg/hopper/event"
)

// picture is a cluster's record as rows, slices and arrows.
type picture struct {
	c     *cluster
	ring  ring
	lanes []*lane // by CTA, from the top
	flows []flow

	steps  map[*step]*slice
	waits  map[*wait]*slice
	ops    map[*operation]*slice
	groups map[*group]*slice
}

// Within a tick's microsecond an instruction issues before its operation
// begins, and a completion comes before the instruction that sees it, so that
// every arrow stands inside the slices at its ends and leads forward.
const (
	issues    = -0.75
	begins    = -0.5
	receives  = -0.25
	completes = -0.25
)

// mostSlots is how many places in shared memory get a row of their own. Where
// there are more, what fills or reads them shares rows.
const mostSlots = 24

// draw makes the picture.
func draw(c *cluster) *picture {
	p := &picture{
		c: c, ring: findRing(c),
		steps: map[*step]*slice{}, waits: map[*wait]*slice{},
		ops: map[*operation]*slice{}, groups: map[*group]*slice{},
	}
	p.drawGaps()
	for cta := range c.ctas {
		p.drawCTA(cta)
	}
	p.connect()
	return p
}

// drawGaps says where the page leaves time out.
func (p *picture) drawGaps() {
	if len(p.c.clock.gaps) == 0 {
		return
	}
	l := p.lane(0, "left out", "left out")
	for _, g := range p.c.clock.gaps {
		l.add(&slice{
			from: p.c.clock.page(g.from), to: p.c.clock.page(g.to), category: "left out",
			name: fmt.Sprintf("%d ticks in which nothing happens", g.left()),
		})
	}
}

// drawCTA lays out a CTA's rows in the order of a tile's way through it.
func (p *picture) drawCTA(cta int) {
	warps := p.c.warps[cta*p.c.perCTA():][:p.c.perCTA()]
	var last []*warp
	for _, w := range warps {
		switch {
		case w.products > 0 || p.multiplies(w):
		case w.loads > 0:
			p.drawWarp(w)
		default:
			last = append(last, w)
		}
	}
	p.drawSlots(cta, event.BulkLoad, "TMA load")
	var rest []*mbarrier
	for _, b := range p.mbarriersOf(cta) {
		if slices.Contains(p.ring.full, b.at) {
			p.drawMbarrier(b)
		} else {
			rest = append(rest, b)
		}
	}
	for i, w := range warps {
		if p.multiplies(w) {
			p.drawWarp(w)
			if i%4 == 3 {
				p.drawTensorCore(cta, w.index/4)
			}
		}
	}
	for _, b := range rest {
		p.drawMbarrier(b)
	}
	p.drawSlots(cta, event.BulkStore, "TMA store")
	p.drawOthers(cta)
	for _, w := range last {
		p.drawWarp(w)
	}
}

// multiplies reports whether a warp's warpgroup uses the tensor cores by wgmma.
func (p *picture) multiplies(w *warp) bool { return len(w.groups) > 0 }

func (p *picture) lane(cta int, name, more string) *lane {
	l := &lane{cta: cta, name: name, more: more}
	p.lanes = append(p.lanes, l)
	return l
}

// drawWarp draws waits, the work between them, and steps.
func (p *picture) drawWarp(w *warp) {
	name := p.role(w)
	l := p.lane(w.cta, name, fmt.Sprintf("warp %d, other lanes", w.index))
	l.nests = true
	var aside *lane
	of := func(apart bool) *lane {
		if !apart {
			return l
		}
		if aside == nil {
			aside = p.lane(w.cta, l.more, l.more)
			aside.nests = true
		}
		return aside
	}
	for _, s := range w.stretches {
		l.add(&slice{from: p.c.clock.page(s.from), to: p.c.clock.page(s.to), name: s.did.name(), category: "work", details: s.did.details()})
	}
	for _, x := range w.waits {
		p.waits[x] = of(x.apart).add(&slice{from: p.c.clock.page(x.from), to: p.c.clock.page(x.to), name: p.waitName(x), category: "wait", details: p.waitDetails(x)})
	}
	for _, s := range w.steps {
		p.steps[s] = of(s.apart).add(&slice{from: p.c.clock.page(s.from), to: p.c.clock.page(s.to), name: p.stepName(s), category: "instruction", details: p.stepDetails(s)})
	}
}

// drawSlots draws a CTA's loads or stores by the shared memory that they fill
// or read. A load is drawn where it arrives.
func (p *picture) drawSlots(cta int, unit event.Unit, name string) {
	slots := map[uint32][]*operation{}
	for _, o := range p.c.operations {
		if o.unit == unit && o.lo.cta == cta {
			slots[o.lo.at] = append(slots[o.lo.at], o)
		}
	}
	shared := len(slots) > mostSlots
	var l *lane
	named := map[string]int{}
	for _, at := range p.slotOrder(slots) {
		if l == nil || !shared {
			title := name + "s"
			if !shared {
				title = p.slotName(name, slots[at])
			}
			if named[title]++; named[title] > 1 {
				title = fmt.Sprintf("%s, part %d", title, named[title])
			}
			l = p.lane(cta, title, title+", one more in flight")
		}
		for _, o := range slots[at] {
			p.drawOperation(l, o)
		}
	}
}

// slotOrder sorts slots by stage, then by offset.
func (p *picture) slotOrder(slots map[uint32][]*operation) []uint32 {
	order := slices.Sorted(maps.Keys(slots))
	slices.SortStableFunc(order, func(a, b uint32) int { return p.ring.reads(a) - p.ring.reads(b) })
	return order
}

func (p *picture) drawOperation(l *lane, o *operation) {
	end := o.to
	if !o.ended {
		end = max(o.to, p.c.last)
	}
	s := l.add(&slice{
		from: p.c.clock.page(o.from) + begins, to: p.c.clock.page(end), name: operationName(o),
		category: unitNames[o.unit], details: p.operationDetails(o),
	})
	if o.read != 0 {
		s.inner = append(s.inner, &slice{from: s.from, to: p.c.clock.page(o.read), name: "reads shared memory", category: s.category})
	}
	p.ops[o] = s
}

// drawOthers draws the asynchronous operations of other units that a CTA's
// warps start.
func (p *picture) drawOthers(cta int) {
	var l *lane
	for _, o := range p.c.operations {
		if o.unit == event.BulkLoad || o.unit == event.BulkStore || o.warp.cta != cta {
			continue
		}
		if l == nil {
			l = p.lane(cta, "asynchronous copies", "asynchronous copies, one more in flight")
		}
		p.drawOperation(l, o)
	}
}

// drawTensorCore draws the groups of a warpgroup. The row below shows those
// that are in flight beside another.
func (p *picture) drawTensorCore(cta, warpgroup int) {
	name := fmt.Sprintf("tensor core, warpgroup %d", warpgroup)
	l := p.lane(cta, name, name+", next group")
	for _, g := range p.c.groups {
		if g.cta != cta || g.warpgroup != warpgroup || g.ops[0].warps < 4 {
			continue
		}
		end := g.to
		if g.done < len(g.ops) {
			end = p.c.last
		}
		p.groups[g] = l.add(&slice{
			from: p.c.clock.page(g.ops[0].from) + begins, to: p.c.clock.page(end), name: p.groupName(g),
			category: unitNames[event.TensorCore], details: p.groupDetails(g),
		})
	}
}

func (p *picture) mbarriersOf(cta int) (list []*mbarrier) {
	for _, b := range p.c.mbarriers {
		if b.cta == cta {
			list = append(list, b)
		}
	}
	slices.SortFunc(list, func(a, b *mbarrier) int { return int(a.at) - int(b.at) })
	return list
}

// drawMbarrier draws phases, and in each the part from its first arrival or
// expected byte on.
func (p *picture) drawMbarrier(b *mbarrier) {
	name := p.barName(b.place)
	l := p.lane(b.cta, name, name+", at the same time")
	phases := b.phases
	last := b.now
	last.from, last.to = b.from, p.c.last
	if b.gone != 0 {
		last.to = b.gone
	}
	if last.to > last.from {
		phases = append(slices.Clip(phases), last)
	}
	for i, x := range phases {
		s := l.add(&slice{from: p.c.clock.page(x.from), to: p.c.clock.page(x.to), name: phaseName(x), category: "mbarrier", details: p.phaseDetails(b, x, i < len(b.phases))})
		if x.armed != 0 {
			from := min(max(s.from, p.c.clock.page(x.armed)+begins), s.to)
			s.inner = append(s.inner, &slice{from: from, to: s.to, name: fillName(x), category: "mbarrier"})
		}
	}
}

// connect draws the arrows: from instructions to the operations they start,
// and from completions to the waits that they end.
func (p *picture) connect() {
	for _, o := range p.c.operations {
		p.started(o, p.ops[o])
	}
	for _, g := range p.c.groups {
		p.started(g.ops[0], p.groups[g])
	}
	for _, w := range p.c.warps {
		for _, x := range w.waits {
			if from, at := p.ending(x); from != nil && !x.endless {
				p.flows = append(p.flows, flow{"ends the wait", from, p.waits[x], p.c.clock.page(at) + completes, p.c.clock.page(x.to) + receives})
			}
		}
	}
}

func (p *picture) started(o *operation, to *slice) {
	if from := p.steps[o.step]; from != nil && to != nil {
		p.flows = append(p.flows, flow{"starts", from, to, p.c.clock.page(o.from) + issues, p.c.clock.page(o.from) + receives})
	}
}

// ending is the slice whose end, at a tick, ended a wait; nil if none did while
// the warp waited.
func (p *picture) ending(x *wait) (from *slice, at int64) {
	switch {
	case x.released.op != nil:
		from, at = p.ops[x.released.op], x.released.op.to
	case x.released.step != nil:
		from, at = p.steps[x.released.step], x.released.step.to
	case x.freed != nil:
		from, at = p.groups[x.freed], x.freed.to
	case x.stored != nil:
		from, at = p.ops[x.stored], x.stored.over(x.reads)
	}
	if at <= x.from || at >= x.to {
		return nil, 0
	}
	return from, at
}
