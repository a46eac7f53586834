package emu

import (
	"fmt"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// compileWarpBarrier compiles "bar.warp.sync membermask" (PTX 9.7.13.2). The
// lanes may come from different instructions, so those that are early are
// remembered in the warp.
func compileWarpBarrier(c *compiler, in *ptx.Instr) op {
	args := c.args(1, 1)
	if !in.Has("sync") {
		return c.unsupported()
	}
	row := c.src32(args[0])
	return func(w *warp, m mask) *wait {
		if lane := m.first(); m == w.live && mask(w.r[row][lane])&w.live == w.live && w.warpBarrier == (warpBarrier{}) {
			w.tell(m, event.Event{Kind: event.WarpSync})
			return nil
		}
		for lane := range lanes {
			if m>>lane&1 != 0 {
				w.warpBarrier.arrive(w, lane, mask(w.r[row][lane]))
			}
		}
		w.warpBarrier.settle(w)
		if m&^w.warpBarrier.passed == 0 {
			w.warpBarrier.passed &^= m
			return nil
		}
		return &wait{
			remote: remoteWarp,
			ready: func() bool {
				w.warpBarrier.settle(w)
				return m&^w.warpBarrier.passed == 0
			},
			explain: func() (string, []string) {
				missing := w.warpBarrier.members[m.first()] & w.live &^ w.warpBarrier.arrived
				return fmt.Sprintf("waits for %v of its warp at bar.warp.sync", missing), nil
			},
		}
	}
}

// warpBarrier is the state of bar.warp.sync in a warp.
type warpBarrier struct {
	arrived mask        // lanes that wait
	passed  mask        // lanes whose wait is over but which have not gone on yet
	members [lanes]mask // the membermask that each of them named
}

func (b *warpBarrier) arrive(w *warp, lane int, named mask) {
	if (b.arrived|b.passed)>>lane&1 != 0 {
		return
	}
	if named>>lane&1 == 0 {
		w.report(1<<lane, event.Finding{
			Rule: "membermask", Severity: event.Error,
			Message: fmt.Sprintf("lane %d is not in its own membermask %#x", lane, uint32(named)),
		})
		named |= 1 << lane
	}
	b.arrived |= 1 << lane
	b.members[lane] = named
}

// settle lets the lanes pass whose partners have all arrived or exited.
func (b *warpBarrier) settle(w *warp) {
	for rest := b.arrived; rest != 0; {
		named := b.members[rest.first()]
		if named&w.live&^b.arrived == 0 {
			b.passed |= named & b.arrived
			w.tell(named&b.arrived, event.Event{Kind: event.WarpSync})
			for lane := range lanes {
				if named&b.arrived>>lane&1 != 0 {
					b.members[lane] = 0
				}
			}
			b.arrived &^= named
			w.cta.cluster.progress++
		}
		rest &^= named
	}
}
