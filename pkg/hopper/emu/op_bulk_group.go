package emu

import (
	"fmt"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// bulkThread is a thread's bulk groups: how many it has committed, and the
// bulk stores that still matter to it, oldest first (PTX 9.7.9.25.4).
type bulkThread struct {
	closed int
	stores []*bulkStore
}

// bulkStore is one bulk copy out of a CTA's shared memory.
type bulkStore struct {
	by       agent
	group    int
	reading  bool // shared memory is still to be read
	writing  bool // global memory is still to be written
	released bool // its thread has waited for the reads
}

func (w *warp) bulkThreads() *[lanes]bulkThread {
	if w.bulk == nil {
		w.bulk = new([lanes]bulkThread)
	}
	return w.bulk
}

// store lets n units leave shared memory and reach global memory: get reads
// some of them, later put writes them.
func (w *warp) store(by agent, n, bytes int, get, put func(from, to int)) {
	c := w.cta.cluster
	t := &w.bulkThreads()[by.lanes.first()]
	s := &bulkStore{by: by, group: t.closed, reading: true, writing: true}
	t.stores = append(t.stores, s)
	c.inPieces(engineTMA, n, bytes, get, func() {
		s.reading = false
		c.readsOver(by)
		c.inPieces(engineTMA, n, bytes, put, func() { s.writing = false; c.ended(by) })
	})
}

func compileBulkCommit(c *compiler, _ *ptx.Instr) op {
	c.args(0, 0)
	return func(w *warp, m mask) *wait {
		threads := w.bulkThreads()
		for lane := range lanes {
			if m>>lane&1 != 0 {
				threads[lane].closed++
			}
		}
		w.tell(m, event.Event{Kind: event.Commit, Unit: event.BulkStore})
		return nil
	}
}

// compileBulkWait is cp.async.bulk.wait_group N: until at most the newest N of
// the thread's groups are pending, or with .read until only those may still
// read shared memory.
func compileBulkWait(c *compiler, in *ptx.Instr) op {
	args := c.args(1, 1)
	if c.err != nil {
		return nop
	}
	most, reads := int(c.immediate(args[0])), in.Has("read")
	return func(w *warp, m mask) *wait {
		threads := w.bulk
		if threads == nil {
			w.tell(m, event.Event{Kind: event.WaitGroup, Unit: event.BulkStore, N: most, Reads: reads})
			return nil
		}
		pending := func() (n int) {
			for lane := range lanes {
				if m>>lane&1 != 0 {
					n += threads[lane].pending(most, reads)
				}
			}
			return n
		}
		if pending() > 0 {
			return &wait{ready: func() bool { return pending() == 0 }, explain: func() (string, []string) {
				return "waits for its bulk groups", []string{fmt.Sprintf("%d of its bulk stores are in flight", pending())}
			}}
		}
		for lane := range lanes {
			if m>>lane&1 != 0 {
				threads[lane].release(most)
			}
		}
		w.tell(m, event.Event{Kind: event.WaitGroup, Unit: event.BulkStore, N: most, Reads: reads})
		return nil
	}
}

// pending counts the stores that a wait for all but the newest groups waits for.
func (t *bulkThread) pending(most int, reads bool) (n int) {
	for _, s := range t.stores {
		if s.group < t.closed-most && (s.reading || s.writing && !reads) {
			n++
		}
	}
	return n
}

// release notes that the thread has waited for the reads of all but the newest
// groups, and forgets what has ended.
func (t *bulkThread) release(most int) {
	kept := t.stores[:0]
	for _, s := range t.stores {
		s.released = s.released || s.group < t.closed-most
		if !s.released || s.writing {
			kept = append(kept, s)
		}
	}
	clear(t.stores[len(kept):])
	t.stores = kept
}

// checkBulk is asked when the CTA's last thread exits: its shared memory ends,
// so the reads of every bulk store must have been waited for.
func (t *cta) checkBulk() {
	for _, w := range t.warps {
		if w.bulk == nil {
			continue
		}
		for lane := range w.bulk {
			thread := &w.bulk[lane]
			for _, s := range thread.stores {
				if !s.released {
					s.outlived(thread.closed)
				}
			}
		}
	}
}

// outlived reports a store that nobody waited for before its CTA's end. Where
// this schedule has let it finish its reads in time, luck did.
func (s *bulkStore) outlived(closed int) {
	f := event.Finding{
		Rule: "lifetime", Severity: event.Error,
		Message: "the CTA exits while this bulk store still reads its shared memory",
		Advice:  "before exiting, the thread that issued it must run cp.async.bulk.commit_group and cp.async.bulk.wait_group.read 0",
	}
	if !s.reading {
		f.Severity = event.Latent
		f.Message = "the CTA exits without having waited for this bulk store to read its shared memory"
	}
	if s.group == closed {
		f.Details = []string{"the store was never committed to a bulk group"}
	}
	s.by.cta.cluster.report(s.by, f)
}
