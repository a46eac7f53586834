package emu

import (
	"fmt"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// mostWaiters is how many waiters a "stuck" finding describes.
const mostWaiters = 24

// waiter is a group that cannot go on, as a finding shows it.
type waiter struct {
	by     agent
	clause string
	facts  []string
	weight int // how telling: 2 waits for something named, 1 for its own warp, 0 spins
}

// reportStuck makes the finding that ends a cluster which cannot go on.
func (c *cluster) reportStuck(others bool) {
	all := c.waiters()
	if len(all) == 0 {
		return
	}
	best := 0
	for i, w := range all {
		if w.weight > all[best].weight {
			best = i
		}
	}
	first := all[best]
	f := event.Finding{
		Rule: "stuck", Severity: event.Stuck,
		Message: "the kernel cannot go on: " + first.who() + " " + first.clause,
		Details: first.facts,
	}
	if others {
		f.Details = append(f.Details, "no other cluster that is running can change this")
	}
	seen := map[string]int{}
	for i, w := range all {
		if i == best {
			continue
		}
		key := fmt.Sprintf("%p %s", w.by.in, w.clause)
		if seen[key]++; seen[key] > 4 || len(f.Other) == mostWaiters {
			continue
		}
		p := w.by.place()
		p.Role = w.who() + " " + w.clause
		f.Other = append(f.Other, p)
		for _, fact := range w.facts {
			f.Details = appendNew(f.Details, fact)
		}
	}
	if left := len(all) - 1 - len(f.Other); left > 0 {
		f.Details = append(f.Details, fmt.Sprintf("%d more groups of lanes wait at the same places", left))
	}
	c.report(first.by, f)
}

// waiters lists all live groups of the cluster.
func (c *cluster) waiters() []waiter {
	var all []waiter
	for _, w := range c.warps {
		for _, g := range w.groups[:w.n] {
			if g.lanes&w.live == 0 {
				continue
			}
			x := waiter{by: agent{cta: w.cta, in: &w.prog.code[g.pc], warp: w.index, lanes: g.lanes}}
			x.clause = "repeats a loop that nothing ends"
			wt := g.wait
			if wt != nil && wt.explain != nil {
				x.clause, x.facts = wt.explain()
				x.weight = 2
			}
			all = append(all, x)
		}
	}
	return all
}

// who names a waiter in a sentence.
func (w waiter) who() string {
	s := fmt.Sprintf("warp %d", w.by.warp)
	if n := w.by.lanes; n != w.by.cta.warps[w.by.warp].live {
		s += fmt.Sprintf(" (lanes %v)", n)
	}
	return s
}

// line says where an instruction is, for a fact.
func (l *launch) line(in *ptx.Instr) string {
	if s := l.module.source(in.Src); s != "" {
		return fmt.Sprintf("%s (ptx line %d)", s, in.Pos.Line)
	}
	return fmt.Sprintf("ptx line %d", in.Pos.Line)
}

func appendNew(list []string, s string) []string {
	for _, x := range list {
		if x == s {
			return list
		}
	}
	return append(list, s)
}
