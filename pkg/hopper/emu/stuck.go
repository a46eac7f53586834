package emu

import (
	"fmt"

	"gohopper/pkg/hopper/event"
)

// mostWaiters is how many waiters a "stuck" finding describes.
const mostWaiters = 24

// waiter is a group of lanes that cannot go on, as a finding shows it.
type waiter struct {
	by     agent
	clause string // "waits for …"
	facts  []string
	remote int
	phase  uint64
	more   int // others that wait for the same at the same instruction
}

// reportStuck makes the finding that ends a cluster which cannot go on. others
// says that there are more clusters, which cannot help it either.
func (c *cluster) reportStuck(others bool) {
	all := c.waiters()
	first := 0
	for i, w := range all {
		if best := all[first]; w.remote < best.remote || w.remote == best.remote && w.phase < best.phase {
			first = i
		}
	}
	f := event.Finding{
		Rule: "stuck", Severity: event.Stuck,
		Message: "the kernel cannot go on: " + all[first].sentence(),
		Details: all[first].facts,
	}
	if most := c.launch.machine.config.Budget; c.now > most {
		f = event.Finding{
			Rule: "budget", Severity: event.Stuck,
			Message: fmt.Sprintf("a cluster was stopped after %d instructions, its limit: %s", most, all[first].sentence()),
			Details: f.Details,
		}
	}
	for i, w := range all {
		if i == first {
			continue
		}
		if len(f.Other) == mostWaiters {
			f.Details = append(f.Details, fmt.Sprintf("%d more places where lanes wait are not shown", len(all)-1-mostWaiters))
			break
		}
		p := w.by.place()
		p.Role = w.sentence()
		f.Other = append(f.Other, p)
		for _, fact := range w.facts {
			f.Details = appendNew(f.Details, fact)
		}
	}
	if others {
		f.Details = append(f.Details, "no other cluster of the grid can change this")
	}
	c.report(all[first].by, f)
}

// waiters lists the live groups of the cluster, one for all that wait for the
// same.
func (c *cluster) waiters() []waiter {
	type key struct {
		in     *inst
		clause string
	}
	index := map[key]int{}
	var all []waiter
	for _, w := range c.warps {
		for i := range w.groups[:w.n] {
			x := w.waiter(&w.groups[i])
			k := key{x.by.in, x.clause}
			if i, ok := index[k]; ok {
				all[i].more++
				continue
			}
			index[k] = len(all)
			all = append(all, x)
		}
	}
	return all
}

func (w *warp) waiter(g *group) waiter {
	x := waiter{by: agent{cta: w.cta, in: &w.prog.code[g.pc], warp: w.index, lanes: g.lanes}}
	switch {
	case g.wait != nil:
		x.clause, x.facts = g.wait.explain()
		x.remote, x.phase = g.wait.remote, g.wait.phase
	case g.loop != loop{}:
		x.by.in = w.prog.watches(g.loop)
		x.clause = "repeats a loop, and nothing that it reads changes"
		x.remote = remoteWarp
	default:
		x.clause = "is here, in a loop that does not end"
		x.remote = remoteWarp
	}
	return x
}

// sentence says who waits for what.
func (w waiter) sentence() string {
	s := fmt.Sprintf("warp %d", w.by.warp)
	if m := w.by.lanes; m != w.by.cta.warps[w.by.warp].live {
		s += fmt.Sprintf(" (%v)", m)
	}
	s += " " + w.clause
	switch w.more {
	case 0:
		return s
	case 1:
		return s + "; so does another"
	}
	return fmt.Sprintf("%s; so do %d others", s, w.more)
}

// line says where an instruction is, for a fact.
func (l *launch) line(in *inst) string {
	if s := l.module.position(in.src.Src, in.from); s != "" {
		return fmt.Sprintf("%s (ptx line %d)", s, in.src.Pos.Line)
	}
	return fmt.Sprintf("ptx line %d", in.src.Pos.Line)
}

func appendNew(list []string, s string) []string {
	for _, x := range list {
		if x == s {
			return list
		}
	}
	return append(list, s)
}
