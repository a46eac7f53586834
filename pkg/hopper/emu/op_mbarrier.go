package emu

import (
	"fmt"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// mbarrierForms is mbarrier (PTX 9.7.13.15).
var mbarrierForms = map[string][]form{"mbarrier": {
	{"init|inval " + ownMbarrier, compileMbarrier},
	{"expect_tx|complete_tx ?relaxed ?cta|cluster " + anyMbarrier, compileMbarrier},
	{"arrive|arrive_drop ?expect_tx ?release|relaxed ?cta|cluster " + anyMbarrier, compileMbarrier},
	{"arrive|arrive_drop noComplete ?release ?cta " + ownMbarrier, compileMbarrier},
	{"test_wait|try_wait ?parity ?acquire|relaxed ?cta|cluster " + ownMbarrier, compileMbarrier},
	{"pending_count b64", compileMbarrier},
}}

const (
	ownMbarrier = "?shared|shared::cta b64"
	anyMbarrier = "?shared|shared::cta|shared::cluster b64"
)

func compileMbarrier(c *compiler, in *ptx.Instr) op {
	switch in.Mods[0] {
	case "init":
		return compileMbarrierInit(c)
	case "inval":
		args := c.args(1, 1)
		return c.eachBarrier(args[0], invalidate)
	case "expect_tx", "complete_tx":
		args := c.args(2, 2)
		n, sign := c.src32(args[1]), 1
		if in.Mods[0] == "complete_tx" {
			sign = -1
		}
		return c.eachBarrier(args[0], func(w *warp, lane int, addr uint32) {
			w.cta.cluster.mbarrierUpdate(w.agent(1<<lane), w.cta, addr, 0, sign*int(w.r[n][lane]))
		})
	case "arrive", "arrive_drop":
		return compileMbarrierArrive(c)
	case "test_wait", "try_wait":
		return compileMbarrierWait(c)
	case "pending_count":
		args := c.args(2, 2)
		d, s := c.dst32(args[0]), c.src64(args[1])
		return func(w *warp, m mask) *wait {
			for lane := range lanes {
				if m>>lane&1 != 0 {
					w.r[d][lane] = uint32(w.d[s][lane] & mostArrivals)
				}
			}
			return nil
		}
	}
	return c.unsupported()
}

// eachBarrier makes an op that does something to the mbarrier at the shared
// address of each lane, in the order of the lanes.
func (c *compiler) eachBarrier(o ptx.Operand, do func(w *warp, lane int, addr uint32)) op {
	a, s := c.address(o), c.space()
	return func(w *warp, m mask) *wait {
		for lane := range lanes {
			if m>>lane&1 == 0 {
				continue
			}
			if addr, ok := w.barrierAddress(s, a.at(w, lane), lane); ok {
				do(w, lane, addr)
			}
		}
		return nil
	}
}

// barrierAddress insists that an mbarrier operand is in shared memory.
func (w *warp) barrierAddress(s space, addr uint64, lane int) (uint32, bool) {
	a, ok := shared(s, addr)
	if !ok {
		w.cta.cluster.fault(w.agent(1<<lane), event.Finding{
			Rule: "mbarrier", Severity: event.Error,
			Message: fmt.Sprintf("an mbarrier must be in shared memory; %s is not", place(s, addr)),
		})
	}
	return a, ok
}

func compileMbarrierInit(c *compiler) op {
	args := c.args(2, 2)
	n := c.src32(args[1])
	return c.eachBarrier(args[0], func(w *warp, lane int, addr uint32) {
		w.cta.cluster.mbarrierInit(w.agent(1<<lane), w.cta, addr, int(int32(w.r[n][lane])))
	})
}

func invalidate(w *warp, lane int, addr uint32) {
	c := w.cta.cluster
	if b := c.mbarrier(w.agent(1<<lane), w.cta, addr); b != nil {
		owner, off := c.owner(w.cta, addr)
		c.tellMbarrier(w.agent(1<<lane), owner, b, event.Event{Kind: event.MbarrierInval})
		delete(owner.mbarriers, off)
	}
}

// compileMbarrierArrive compiles arrive and arrive_drop with their forms
// .expect_tx (a byte count) and .noComplete, and the optional arrival count.
func compileMbarrierArrive(c *compiler) op {
	in := c.in
	args := c.args(1, 3)
	d := -1
	if _, ok := args[0].(ptx.Addr); !ok {
		if _, sink := args[0].(ptx.Sink); !sink {
			d = c.dst64(args[0])
		}
		args = args[1:]
	}
	if len(args) == 0 || len(args) > 2 {
		return c.failf("%s has %d operands", in.Name(), len(in.Args))
	}
	amount := -1
	if len(args) == 2 {
		amount = c.src32(args[1])
	}
	withTx := in.Has("expect_tx")
	if withTx && amount < 0 {
		return c.failf("%s needs a number of bytes", in.Name())
	}
	drop, noComplete := in.Mods[0] == "arrive_drop", in.Has("noComplete")
	return c.eachBarrier(args[0], func(w *warp, lane int, addr uint32) {
		arrivals, tx := 1, 0
		switch {
		case withTx:
			tx = int(w.r[amount][lane])
		case amount >= 0:
			arrivals = int(w.r[amount][lane])
		}
		cl, by := w.cta.cluster, w.agent(1<<lane)
		if drop || noComplete {
			if b := cl.mbarrier(by, w.cta, addr); b != nil {
				b.before(cl, by, w.cta, arrivals, drop, noComplete)
			}
		}
		state := cl.mbarrierUpdate(by, w.cta, addr, arrivals, tx)
		if d >= 0 {
			w.d[d][lane] = state
		}
	})
}

// compileMbarrierWait compiles test_wait and try_wait: "p, [bar], state" or,
// with .parity, "p, [bar], parity", and for try_wait a time limit.
func compileMbarrierWait(c *compiler) op {
	in := c.in
	args := c.args(3, 4)
	q := &mbarrierQuery{d: c.dstPred(args[0]), addr: c.address(args[1]), space: c.space(), parity: in.Has("parity")}
	if q.parity {
		q.row = c.src32(args[2])
	} else {
		q.row = c.src64(args[2])
	}
	if in.Mods[0] == "try_wait" {
		return q.try
	}
	return q.test
}

// mbarrierQuery is a compiled test_wait or try_wait.
type mbarrierQuery struct {
	d      int
	addr   address
	space  space
	parity bool
	row    int
}

// ask looks at the mbarrier of each lane: the lanes whose phase is complete,
// and the first of the others.
func (q *mbarrierQuery) ask(w *warp, m mask) (done mask, open *mbarrierWait) {
	c := w.cta.cluster
	var last *mbarrier
	var lastAddr uint32
	var seen mask // lanes that saw last's phase complete
	for lane := range lanes {
		if m>>lane&1 == 0 {
			continue
		}
		addr, ok := w.barrierAddress(q.space, q.addr.at(w, lane), lane)
		if !ok {
			done |= 1 << lane
			continue
		}
		if last == nil || addr != lastAddr {
			owner, _ := c.owner(w.cta, addr)
			if owner != nil && owner != w.cta {
				w.report(1<<lane, event.Finding{
					Rule: "mbarrier", Severity: event.Error,
					Message: "a wait on an mbarrier of another CTA: only arrivals may be remote",
				})
			}
			w.tellWait(seen, last)
			seen = 0
			last, lastAddr = c.mbarrier(w.agent(1<<lane), w.cta, addr), addr
		}
		if last == nil { // reported
			done |= 1 << lane
			continue
		}
		x := &mbarrierWait{mbarrier: last, parity: q.parity}
		if q.parity {
			x.phase = uint64(w.r[q.row][lane] & 1)
		} else {
			x.phase = w.d[q.row][lane] >> 20
		}
		if x.over() {
			done |= 1 << lane
			seen |= 1 << lane
		} else if open == nil {
			open = x
		}
	}
	w.tellWait(seen, last)
	if open != nil {
		w.tell(m&^done, event.Event{Kind: event.MbarrierTry, Owner: open.owner, At: open.at, Phase: open.mbarrier.phase})
	}
	return done, open
}

func (q *mbarrierQuery) test(w *warp, m mask) *wait {
	done, _ := q.ask(w, m)
	w.p[q.d] = w.p[q.d]&^m | done
	return nil
}

// try waits until some lane's phase is complete, or the wait times out.
func (q *mbarrierQuery) try(w *warp, m mask) *wait {
	done, open := q.ask(w, m)
	if done == 0 && !w.timedOut {
		return &wait{
			ready: open.over, mayTimeOut: true, phase: open.mbarrier.phase,
			explain: func() (string, []string) { return open.explain(w.cta) },
		}
	}
	w.p[q.d] = w.p[q.d]&^m | done
	return nil
}

// mbarrierWait is a phase of an mbarrier that is waited for.
type mbarrierWait struct {
	*mbarrier
	parity bool   // phase is a parity
	phase  uint64 // or the number from a state
}

// over reports whether the phase is complete.
func (x *mbarrierWait) over() bool {
	if x.parity {
		return x.mbarrier.phase&1 != x.phase
	}
	return x.mbarrier.phase != x.phase
}

func (x *mbarrierWait) explain(t *cta) (string, []string) {
	what := "phase"
	if x.parity {
		what = "parity"
	}
	name := t.mbarrierName(x.at)
	return fmt.Sprintf("waits for %s %d of the mbarrier %s", what, x.phase, name), []string{x.missing(t)}
}
