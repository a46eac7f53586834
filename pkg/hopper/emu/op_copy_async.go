package emu

import (
	"fmt"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// asyncCopy is one execution of cp.async by some lanes.
type asyncCopy struct {
	by    agent
	lanes mask
	bytes int // written, per lane
	dst   [lanes]uint64
	src   [lanes]uint64
	take  [lanes]int // bytes read; zeros follow
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
	c.beginCopy(x)
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
			from = c.bytes(by, spaceGlobal, x.src[lane], n, x.bytes, read)
		}
		if to := c.bytes(by, spaceShared, x.dst[lane], x.bytes, x.bytes, write); to != nil {
			clear(to[copy(to, from):])
		}
		w.copies[lane].arrived(x)
	}
}
