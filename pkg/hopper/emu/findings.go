package emu

import (
	"fmt"
	"sort"

	"gohopper/pkg/hopper/event"
)

// agent is who does something: lanes of a warp at an instruction, or an
// asynchronous engine that works for them.
type agent struct {
	cta   *cta
	in    *inst
	warp  int    // in the CTA; the issuing warp of an engine
	lanes mask   // one lane for an access to local memory
	role  string // of an engine: "TMA engine"; "" for the warp itself
	op    int    // number of the engine's operation, if a sink is told of it
}

// agent is lanes m of the warp at the instruction being executed.
func (w *warp) agent(m mask) agent {
	return agent{cta: w.cta, in: &w.prog.code[w.pc], warp: w.index, lanes: m}
}

// place is where an agent stands, for a finding.
func (by agent) place() event.Place {
	p := event.Place{CTA: by.cta.at, Warp: by.warp, Lanes: uint32(by.lanes), Role: by.role}
	if by.role != "" {
		p.Warp = -1
	}
	if by.in != nil {
		p.Pos = by.in.src.Pos
		if at := by.cta.cluster.launch.module.positions(by.in.src.Src, by.in.from); len(at) > 0 {
			p.Source, p.Calls = at[0], at[1:]
		}
		p.Text = by.in.src.String()
	}
	return p
}

// findings are what one cluster found: one per rule and instruction.
type findings struct {
	list  []event.Finding
	index map[findingKey]int
}

type findingKey struct {
	rule string
	in   *inst
}

// report records a finding at by. Further ones of the same rule at the same
// instruction are counted, not kept.
func (c *cluster) report(by agent, f event.Finding) {
	key := findingKey{rule: f.Rule, in: by.in}
	if i, ok := c.found.index[key]; ok {
		old := &c.found.list[i]
		if old.Count++; old.At.CTA == by.cta.at && old.At.Warp == by.warp {
			old.At.Lanes |= uint32(by.lanes)
		}
		return
	}
	f.At, f.Count = by.place(), 1
	if c.found.index == nil {
		c.found.index = map[findingKey]int{}
	}
	c.found.index[key] = len(c.found.list)
	c.found.list = append(c.found.list, f)
}

// report records a finding at lanes m of the instruction being executed.
func (w *warp) report(m mask, f event.Finding) { w.cta.cluster.report(w.agent(m), f) }

// fault is report for what a GPU answers with an error: the cluster stops
// after a few.
func (c *cluster) fault(by agent, f event.Finding) {
	c.report(by, f)
	c.faults++
}

// mostFaults is how many faults end a cluster's run.
const mostFaults = 64

func (c *cluster) outOfBounds(by agent, s space, addr uint64, n int, a access, b *block, off int) {
	f := event.Finding{Rule: "out-of-bounds", Severity: event.Error}
	f.Message = fmt.Sprintf("%s %d bytes at %s, ", a, n, place(s, addr))
	switch {
	case b != nil && b.freed && off < b.size:
		f.Message += fmt.Sprintf("inside %s, which was freed", b.name)
	case s == spaceGlobal:
		f.Message += c.launch.machine.memory.nearest(addr)
	case s == spaceShared:
		f.Message += c.sharedBounds(by.cta, addr, n)
	case s == spaceLocal:
		f.Message += fmt.Sprintf("outside the thread's %d bytes of local memory", by.cta.warps[by.warp].prog.localBytes)
	case b != nil:
		f.Message += fmt.Sprintf("outside the %d bytes of %s memory", len(b.bytes), s)
	default:
		f.Message += "where nothing is"
	}
	c.fault(by, f)
}

// sharedBounds says what lies at a shared address that is out of bounds.
func (c *cluster) sharedBounds(from *cta, addr uint64, n int) string {
	if addr>>32 != 0 {
		return "which does not fit the 32 bits of a shared address"
	}
	owner, off := c.owner(from, uint32(addr))
	if owner == nil {
		return fmt.Sprintf("but the cluster has only %d CTAs", len(c.ctas))
	}
	if off < sharedBase {
		return fmt.Sprintf("but a CTA's own shared memory starts at %#x", sharedBase)
	}
	end := len(owner.shared.bytes)
	return fmt.Sprintf("%d bytes past the end of the CTA's %d bytes of shared memory", int(off)+n-end, end-sharedBase)
}

func (c *cluster) uninitialized(by agent, s space, b *block, addr uint64, off, n, at int) {
	f := event.Finding{Rule: "uninitialized", Severity: event.Error}
	where := place(s, addr+uint64(at-off))
	switch s {
	case spaceGlobal:
		where += fmt.Sprintf(" (byte %d of %s)", at, b.name)
	case spaceShared:
		if name := c.launch.prog.sharedName(at); name != "" {
			where += " (" + name + ")"
		}
	}
	f.Message = fmt.Sprintf("reads %d bytes of which the one at %s was never written", n, where)
	c.report(by, f)
}

// whereOf is the line that a place is on, in the source if that is known.
func whereOf(p event.Place) string {
	if p.Source == "" {
		return p.Pos.String()
	}
	return fmt.Sprint(p.Source, p.Calls)
}

// mergeFindings joins the findings of a launch's clusters, given in order.
func mergeFindings(clusters []findings) []event.Finding {
	type key struct{ rule, at, other string }
	index := map[key]int{}
	var all []event.Finding
	for _, c := range clusters {
		for _, f := range c.list {
			k := key{rule: f.Rule, at: fmt.Sprint(f.At.Pos, f.At.Text, f.At.Calls)}
			if f.Page != "" { // a sink's: one for a pair of source lines
				k.at = whereOf(f.At)
				if len(f.Other) > 0 {
					k.other = whereOf(f.Other[0])
				}
			}
			if i, ok := index[k]; ok {
				all[i].Count += f.Count
				continue
			}
			index[k] = len(all)
			all = append(all, f)
		}
	}
	rank := map[event.Severity]int{event.Stuck: 0, event.Error: 1, event.Latent: 2}
	sort.SliceStable(all, func(i, j int) bool {
		a, b := all[i], all[j]
		if rank[a.Severity] != rank[b.Severity] {
			return rank[a.Severity] < rank[b.Severity]
		}
		return a.At.Pos.Line < b.At.Pos.Line
	})
	return all
}
