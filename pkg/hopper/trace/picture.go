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
		p.add(l, g.from, g.to, fmt.Sprintf("%d ticks in which nothing happens", g.left()), "left out", details{})
	}
}

// drawCTA lays out a CTA's rows in the order of a tile's way through it.
func (p *picture) drawCTA(cta int) {
	warps := p.c.warps[cta*p.c.perCTA():][:p.c.perCTA()]
	var last []*warp
	for _, w := range warps {
		if p.multiplies(w) {
			continue
		}
		if w.loads > 0 {
			p.drawWarp(w)
		} else {
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

// add puts a slice between two ticks on a lane.
func (p *picture) add(l *lane, from, to int64, name, category string, d details) *slice {
	s := &slice{from: p.c.clock.page(from), to: p.c.clock.page(to), name: name, category: category, details: d}
	l.slices = append(l.slices, s)
	return s
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
		p.add(l, s.from, s.to, s.did.name(), "work", s.did.details())
	}
	for _, x := range w.waits {
		p.waits[x] = p.add(of(x.apart), x.from, x.to, p.waitName(x), "wait", p.waitDetails(x))
	}
	for _, s := range w.steps {
		p.steps[s] = p.add(of(s.apart), s.from, s.to, p.stepName(s), "instruction", p.stepDetails(s))
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
	s := p.add(l, o.from, end, operationName(o), unitNames[o.unit], p.operationDetails(o))
	s.from += begins
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
		s := p.add(l, g.ops[0].from, end, p.groupName(g), unitNames[event.TensorCore], p.groupDetails(g))
		s.from += begins
		p.groups[g] = s
	}
}

func (p *picture) mbarriersOf(cta int) (list []*mbarrier) {
	for _, b := range p.c.all {
		if b.cta == cta {
			list = append(list, b)
		}
	}
	slices.SortStableFunc(list, func(a, b *mbarrier) int { return int(a.at) - int(b.at) })
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
		s := p.add(l, x.from, x.to, phaseName(x), "mbarrier", p.phaseDetails(b, x, i < len(b.phases)))
		if x.armed != 0 {
			from := min(max(s.from, p.c.clock.page(x.armed)+begins), s.to)
			s.inner = append(s.inner, &slice{from: from, to: s.to, name: fillName(x), category: "mbarrier"})
		}
	}
}
