package emu

import (
	"fmt"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// landing is where a copy into shared memory goes: a destination and the
// mbarrier that counts its bytes, or with a CTA mask the same offsets in
// several CTAs of the cluster.
type landing struct {
	dst, bar address
	mask     int  // row of the CTA mask, -1 for none
	own      bool // .shared::cta: in the executing CTA only
}

// spot is one CTA's part of a landing; its addresses have the CTA's rank.
type spot struct {
	cta      *cta
	dst, bar uint32
}

// landing compiles the destination, the mbarrier and the CTA mask.
func (c *compiler) landing(dst, bar ptx.Operand, ctaMask ptx.Operand) landing {
	l := landing{dst: c.address(dst), bar: c.address(bar), mask: -1}
	for _, m := range c.in.Mods {
		if m == "shared::cluster" || m == "global" || m == "shared::cta" {
			l.own = m == "shared::cta"
			break
		}
	}
	if ctaMask != nil {
		l.mask = c.src32(ctaMask)
	}
	return l
}

// spots are the places a lane's copy goes to; none if it was refused.
func (l landing) spots(w *warp, lane, align int) []spot {
	c, by := w.cta.cluster, w.agent(1<<lane)
	dst, bar := l.dst.at(w, lane), l.bar.at(w, lane)
	if !c.aligned(by, "destination", spaceShared, dst, align) {
		return nil
	}
	to, off := c.owner(w.cta, uint32(dst))
	at, barOff := c.owner(w.cta, uint32(bar))
	switch {
	case to == nil || dst>>32 != 0:
		c.outOfBounds(by, spaceShared, dst, align, write, nil, 0)
		return nil
	case at == nil || bar>>32 != 0:
		c.outOfBounds(by, spaceShared, bar, 8, readWrite, nil, 0)
		return nil
	case l.own && to != w.cta:
		c.report(by, event.Finding{
			Rule: "out-of-bounds", Severity: event.Error,
			Message: fmt.Sprintf("the destination is in CTA rank %d; .shared::cta is the executing CTA, rank %d", to.rank, w.cta.rank),
			Advice:  "write .shared::cluster to reach another CTA",
		})
	}
	if l.mask >= 0 {
		return c.multicast(by, w.r[l.mask][lane]&0xffff, off, barOff)
	}
	if to != at {
		c.report(by, event.Finding{
			Rule: "mbarrier", Severity: event.Error,
			Message: fmt.Sprintf("the destination is in CTA rank %d and the mbarrier in CTA rank %d", to.rank, at.rank),
			Advice:  "a copy signals an mbarrier beside its destination: map both addresses to the same rank",
		})
	}
	return []spot{{to, to.absolute(off), at.absolute(barOff)}}
}

// multicast is the same offsets in every CTA of a mask.
func (c *cluster) multicast(by agent, mask uint32, dst, bar uint32) (all []spot) {
	if mask == 0 || mask>>len(c.ctas) != 0 {
		c.report(by, event.Finding{
			Rule: "multicast", Severity: event.Error,
			Message: fmt.Sprintf("the CTA mask is %#x; bit i stands for CTA rank i, and the cluster has %d", mask, len(c.ctas)),
		})
	}
	for rank, t := range c.ctas {
		if mask>>rank&1 != 0 {
			all = append(all, spot{t, t.absolute(dst), t.absolute(bar)})
		}
	}
	return all
}

// entered reports a copy into the shared memory of a CTA that has exited.
func (s spot) entered(by agent) {
	if s.cta.alive > 0 {
		return
	}
	by.cta.cluster.report(by, event.Finding{
		Rule: "lifetime", Severity: event.Error,
		Message: fmt.Sprintf("the copy writes the shared memory of CTA (%d,%d,%d), which has exited", s.cta.at[0], s.cta.at[1], s.cta.at[2]),
		Advice:  "wait for the copy before the CTA exits; where a peer issues it, end with a cluster barrier",
	})
}
