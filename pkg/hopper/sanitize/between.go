package sanitize

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"gohopper/pkg/hopper/event"
)

// Races between clusters. A cluster that has come to its end is held against
// all that ended before, so every two are compared, whatever their order.

// heard notes what a cluster's access may tell others, or learn from them.
func (v *voice) heard(e *event.Event, releases bool) {
	v.releases = v.releases || releases
	v.acquires = v.acquires || e.Does != event.Write
}

// strangers reports whether nothing can order two clusters: neither tells the
// other anything.
func (v *voice) strangers(o *voice) bool {
	return v != o && !(v.releases && o.acquires) && !(o.releases && v.acquires)
}

// meeting is two accesses of different clusters to a byte.
type meeting struct {
	at, other mark
	addr      uint64
	reads     bool // the first of them
}

// compare adds a cluster's footprint to the launch's and notes what the cluster
// and one before it may not both have touched.
func (l *launch) compare(f *footprint) {
	l.mu.Lock()
	defer l.mu.Unlock()
	base := uint32(len(l.all.marks))
	l.all.marks = append(l.all.marks, f.marks...)
	met := map[[2]uint32]bool{}
	for _, at := range slices.Sorted(maps.Keys(f.chunks)) {
		c := f.chunks[at]
		for page := range chunkPages {
			x := crossing{l: l, met: met, addr: (at*chunkPages + uint64(page)) * pageBytes}
			if p := c.read[page]; p != nil {
				p.by.shift(base)
				x.reads(p, l.all.chunkOf(at).written[page])
			}
			if p := c.written[page]; p != nil {
				p.by.shift(base)
				x.writes(p, l.all.chunkOf(at))
			}
		}
	}
	for at, c := range f.chunks {
		all := l.all.chunkOf(at)
		for page := range chunkPages {
			if p := c.read[page]; p != nil {
				l.all.read(p, &all.read[page])
			}
			if p := c.written[page]; p != nil {
				l.all.write(p, &all.written[page])
			}
		}
	}
}

// shift moves marks to where they are in a longer list.
func (w *words) shift(base uint32) {
	for i := range w {
		w[i] += base
	}
}

// crossing is a page that two clusters touched.
type crossing struct {
	l    *launch
	met  map[[2]uint32]bool // pairs of marks that have met
	addr uint64
}

// reads holds what a cluster read against what others wrote.
func (x *crossing) reads(p *readPage, o *writtenPage) {
	if o == nil {
		return
	}
	if both, any := p.bytes.and(&o.bytes); any {
		both.each(func(i int) { x.meet(p.by[i/4], o.by[i/4], i, true) })
	}
}

// writes holds what a cluster wrote against what others read and wrote. Two
// that write the same value do no harm.
func (x *crossing) writes(p *writtenPage, c *chunk) {
	page := x.addr / pageBytes % chunkPages
	if o := c.read[page]; o != nil {
		if both, any := p.bytes.and(&o.bytes); any {
			both.each(func(i int) { x.meet(o.by[i/4], p.by[i/4], i, true) })
		}
	}
	if o := c.written[page]; o != nil {
		if both, any := p.known.and(&o.known); any {
			both.each(func(i int) {
				if p.value[i] != o.value[i] {
					x.meet(p.by[i/4], o.by[i/4], i, false)
				}
			})
		}
	}
}

// meet notes two accesses; the second of them writes.
func (x *crossing) meet(at, other uint32, i int, reads bool) {
	if x.met[[2]uint32{at, other}] {
		return
	}
	x.met[[2]uint32{at, other}] = true
	a, o := x.l.all.marks[at], x.l.all.marks[other]
	if !a.cluster.strangers(o.cluster) {
		return
	}
	if !reads && a.cluster.order < o.cluster.order {
		a, o = o, a
	}
	key := findingKey{Race, siteOf(a.instr), siteOf(o.instr)}
	now := &meeting{a, o, x.addr + uint64(i), reads}
	if m := x.l.meetings[key]; m == nil || now.before(m) {
		x.l.meetings[key] = now
	}
}

// before is the order of meetings, in which it does not matter which cluster
// ended first.
func (m *meeting) before(o *meeting) bool {
	return cmp.Or(cmp.Compare(m.other.cluster.order, o.other.cluster.order),
		cmp.Compare(m.at.cluster.order, o.at.cluster.order), cmp.Compare(m.addr, o.addr)) < 0
}

// read and write add a page to one of the launch. A mark of the first cluster in
// the grid stays.
func (f *footprint) read(p *readPage, all **readPage) {
	if *all != nil {
		f.join(&(*all).touched, &p.touched)
	} else if f.room() {
		*all = p
	}
}

func (f *footprint) write(p *writtenPage, all **writtenPage) {
	a := *all
	if a == nil {
		if f.room() {
			*all = p
		}
		return
	}
	p.bytes.each(func(i int) {
		if a.bytes[i/64]>>(i%64)&1 == 0 || f.earlier(p.by[i/4], a.by[i/4]) {
			a.value[i] = p.value[i]
			a.known[i/64] = a.known[i/64]&^(1<<(i%64)) | p.known[i/64]&(1<<(i%64))
		}
	})
	f.join(&a.touched, &p.touched)
}

// join takes over the marks of words that have none, or a later cluster's.
func (f *footprint) join(t, o *touched) {
	for i := range t.by {
		word, four := i/16, uint64(0xf)<<(i%16*4)
		if o.bytes[word]&four != 0 && (t.bytes[word]&four == 0 || f.earlier(o.by[i], t.by[i])) {
			t.by[i] = o.by[i]
		}
	}
	for i := range t.bytes {
		t.bytes[i] |= o.bytes[i]
	}
}

// earlier reports whether one mark's cluster is before the other's in the grid.
func (f *footprint) earlier(a, b uint32) bool {
	return f.marks[a].cluster.order < f.marks[b].cluster.order
}

// between is the findings about the meetings of clusters.
func (l *launch) between() (list []event.Finding) {
	for _, m := range l.meetings {
		list = append(list, l.raceBetween(m))
	}
	slices.SortFunc(list, func(a, b event.Finding) int {
		return cmp.Or(cmp.Compare(a.At.Pos.Line, b.At.Pos.Line), cmp.Compare(a.Other[0].Pos.Line, b.Other[0].Pos.Line))
	})
	return list
}

func (l *launch) raceBetween(m *meeting) event.Finding {
	f := event.Finding{Rule: Race, Page: Race, Severity: severity(Race), At: l.marked(m.at), Other: []event.Place{l.marked(m.other)}, Count: 1}
	if m.reads {
		f.Message = fmt.Sprintf("CTA %s reads global memory that CTA %s writes, and nothing orders the two", position(m.at.cta), position(m.other.cta))
		f.Advice = "read it in a later launch, or hand it over: a fence and an atomic operation after the write, an atomic read and a fence before the read"
	} else {
		f.Message = fmt.Sprintf("CTAs %s and %s write different values to the same global memory, and nothing orders the two", position(m.other.cta), position(m.at.cta))
		f.Advice = "let one CTA write each element, or use atomic operations"
	}
	f.Edge = "an atomic operation, or a load or store with an order, through which one CTA knows of the other"
	f.Details = []string{fmt.Sprintf("both touch the byte at global address %#x", m.addr), "CTAs run in any order, and no barrier reaches from one cluster to another"}
	return f
}

// marked is where a mark's warp was.
func (l *launch) marked(m mark) event.Place {
	p := l.place(m.instr)
	p.CTA, p.Warp, p.Role = m.cta, m.index, fmt.Sprintf("warp %d", m.index)
	if m.instr.Op == "cp" {
		p.Warp, p.Role = -1, "TMA engine, for "+p.Role
	}
	return p
}

func position(at [3]int) string { return fmt.Sprintf("(%d,%d,%d)", at[0], at[1], at[2]) }
