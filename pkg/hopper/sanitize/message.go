package sanitize

import (
	"fmt"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// find reports a finding of a rule at one actor with another, and lets say
// fill in the words if it is the first of its kind.
func (c *cluster) find(rule string, at, other who, say func(f *event.Finding)) {
	key := findingKey{rule, siteOf(at.instr), siteOf(other.instr)}
	if i, ok := c.found[key]; ok {
		c.list[i].Count++
		return
	}
	f := event.Finding{Rule: rule, Page: rule, Severity: severity(rule), At: c.place(at), Count: 1}
	if other.instr != nil {
		f.Other = []event.Place{c.place(other)}
	}
	say(&f)
	c.found[key] = len(c.list)
	c.list = append(c.list, f)
}

// bytes says where a pair met.
func (c *cluster) bytes(p *pair) string {
	s := fmt.Sprintf("both touch shared memory at shared+%#x", p.at)
	if len(c.ctas) > 1 {
		s += fmt.Sprintf(" of CTA rank %d", p.cta.rank)
	}
	return s
}

// does is what an actor does to the bytes.
func does(writes bool) string {
	if writes {
		return "writes"
	}
	return "reads"
}

func (c *cluster) reportRace(p *pair) {
	c.find(Race, p.late, p.early, func(f *event.Finding) {
		f.Message = fmt.Sprintf("%s %s bytes that %s %s, and nothing orders the two",
			c.short(p.late), does(p.lateWrites), c.short(p.early), does(p.earlyWrites))
		f.Edge = "a barrier, passed by both, between the two accesses"
		f.Details = append(f.Details, c.bytes(p))
		switch {
		case p.early.warp == p.late.warp && p.early.op == nil && p.late.op == nil:
			f.Edge = "bar.warp.sync between the two accesses: they are by different lanes of one warp"
			f.Advice = "add bar.warp.sync between them; lanes of a warp do not run in step"
		case p.late.op != nil:
			f.Advice = "let each writing thread run fence.proxy.async, then pass a barrier with the thread that issues the operation"
		default:
			f.Advice = "add bar.sync between them"
		}
	})
}

// raceInGlobal is a race of two warps of a cluster in global memory.
func (c *cluster) raceInGlobal(late, early who, e *event.Event, at uint64, wrote bool) {
	c.find(Race, late, early, func(f *event.Finding) {
		f.Message = fmt.Sprintf("%s %s global memory that %s %s, and nothing orders the two",
			c.short(late), does(e.Does != event.Read), c.short(early), does(wrote))
		f.Edge = "a barrier, passed by both, between the two accesses"
		f.Details = append(f.Details, fmt.Sprintf("both touch the byte at global address %#x", at))
		f.Advice = "add bar.sync between them"
		if late.warp.cta != early.warp.cta {
			f.Advice = "add barrier.cluster.arrive and barrier.cluster.wait between them"
		}
	})
}

func (c *cluster) reportUnfenced(p *pair) {
	c.find(ProxyFence, p.late, p.early, func(f *event.Finding) {
		what := "may read shared memory from before the store"
		if p.lateWrites {
			what = "may be overtaken by the store: its bytes and the store's are not ordered"
			f.Severity = event.Latent
		}
		f.Message = fmt.Sprintf("%s %s: a barrier orders the threads, but no fence orders the generic proxy before the asynchronous one", c.short(p.late), what)
		if p.late.unit(event.TensorCore) {
			f.Severity = event.Latent
			f.Details = append(f.Details, "today's chips hide this behind the barrier; the memory model promises nothing")
		}
		f.Edge = "fence.proxy.async on the way from the store to the operation"
		f.Details = append(f.Details, c.bytes(p))
		f.Advice = "add fence.proxy.async.shared::cta after the store, before the barrier (hopper: k.FenceProxyAsync())"
	})
}

func (c *cluster) reportReuse(p *pair, writer, user who) {
	rule := StageReuse
	if writer.warp.cta != user.warp.cta {
		rule = PeerReuse
	}
	c.find(rule, writer, user, func(f *event.Finding) {
		f.Message = fmt.Sprintf("%s writes bytes that %s may still use", c.short(writer), c.short(user))
		f.Edge = fmt.Sprintf("from the last use by %s to the issue of the copy", c.short(user))
		f.Details = append(f.Details, c.bytes(p))
		if op := writer.op; op != nil && op.after.bar != nil {
			f.Details = append(f.Details, fmt.Sprintf("before issuing it, the thread waited for %s of the %s", phaseBefore(op.after.phase), c.bar(op.after.bar)))
			for _, a := range op.after.gave {
				if a.warp == user.warp && a.relaxed {
					f.Details = append(f.Details, fmt.Sprintf("%s arrived there with %s, which is relaxed and orders no access", c.short(user), c.line(a.instr)))
				}
			}
		}
		if rule == PeerReuse {
			f.Advice = "let the consumers of every CTA arrive, with release, at the empty mbarrier of each CTA that writes into theirs, and let the issuing thread wait there"
		} else {
			f.Advice = "after the last use let all of them pass a barrier, or arrive at the stage's empty mbarrier on which the issuing thread waits"
		}
	})
}

// reportRefill is a copy over what another copy brings.
func (c *cluster) reportRefill(p *pair, late, early who) {
	rule := StageReuse
	if late.warp.cta != early.warp.cta {
		rule = PeerReuse
	}
	c.find(rule, late, early, func(f *event.Finding) {
		f.Message = fmt.Sprintf("%s writes a stage that another copy still fills", c.short(late))
		f.Edge = "from the completion of the first copy, and the use of what it brought, to the issue of the second"
		f.Details = append(f.Details, c.bytes(p))
		f.Details = append(f.Details, c.signals("the first", early.op)...)
		f.Details = append(f.Details, c.signals("the second", late.op)...)
		f.Advice = "wait for the stage to be free before filling it again: its empty mbarrier, or a barrier after the last use"
	})
}

func (c *cluster) reportMissing(p *pair, fill, other who, b *mbarrier, why string) {
	writes := p.lateWrites
	if other == p.early {
		writes = p.earlyWrites
	}
	c.find(MissingWait, other, fill, func(f *event.Finding) {
		f.Message = fmt.Sprintf("%s %s bytes that %s is still bringing", c.short(other), does(writes), c.short(fill))
		f.Edge = "a wait for the copy, in the thread or before a barrier that it passes"
		if why != "" {
			f.Details = append(f.Details, why)
		}
		f.Details = append(f.Details, c.bytes(p))
		switch {
		case b == nil:
			f.Advice = "add cp.async.wait_group, and a barrier if other threads use the bytes"
		default:
			f.Details = append(f.Details, c.signals("the copy", fill.op)...)
			f.Advice = "wait on the copy's mbarrier first (mbarrier.try_wait.parity in a loop, acquire)"
		}
	})
}

func (c *cluster) reportStale(p *pair, fill, other who, b *mbarrier, phase uint32, wait *ptx.Instr) {
	c.find(StalePhase, other, fill, func(f *event.Finding) {
		seen := other.warp.mind(other.lanes).order.phases(b.index)
		f.Message = fmt.Sprintf("%s uses a stage whose wait returned because of an older phase: what %s brings belongs to phase %d", c.short(other), c.short(fill), phase)
		f.Edge = fmt.Sprintf("a wait for phase %d, parity %d, of %s", phase, phase&1, c.bar(b))
		latest := phaseBefore(seen)
		if seen == 0 {
			latest += ", which counts as complete in a fresh mbarrier"
		} else {
			latest += fmt.Sprintf(", parity %d", (seen-1)&1)
		}
		f.Other = append(f.Other, c.place(who{other.warp, other.lanes, wait, nil}))
		f.Details = append(f.Details, c.line(wait)+" returned for "+latest, c.bytes(p))
		f.Advice = "the n-th use of a stage waits for parity n mod 2: flip the parity when the ring comes round, and only then"
	})
}

func (c *cluster) reportReleased(p *pair, reader, writer who, let *arrival, after arrivalSeen) {
	c.find(ReleasedEarly, writer, reader, func(f *event.Finding) {
		f.Message = fmt.Sprintf("%s writes operands that %s may still read", c.short(writer), c.short(reader))
		f.Edge = "wgmma.wait_group that covers the product, before the stage is handed back"
		f.Details = append(f.Details, c.bytes(p))
		if let != nil {
			f.Other = append(f.Other, c.place(let.who()))
			f.Details = append(f.Details, fmt.Sprintf("the stage was handed back by %s, in %s of the %s", c.line(let.instr), phaseBefore(after.phase), c.bar(after.bar)))
		}
		if s := reader.op.short; s != nil {
			f.Details = append(f.Details, fmt.Sprintf("%s leaves %d group(s) in flight; covering this product needs %d", c.line(s.instr), s.given, s.need))
		}
		f.Advice = "move the arrival behind wgmma.wait_group; with wait_group 1, release the stage of the step before"
	})
}

func (c *cluster) reportGroups(p *pair, reader, writer who, waiting *warpgroup) {
	c.find(WaitWarpgroup, writer, reader, func(f *event.Finding) {
		f.Message = fmt.Sprintf("%s writes bytes that %s may still read: a wait covers only its own warpgroup's products",
			c.short(writer), c.short(reader))
		f.Edge = fmt.Sprintf("from wgmma.wait_group in warpgroup %d to the write", reader.warp.index/4)
		f.Details = append(f.Details, c.bytes(p))
		if waiting.waited != nil {
			f.Other = append(f.Other, c.launch.place(waiting.waited))
			f.Details = append(f.Details, fmt.Sprintf("warpgroup %d waited with %s", waiting.index, c.line(waiting.waited)))
		}
		f.Advice = fmt.Sprintf("after the wait let warpgroups %d and %d pass a barrier before either writes", waiting.index, reader.warp.index/4)
	})
}
