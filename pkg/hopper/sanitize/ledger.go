package sanitize

import (
	"fmt"
	"slices"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// What is wrong with mbarriers and named barriers themselves.

func (c *cluster) beforeInit(b *mbarrier, w *warp, m uint32, instr *ptx.Instr, x *mind) {
	at, init := who{w, m, instr, nil}, c.who(&b.init)
	rule := MbarrierInit
	if b.owner != w.cta {
		rule = PeerStart
	}
	c.find(rule, at, init, func(f *event.Finding) {
		f.Message = fmt.Sprintf("%s uses the %s, and nothing orders its initialisation before that", c.short(at), c.bar(b))
		f.Edge = "a barrier between mbarrier.init and the first use"
		f.Advice = "after mbarrier.init: fence.mbarrier_init.release.cluster, then bar.sync 0"
		if len(c.ctas) > 1 {
			f.Edge = "barrier.cluster.arrive and barrier.cluster.wait between mbarrier.init and the first use"
			f.Advice = "after mbarrier.init: fence.mbarrier_init.release.cluster, then barrier.cluster.arrive and barrier.cluster.wait in every thread"
		}
		if x.done.covers(int(b.init.warp), b.init.lanes, b.init.time) {
			f.Details = append(f.Details, "they did meet at a barrier, but in its relaxed form, which orders no access")
		}
	})
}

func (c *cluster) unpublishedInit(b *mbarrier, w *warp, m uint32, instr *ptx.Instr) {
	at := who{w, m, instr, nil}
	c.find(MbarrierInit, at, c.who(&b.init), func(f *event.Finding) {
		f.Severity = event.Latent
		f.Message = fmt.Sprintf("a copy signals the %s, whose initialisation no fence has published to the asynchronous proxy", c.bar(b))
		f.Edge = "fence.mbarrier_init.release.cluster after mbarrier.init"
		f.Advice = "add fence.mbarrier_init.release.cluster behind mbarrier.init, in the same thread, before the barrier (hopper: k.FenceMbarrierInit())"
	})
}

// checkBytes is asked when a phase completes: no copy that was issued in it may
// still be in flight.
func (c *cluster) checkBytes(b *mbarrier, e *event.Event) {
	bytes := 0
	var late *op
	for _, o := range b.flying {
		if o.issuedIn == uint32(e.Phase) {
			bytes, late = bytes+o.bytes, o
		}
	}
	if late == nil || len(b.gave) == 0 {
		return
	}
	give := b.gave[0]
	for _, a := range b.gave {
		if a.instr.Has("expect_tx") {
			give = a
		}
	}
	at := who{give.warp, give.lanes, give.instr, nil}
	c.find(MbarrierBytes, at, late.who(), func(f *event.Finding) {
		f.Message = fmt.Sprintf("phase %d of the %s completes while %s issued for it is in flight", e.Phase, c.bar(b), c.short(late.who()))
		f.Edge = fmt.Sprintf("an expectation of all bytes: %d were expected, and %d more are on their way", b.expected, bytes)
		f.Advice = fmt.Sprintf("expect %d bytes: the sum of all boxes that signal this phase", b.expected+bytes)
	})
}

// checkLapped is asked when a phase completes: everybody who waited for the
// phase before must be known to have seen its end.
func (c *cluster) checkLapped(b *mbarrier, e *event.Event) {
	for _, s := range b.waited {
		if b.gather.done.touches(s.warp.id, s.time) || b.complete.done.touches(s.warp.id, s.time) {
			continue
		}
		at := who{s.warp, s.lanes, s.instr, nil}
		c.find(Lapped, at, c.completes(b, e), func(f *event.Finding) {
			f.Message = fmt.Sprintf("phase %d of the %s completes though nothing says that %s has seen the end of phase %d", e.Phase, c.bar(b), c.short(at), int(e.Phase)-1)
			f.Edge = "from the wait to the next phase's last arrival"
			f.Details = append(f.Details, "a thread that comes late finds the parity it waits for gone, and waits for ever")
			f.Advice = "let every waiter arrive for the next phase, or pass a barrier before it is given"
		})
		return
	}
}

// completes is who completes the present phase: its last arrival, since which
// of its copies comes last is luck.
func (c *cluster) completes(b *mbarrier, e *event.Event) who {
	if len(b.gave) > 0 {
		return latest(b.gave)
	}
	return who{c.ctas[e.CTA].warps[e.Warp], e.Lanes, e.Instr, c.ops[e.Op]}
}

// checkStuck is asked of a cluster that did not come to its end: which
// mbarriers lack what nobody will give, and who waits for a phase that is not
// the next one it has to see.
func (c *cluster) checkStuck() {
	for _, w := range c.warps {
		if w.tries.bar != nil {
			c.checkSkipped(w)
		}
	}
	for _, t := range c.ctas {
		for _, b := range t.bars {
			if len(b.flying) > 0 {
				continue
			}
			init := c.who(&b.init)
			at, copied := init, init
			if b.expects.warp != nil {
				at = b.expects
			}
			if o := b.brought; o != nil && o.phase == b.phase {
				copied = o.who()
			}
			switch {
			case b.left > 0:
				c.find(MbarrierBytes, at, copied, func(f *event.Finding) {
					f.Severity = event.Stuck
					f.Message = fmt.Sprintf("phase %d of the %s expects %d bytes more than its copies brought", b.phase, c.bar(b), b.left)
					f.Details = append(f.Details, fmt.Sprintf("expected %d, brought %d", b.expected, b.expected-b.left))
					f.Advice = fmt.Sprintf("expect %d bytes", b.expected-b.left)
				})
			case b.left < 0:
				c.find(MbarrierBytes, at, copied, func(f *event.Finding) {
					f.Severity = event.Stuck
					f.Message = fmt.Sprintf("the copies brought %d bytes more to phase %d of the %s than it expects", -b.left, b.phase, c.bar(b))
					f.Details = append(f.Details, fmt.Sprintf("expected %d, brought %d", b.expected, b.expected-b.left))
					f.Advice = fmt.Sprintf("expect %d bytes", b.expected-b.left)
				})
			case b.missing > 0 && b.expected > 0:
				c.find(MbarrierCount, at, init, func(f *event.Finding) {
					f.Message = fmt.Sprintf("phase %d of the %s has all its bytes and lacks %d of %d arrivals; no live thread can still give them", b.phase, c.bar(b), b.missing, b.count)
					if given := latest(slices.Concat(b.gaveLast, b.gave)); given.instr != nil {
						f.Other = append(f.Other, c.place(given))
						f.Details = append(f.Details, "the latest arrival was "+c.line(given.instr))
					} else {
						f.Details = append(f.Details, "nothing has ever arrived at it")
					}
					f.Advice = "arrive once on every path: mbarrier.arrive.expect_tx counts as an arrival, mbarrier.expect_tx does not"
				})
			}
		}
	}
}

// checkSkipped is asked of a warp that waits for ever: an odd number of phases
// that it has not seen end means a wrong parity, an even one that it was lapped.
func (c *cluster) checkSkipped(w *warp) {
	t := w.tries
	seen := w.mind(t.lanes).done.phases(t.bar.index)
	passed := t.bar.passedBy(w)
	if t.phase <= seen && passed == 0 {
		return
	}
	rule := Lapped
	if passed == 0 && (t.phase-seen)%2 == 1 {
		rule = StalePhase
	}
	at := who{w, t.lanes, t.instr, nil}
	c.find(rule, at, latest(t.bar.gaveLast), func(f *event.Finding) {
		f.Severity = event.Stuck
		f.Message = fmt.Sprintf("%s waits for the end of phase %d of the %s, though it has not seen the end of phase %d, which is complete", c.short(at), t.phase, c.bar(t.bar), seen)
		switch {
		case rule == StalePhase:
			f.Details = append(f.Details, fmt.Sprintf("it asked for parity %d; the next phase for it to see has parity %d", t.phase&1, seen&1))
			f.Advice = "the n-th use of a stage waits for parity n mod 2: flip the parity when the ring comes round, and only then"
			return
		case passed > 0:
			f.Message = fmt.Sprintf("%s waits for the end of phase %d of the %s, which does not come: earlier, %d more phases than it knew of had ended when it looked", c.short(at), t.phase, c.bar(t.bar), passed)
		default:
			f.Details = append(f.Details, fmt.Sprintf("phases %d to %d went by before it looked", seen, t.phase-1))
		}
		f.Advice = "let every waiter arrive for the next phase, or pass a barrier before it is given"
	})
}

// mixedBarrier is a warp that may be counted in a phase of others.
func (c *cluster) mixedBarrier(m arrival, e *event.Event, w *warp) {
	at := who{w, e.Lanes, e.Instr, nil}
	c.find(NamedBarrier, at, who{m.warp, m.lanes, m.instr, nil}, func(f *event.Finding) {
		f.Message = fmt.Sprintf("barrier %d is used by %s and by %s, and nothing keeps the arrival of one out of the other's phase", e.N, c.short(at), c.short(who{m.warp, m.lanes, m.instr, nil}))
		f.Details = append(f.Details, fmt.Sprintf("it is entered for %d threads", e.Bytes))
		f.Advice = "give each set of warps its own barrier number"
	})
}

// checkRegisters adds up what setmaxnreg asked for.
func (c *cluster) checkRegisters() {
	for _, t := range c.ctas {
		sum, asked := 0, false
		var most, least *warp
		for _, w := range t.warps {
			sum += w.quota * 32
			asked = asked || w.asked != nil
			if w.asked != nil && (most == nil || w.quota > most.quota) {
				most = w
			}
			if w.asked != nil && (least == nil || w.quota < least.quota) {
				least = w
			}
		}
		have := c.launch.Registers * 32 * len(t.warps)
		if !asked || sum <= have {
			continue
		}
		at, other := who{most, most.full, most.asked, nil}, who{}
		if least.quota < most.quota {
			other = who{least, least.full, least.asked, nil}
		}
		c.find(RegisterPool, at, other, func(f *event.Finding) {
			if other.instr == nil { // all asked alike: what is too little is what they were launched with
				start := c.launch.entry()
				start.CTA, start.Role = t.at, "as launched"
				f.Other = []event.Place{start}
			}
			f.Message = fmt.Sprintf("setmaxnreg asks for %d registers in all; the CTA was launched with %d", sum, have)
			f.Details = append(f.Details, c.quotas(t), fmt.Sprintf("launched with %d registers for each of %d threads", c.launch.Registers, 32*len(t.warps)))
			f.Advice = "lower setmaxnreg.inc, or let the other warps give back more with setmaxnreg.dec"
		})
	}
}

// quotas writes the sum of the requests: "8 warps x 32 x 240 + 4 warps x 32 x 40".
func (c *cluster) quotas(t *cta) string {
	s := ""
	for i := 0; i < len(t.warps); {
		n := 1
		for i+n < len(t.warps) && t.warps[i+n].quota == t.warps[i].quota {
			n++
		}
		if s != "" {
			s += " + "
		}
		s += fmt.Sprintf("%d warps x 32 x %d", n, t.warps[i].quota)
		i += n
	}
	return s
}
