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

// asyncCopy is one execution of cp.async by some lanes.
type asyncCopy struct {
	by    agent
	lanes mask
	bytes int // written, per lane
	dst   [lanes]uint64
	src   [lanes]uint64
	take  [lanes]int // bytes read; zeros follow
}

func (w *warp) copyThreads() *[lanes]copyThread {
	if w.copies == nil {
		w.copies = new([lanes]copyThread)
	}
	return w.copies
}

// compileCopyAsync is cp.async: [dst], [src], cp-size{, src-size or
// ignore-src}{, cache-policy}.
func compileCopyAsync(c *compiler, in *ptx.Instr) op {
	args := c.args(3, 5)
	if in.Has("L2::cache_hint") {
		args = c.policy(len(args) - 1)
	}
	if c.err != nil {
		return nop
	}
	if len(args) > 4 {
		return c.failf("%s has %d operands", in.Name(), len(args))
	}
	dst, src := c.address(args[0]), c.address(args[1])
	bytes := int(c.immediate(args[2]))
	sizeRow, ignoreRow, not := -1, -1, false
	if len(args) == 4 {
		if _, negated := args[3].(ptx.Not); negated || c.width(args[3]) == 1 {
			ignoreRow, not = c.srcPred(args[3])
		} else {
			sizeRow = c.src32(args[3])
		}
	}
	return func(w *warp, m mask) *wait {
		x := &asyncCopy{by: w.agent(m), lanes: m, bytes: bytes}
		x.by.role = "cp.async"
		var ignored mask
		if ignoreRow >= 0 {
			if ignored = w.p[ignoreRow]; not {
				ignored = ^ignored
			}
		}
		for lane := range lanes {
			if m>>lane&1 == 0 {
				continue
			}
			x.dst[lane], x.src[lane], x.take[lane] = dst.at(w, lane), src.at(w, lane), bytes
			if ignored>>lane&1 != 0 {
				x.take[lane] = 0
			} else if sizeRow >= 0 {
				x.take[lane] = w.copySize(lane, w.r[sizeRow][lane], bytes)
			}
		}
		x.start(w)
		return nil
	}
}

// copySize is the src-size operand of a lane.
func (w *warp) copySize(lane int, size uint32, bytes int) int {
	if size <= uint32(bytes) {
		return int(size)
	}
	w.report(1<<lane, event.Finding{
		Rule: "copy-size", Severity: event.Error,
		Message: fmt.Sprintf("src-size is %d, more than the %d bytes that the copy writes", size, bytes),
	})
	return bytes
}

// start sends the lanes' copies off, all together or in two parts.
func (x *asyncCopy) start(w *warp) {
	c := w.cta.cluster
	first := x.lanes
	if c.random.IntN(2) == 0 {
		first &= mask(c.random.Uint32())
	}
	threads := w.copyThreads()
	for lane := range lanes {
		if t := &threads[lane]; x.lanes>>lane&1 != 0 {
			t.flying = append(t.flying, flight{copy: x, group: t.closed})
		}
	}
	for _, part := range [...]mask{first, x.lanes &^ first} {
		if part != 0 {
			c.after(c.delay(engineCopy, x.bytes*part.count()), func() { x.arrive(w, part) })
		}
	}
}

// arrive does the copies of some lanes.
func (x *asyncCopy) arrive(w *warp, m mask) {
	c := w.cta.cluster
	for lane := range lanes {
		if m>>lane&1 == 0 {
			continue
		}
		by := x.by
		by.lanes = 1 << lane
		var from []byte
		if n := x.take[lane]; n > 0 {
			from = c.bytes(by, spaceGlobal, x.src[lane], n, 1, read)
		}
		if x.src[lane]%uint64(x.bytes) != 0 && x.take[lane] > 0 {
			from = c.bytes(by, spaceGlobal, x.src[lane], x.bytes, x.bytes, read) // reports
		}
		if to := c.bytes(by, spaceShared, x.dst[lane], x.bytes, x.bytes, write); to != nil {
			clear(to[copy(to, from):])
		}
		w.copies[lane].arrived(x)
	}
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
		if threads == nil {
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
