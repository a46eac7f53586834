package sanitize

import (
	"fmt"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// What is said about copies out of shared memory and their groups.

func (c *cluster) reportCount(p *pair, store, writer who) {
	c.find(WaitCount, writer, store, func(f *event.Finding) {
		s := store.op.short
		f.Message = fmt.Sprintf("%s writes a buffer that %s may still read: the wait lets one group too many go on", c.short(writer), c.short(store))
		f.Other = append(f.Other, c.launch.place(s.instr))
		f.Details = append(f.Details, c.bytes(p))
		if s.need < 0 {
			f.Edge = "cp.async.bulk.commit_group after the store"
			f.Details = append(f.Details, "the store had not been committed to a group, so no wait could cover it")
			f.Advice = "run cp.async.bulk.commit_group after the store and before the wait"
			return
		}
		f.Edge = fmt.Sprintf("%s %d", s.instr.Name(), s.need)
		f.Details = append(f.Details, fmt.Sprintf("needed %d, given %d", s.need, s.given))
		f.Advice = fmt.Sprintf("write %s %d: a ring of D buffers waits for all but D - 1 groups", s.instr.Name(), s.need)
	})
}

func (c *cluster) reportThread(p *pair, store, writer who, empty *ptx.Instr) {
	c.find(WaitThread, writer, store, func(f *event.Finding) {
		f.Message = fmt.Sprintf("%s writes a buffer that %s may still read: only the thread that issued the store can wait for it", c.short(writer), c.short(store))
		f.Edge = fmt.Sprintf("from cp.async.bulk.wait_group.read in the issuing thread (warp %d, %s) to the write", store.warp.index, lanesName(store.lanes))
		f.Details = append(f.Details, c.bytes(p))
		if empty != nil {
			f.Other = append(f.Other, c.launch.place(empty))
			f.Details = append(f.Details, "your wait was empty: this thread committed no group")
		}
		f.Advice = "let the issuing thread wait, then pass a barrier with every thread that writes the buffer"
	})
}

func (c *cluster) reportInFlight(p *pair, store, writer who) {
	c.find(StoreInFlight, writer, store, func(f *event.Finding) {
		f.Message = fmt.Sprintf("%s writes a buffer while %s, issued earlier, may still read it", c.short(writer), c.short(store))
		f.Edge = fmt.Sprintf("cp.async.bulk.wait_group.read in the issuing thread (warp %d, %s), and a barrier", store.warp.index, lanesName(store.lanes))
		f.Details = append(f.Details, c.bytes(p))
		f.Advice = "before the next tile's stores: cp.async.bulk.wait_group.read 0 in the issuing thread, then a barrier"
	})
}

func (c *cluster) reportCopyThread(p *pair, copied, other who) {
	c.find(WaitThread, other, copied, func(f *event.Finding) {
		f.Message = fmt.Sprintf("%s uses bytes that %s brings: cp.async.wait_group covers a thread's own copies only", c.short(other), c.short(copied))
		f.Edge = "cp.async.wait_group in the copying thread, then a barrier that both pass"
		f.Details = append(f.Details, c.bytes(p))
		f.Advice = "let every thread run cp.async.wait_group, then bar.sync, before the bytes are read"
	})
}

func (c *cluster) storeNotOver(o *op, a *act, lane int) {
	at := who{a.warp, 1 << lane, a.instr, nil}
	c.find(MissingWait, at, o.who(), func(f *event.Finding) {
		f.Message = fmt.Sprintf("%s %s global memory that %s is still writing", c.short(at), does(a.writes), c.short(o.who()))
		f.Edge = fmt.Sprintf("cp.async.bulk.wait_group (without .read) in the issuing thread (warp %d, %s), then a barrier", o.warp.index, lanesName(o.lanes))
		f.Advice = "wait for the whole store in the thread that issued it, then pass a barrier; .read waits for the source only"
	})
}
