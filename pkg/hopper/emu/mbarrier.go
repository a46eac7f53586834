package emu

import (
	"fmt"

	"gohopper/pkg/hopper/event"
)

// mbarrier is the ledger of one mbarrier object (PTX 9.7.13.15). The 8 bytes
// in shared memory hold only a stamp of it, by which overwriting is noticed.
type mbarrier struct {
	owner    int    // rank of the CTA
	at       uint32 // shared offset
	phase    uint64 // completed phases
	expected int    // arrivals that the next phase needs
	pending  int    // arrivals that this phase still needs
	tx       int    // bytes that this phase still needs; may be negative for a while
	last     *inst  // the last arrival, nil before the first
}

// Limits of PTX 9.7.13.15.2.
const (
	mostArrivals = 1<<20 - 1
	mostBytes    = 1<<20 - 1
)

// stamp is what the 8 bytes in shared memory hold.
func (b *mbarrier) stamp() uint64 {
	return 0xb<<60 | b.phase&0xfff<<46 | uint64(b.pending)&0xfffff<<26 | uint64(b.tx)&0x3ffffff
}

// mbarrier finds the ledger at a shared address for an operation of by; of is
// the CTA that the address is relative to. It reports and returns nil where no
// valid mbarrier is.
func (c *cluster) mbarrier(by agent, of *cta, addr uint32) *mbarrier {
	if c.bytes(by, spaceShared, uint64(of.absolute(addr)), 8, 8, write) == nil {
		return nil
	}
	owner, off := c.owner(of, addr)
	b := owner.mbarriers[off]
	if b == nil {
		c.report(by, event.Finding{
			Rule: "mbarrier", Severity: event.Error,
			Message: fmt.Sprintf("no mbarrier was initialised at %s", owner.mbarrierName(off)),
			Advice:  "let one thread run mbarrier.init, then fence.mbarrier_init and a barrier, before the first use",
		})
		return nil
	}
	if *owner.shared.word64(int(off)) != b.stamp() {
		c.report(by, event.Finding{
			Rule: "mbarrier", Severity: event.Error,
			Message: fmt.Sprintf("the mbarrier at %s was overwritten", owner.mbarrierName(off)),
			Advice:  "look for a copy or a store whose range reaches it",
		})
		delete(owner.mbarriers, off)
		return nil
	}
	return b
}

// mbarrierName is how messages call the mbarrier at a shared offset.
func (t *cta) mbarrierName(off uint32) string {
	s := fmt.Sprintf("shared+%#x", off)
	if name := t.cluster.launch.prog.sharedName(int(off)); name != "" {
		s = name + " at " + s
	}
	if len(t.cluster.ctas) > 1 {
		s += fmt.Sprintf(" of CTA rank %d", t.rank)
	}
	return s
}

// mbarrierArrive makes count arrivals at the mbarrier at a shared address
// relative to CTA of, and returns the state before them (mbarrier.arrive).
func (c *cluster) mbarrierArrive(by agent, of *cta, addr uint32, count int) (state uint64) {
	return c.mbarrierUpdate(by, of, addr, count, 0)
}

// completeTx takes bytes off the tx-count of the mbarrier at a shared address
// relative to CTA of, as the completion of an asynchronous copy does.
func (c *cluster) completeTx(by agent, of *cta, addr uint32, bytes int) {
	c.mbarrierUpdate(by, of, addr, 0, -bytes)
}

// mbarrierUpdate adds tx bytes to what the phase needs, then makes arrivals,
// and completes the phase when nothing is missing.
func (c *cluster) mbarrierUpdate(by agent, of *cta, addr uint32, arrivals, tx int) (state uint64) {
	b := c.mbarrier(by, of, addr)
	if b == nil {
		return 0
	}
	owner, off := c.owner(of, addr)
	state = b.state()
	complain := func(format string, args ...any) {
		c.report(by, event.Finding{
			Rule: "mbarrier", Severity: event.Error,
			Message: fmt.Sprintf("the mbarrier "+owner.mbarrierName(off)+" "+format, args...),
			Details: []string{b.missing(owner)},
		})
	}
	b.tx += tx
	if b.tx > mostBytes || b.tx < -mostBytes {
		complain("has a tx-count of %d bytes, beyond %d", b.tx, mostBytes)
	}
	if arrivals > b.pending {
		complain("gets %d arrivals where its phase %d needs %d more", arrivals, b.phase, b.pending)
		arrivals = b.pending
	}
	b.pending -= arrivals
	if arrivals > 0 {
		b.last = by.in
	}
	e := event.Event{Kind: event.MbarrierUpdate, N: arrivals, Tx: tx, Phase: b.phase, Missing: b.pending, MissingTx: b.tx}
	b.settle()
	e.Done = b.phase != e.Phase
	c.tellMbarrier(by, owner, b, e)
	c.progress++
	*owner.shared.word64(int(off)) = b.stamp()
	return state
}

// settle starts the next phase if this one is complete.
func (b *mbarrier) settle() {
	if b.pending == 0 && b.tx == 0 {
		b.phase++
		b.pending = b.expected
	}
}

// state is the opaque value that mbarrier.arrive returns: the phase and what
// was pending in it.
func (b *mbarrier) state() uint64 { return b.phase<<20 | uint64(b.pending) }

// missing says what the current phase of an mbarrier of t needs.
func (b *mbarrier) missing(t *cta) string {
	s := fmt.Sprintf("mbarrier %s: phase %d; ", t.mbarrierName(b.at), b.phase)
	switch {
	case b.tx == 0:
		s += fmt.Sprintf("%d of %d arrivals are missing", b.pending, b.expected)
	case b.tx < 0:
		s += fmt.Sprintf("%d of %d arrivals are missing, and %d bytes more than expected have come", b.pending, b.expected, -b.tx)
	case b.pending == 0:
		s += fmt.Sprintf("%d bytes are missing, no arrival", b.tx)
	default:
		s += fmt.Sprintf("%d of %d arrivals and %d bytes are missing", b.pending, b.expected, b.tx)
	}
	if b.last == nil {
		return s + "; nothing has ever arrived at it"
	}
	return s + "; the last arrival was at " + t.cluster.launch.line(b.last)
}

// mbarrierInit makes the 8 bytes at a shared address an mbarrier.
func (c *cluster) mbarrierInit(by agent, of *cta, addr uint32, count int) {
	if c.bytes(by, spaceShared, uint64(of.absolute(addr)), 8, 8, write) == nil {
		return
	}
	owner, off := c.owner(of, addr)
	name := owner.mbarrierName(off)
	if count < 1 || count > mostArrivals {
		c.report(by, event.Finding{
			Rule: "mbarrier", Severity: event.Error,
			Message: fmt.Sprintf("the mbarrier %s is initialised with %d arrivals; it must be 1 to %d", name, count, mostArrivals),
		})
		count = max(1, min(count, mostArrivals))
	}
	if owner != by.cta {
		c.report(by, event.Finding{
			Rule: "mbarrier", Severity: event.Error,
			Message: fmt.Sprintf("the mbarrier %s is initialised by another CTA", name),
		})
	}
	mem := owner.shared.bytes[off:]
	if old := owner.mbarriers[off]; old != nil && *word64(mem) == old.stamp() {
		c.report(by, event.Finding{
			Rule: "mbarrier", Severity: event.Error,
			Message: fmt.Sprintf("the mbarrier %s is initialised again while it is valid", name),
			Advice:  "run mbarrier.inval first, or initialise once",
		})
	}
	b := &mbarrier{owner: owner.rank, at: off, expected: count, pending: count}
	c.tellMbarrier(by, owner, b, event.Event{Kind: event.MbarrierInit, N: count})
	owner.mbarriers[off] = b
	*word64(mem) = b.stamp()
	c.progress++
}

// before prepares the special forms of an arrival: arrive_drop also takes the
// arrivals off all later phases, and .noComplete may not end the phase.
func (b *mbarrier) before(c *cluster, by agent, of *cta, arrivals int, drop, noComplete bool) {
	if noComplete && b.pending == arrivals && b.tx == 0 {
		c.report(by, event.Finding{
			Rule: "mbarrier", Severity: event.Error,
			Message: fmt.Sprintf("the arrival with .noComplete completes phase %d of the mbarrier %s", b.phase, of.mbarrierName(b.at)),
		})
	}
	if drop {
		b.expected = max(0, b.expected-arrivals)
	}
}
