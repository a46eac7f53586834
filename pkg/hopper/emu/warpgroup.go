package emu

import (
	"fmt"
	"slices"

	"gohopper/pkg/hopper/emu/tensor"
	"gohopper/pkg/hopper/event"
)

// warpgroup is four warps that start at a multiple of four, and the products
// that they have given to the tensor cores (PTX 9.7.15). Each warp issues an
// operation by itself; with the fourth it starts. Operations complete in
// order, at times that the seed chooses. Only then are the operands read, from
// registers too, and D written: a kernel that touches them before its wait
// gets wrong results under some seeds.
type warpgroup struct {
	warps     []*warp
	pending   []*tileProduct // from the oldest that is not complete
	completed int            // operations
	issued    [4]int         // operations, by warp of the group
	groups    [4][]int       // by warp, for each commit group that is not complete: operations issued at its end
	due       bool           // the completion of what has started is on its way
}

// tileProduct is one wgmma.mma_async of a warpgroup.
type tileProduct struct {
	*wgmma
	by         agent
	a, b       tensor.Descriptor
	accumulate bool
	warps      int            // of the group that have issued it, a bit each
	regions    []event.Region // that it reads, if a sink is told
}

const allFour = 1<<4 - 1

// place is the warp's number in its warpgroup.
func (w *warp) place() int { return w.index % 4 }

// warpgroup is the one that the warp belongs to; nil if the CTA's last warps
// do not make a whole one.
func (w *warp) warpgroup() *warpgroup {
	t, i := w.cta, w.index/4
	if 4*i+4 > len(t.warps) {
		return nil
	}
	if t.warpgroups == nil {
		t.warpgroups = make([]*warpgroup, len(t.warps)/4)
	}
	if t.warpgroups[i] == nil {
		t.warpgroups[i] = &warpgroup{warps: t.warps[4*i:][:4]}
	}
	return t.warpgroups[i]
}

// issue is one warp's execution of wgmma.mma_async.
func (g *warpgroup) issue(w *warp, p *tileProduct) {
	n := g.issued[w.place()] - g.completed
	g.issued[w.place()]++
	if n == len(g.pending) {
		g.pending = append(g.pending, p)
	} else if first := g.pending[n]; !first.same(p) {
		w.report(p.by.lanes, event.Finding{
			Rule: "wgmma", Severity: event.Error,
			Message: "the four warps of a warpgroup do not execute the same wgmma.mma_async with the same descriptors and scale-d",
			Other:   []event.Place{first.by.place()},
			Details: []string{
				fmt.Sprintf("warp %d: descriptors %#x and %#x, scale-d %t", first.by.warp, first.a, first.b, first.accumulate),
				fmt.Sprintf("warp %d: descriptors %#x and %#x, scale-d %t", p.by.warp, p.a, p.b, p.accumulate),
			},
			Advice: "compute descriptors from values that all 128 threads share",
		})
	}
	g.pending[n].warps |= p.warps
	g.beginProduct(w, p, g.pending[n])
	g.start()
}

// same reports whether two warps issued the same operation.
func (p *tileProduct) same(o *tileProduct) bool {
	return p.wgmma == o.wgmma && p.a == o.a && p.b == o.b && p.accumulate == o.accumulate
}

// start schedules the completion of the operations that all warps have issued.
func (g *warpgroup) start() {
	if g.due || len(g.pending) == 0 || g.pending[0].warps != allFour {
		return
	}
	g.due = true
	c := g.warps[0].cta.cluster
	c.after(c.delay(engineTensor, 32*g.pending[0].right.Rows), g.complete)
}

// complete computes every operation that has started by now.
func (g *warpgroup) complete() {
	g.due = false
	started := 0
	for started < len(g.pending) && g.pending[started].warps == allFour {
		started++
	}
	for todo := g.pending[:started]; len(todo) > 0; {
		n := chain(todo)
		g.multiply(todo[:n])
		for _, p := range todo[:n] {
			p.by.cta.cluster.ended(p.by)
		}
		todo = todo[n:]
	}
	g.pending = slices.Delete(g.pending, 0, started)
	g.completed += started
}

// commit closes a warp's group: what it has issued since the one before.
func (g *warpgroup) commit(w *warp) {
	g.groups[w.place()] = append(g.groups[w.place()], g.issued[w.place()])
}

// drained reports whether all that a warp has issued is complete.
func (g *warpgroup) drained(w *warp) bool { return g.issued[w.place()] <= g.completed }

// open is how many commit groups of a warp have not completed.
func (g *warpgroup) open(w *warp) int {
	ends := g.groups[w.place()]
	for len(ends) > 0 && ends[0] <= g.completed {
		ends = ends[1:]
	}
	g.groups[w.place()] = ends
	return len(ends)
}

// wait is why a warp waits until at most so many of its groups are open.
func (g *warpgroup) wait(w *warp, most int) *wait {
	return &wait{
		ready: func() bool { return g.open(w) <= most },
		explain: func() (string, []string) {
			return fmt.Sprintf("waits until at most %d of its wgmma groups are pending; %d are", most, g.open(w)), g.missing()
		},
	}
}

// missing says which warps hold up the oldest operation.
func (g *warpgroup) missing() (facts []string) {
	if len(g.pending) == 0 {
		return nil
	}
	p := g.pending[0]
	for i, w := range g.warps {
		if p.warps>>i&1 == 0 {
			facts = append(facts, fmt.Sprintf("warp %d of the warpgroup has not executed the wgmma.mma_async at ptx line %d",
				w.index, p.by.in.src.Pos.Line))
		}
	}
	return facts
}
