package emu

import (
	"fmt"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// copyThread is what a thread has to do with cp.async: how many groups it has
// committed and which of its copies have not arrived (PTX 9.7.9.25.3).
type copyThread struct {
	closed int
	flying []flight
}

// flight is a copy of one thread that has not arrived.
type flight struct {
	copy  *asyncCopy
	group int
	then  []*arrivalOn
}

// arrivalOn is a cp.async.mbarrier.arrive: it fires when the copies before it
// have arrived.
type arrivalOn struct {
	left int
	fire func()
}

func (w *warp) copyThreads() *[lanes]copyThread {
	if w.copies == nil {
		w.copies = new([lanes]copyThread)
	}
	return w.copies
}

// arrived takes a copy off the thread's list and fires what waited for it.
func (t *copyThread) arrived(x *asyncCopy) {
	for i, f := range t.flying {
		if f.copy != x {
			continue
		}
		t.flying = append(t.flying[:i], t.flying[i+1:]...)
		for _, a := range f.then {
			if a.left--; a.left == 0 {
				a.fire()
			}
		}
		return
	}
	panic("emulator: a cp.async arrived twice")
}

func compileCopyCommit(c *compiler, _ *ptx.Instr) op {
	c.args(0, 0)
	return func(w *warp, m mask) *wait {
		threads := w.copyThreads()
		for lane := range lanes {
			if m>>lane&1 != 0 {
				threads[lane].closed++
			}
		}
		w.tell(m, event.Event{Kind: event.Commit, Unit: event.CopyAsync})
		return nil
	}
}

// compileCopyWait is cp.async.wait_group N, which leaves the newest N groups
// pending, and cp.async.wait_all, which also waits for copies that were not
// committed.
func compileCopyWait(c *compiler, in *ptx.Instr) op {
	all := in.Has("wait_all")
	most := int64(0)
	if all {
		c.args(0, 0)
	} else if args := c.args(1, 1); c.err == nil {
		most = c.immediate(args[0])
	}
	return func(w *warp, m mask) *wait {
		threads := w.copies
		told := event.Event{Kind: event.WaitGroup, Unit: event.CopyAsync, N: int(most)}
		if all {
			told.N = -1
		}
		if threads == nil {
			w.tell(m, told)
			return nil
		}
		pending := func() (n int) {
			for lane := range lanes {
				t := &threads[lane]
				for i := 0; m>>lane&1 != 0 && i < len(t.flying); i++ {
					if all || int64(t.flying[i].group) < int64(t.closed)-most {
						n++
					}
				}
			}
			return n
		}
		if pending() == 0 {
			w.tell(m, told)
			return nil
		}
		return &wait{
			ready: func() bool { return pending() == 0 },
			explain: func() (string, []string) {
				return "waits for its cp.async copies", []string{fmt.Sprintf("%d copies of its lanes have not arrived", pending())}
			},
		}
	}
}

// compileCopyArrive is cp.async.mbarrier.arrive: an arrival of each thread when
// its copies so far have arrived. Without .noinc the mbarrier expects one more
// arrival in the current phase (PTX 9.7.13.15.15).
func compileCopyArrive(c *compiler, in *ptx.Instr) op {
	args := c.args(1, 1)
	bar, s, noinc := c.address(args[0]), c.space(), in.Has("noinc")
	return func(w *warp, m mask) *wait {
		cl, t := w.cta.cluster, w.cta
		threads := w.copyThreads()
		for lane := range lanes {
			if m>>lane&1 == 0 {
				continue
			}
			by := w.agent(1 << lane)
			addr, ok := shared(s, bar.at(w, lane))
			if !ok {
				cl.outOfBounds(by, s, bar.at(w, lane), 8, readWrite, nil, 0)
				continue
			}
			if !noinc && !cl.expectArrival(by, addr) {
				continue
			}
			by.role = "cp.async"
			cl.beginLanding(&by, event.CopyArrive, t.absolute(addr), nil)
			a := &arrivalOn{fire: func() { cl.mbarrierArrive(by, t, addr, 1) }}
			for i := range threads[lane].flying {
				f := &threads[lane].flying[i]
				f.then = append(f.then, a)
				a.left++
			}
			if a.left == 0 {
				cl.after(0, a.fire)
			}
		}
		return nil
	}
}

// expectArrival makes an mbarrier's current phase need one more arrival.
func (c *cluster) expectArrival(by agent, addr uint32) bool {
	b := c.mbarrier(by, by.cta, addr)
	if b == nil {
		return false
	}
	if b.pending == mostArrivals {
		c.report(by, event.Finding{
			Rule: "mbarrier", Severity: event.Error,
			Message: fmt.Sprintf("the mbarrier cannot need more than %d arrivals", mostArrivals),
			Advice:  "count the arrivals in mbarrier.init and use cp.async.mbarrier.arrive.noinc",
		})
		return false
	}
	b.pending++
	owner, off := c.owner(by.cta, addr)
	*owner.shared.word64(int(off)) = b.stamp()
	return true
}
