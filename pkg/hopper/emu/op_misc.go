package emu

import (
	"fmt"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// miscForms are fences, which change nothing in a machine whose memory is
// always in order, and instructions about the execution itself.
var miscForms = map[string][]form{
	"fence": {
		{"?sc|acq_rel|acquire|release " + scopes, compileFence},
		{"acquire sync_restrict::shared::cluster cluster", compileFence},
		{"release sync_restrict::shared::cta cluster", compileFence},
		{"mbarrier_init release cluster", compileFence},
		{"proxy alias", compileFence},
		{"proxy async ?global|shared::cta|shared::cluster", compileFence},
		{"proxy async::generic acquire sync_restrict::shared::cluster cluster", compileFence},
		{"proxy async::generic release sync_restrict::shared::cta cluster", compileFence},
		{"proxy tensormap::generic acquire|release " + scopes, compileFence},
	},
	"membar":         {{"cta|gl|sys", compileFence}, {"proxy alias", compileFence}},
	"nanosleep":      {{"u32", compileHint}},
	"griddepcontrol": {{"launch_dependents|wait", compileHint}},
	"pmevent":        {{"?mask", compileHint}},
	"setmaxnreg":     {{"inc|dec sync aligned u32", compileSetmaxnreg}},
}

// compileFence: memory is in order here; only a sink wants to know.
func compileFence(*compiler, *ptx.Instr) op {
	return func(w *warp, m mask) *wait {
		w.tell(m, event.Event{Kind: event.Fence})
		return nil
	}
}

// compileSetmaxnreg compiles "setmaxnreg.inc|dec.sync.aligned.u32 n" (PTX
// 9.7.19.5). A CTA has the registers it was launched with: dec gives to its
// pool, inc waits until the pool has enough. Registers do not move between the
// parts of the register file, so the pool has parts too; the four warps of a
// warpgroup are one in each.
func compileSetmaxnreg(c *compiler, in *ptx.Instr) op {
	args := c.args(1, 1)
	n := int(c.immediate(args[0]))
	if n < 24 || n > 256 || n%8 != 0 {
		return c.failf("setmaxnreg %d: the count must be a multiple of 8 from 24 to 256", n)
	}
	switch {
	case in.Has("dec"):
		return func(w *warp, m mask) *wait {
			w.tell(m, event.Event{Kind: event.Registers, N: n})
			if n > w.registers {
				w.reportRegisters("dec", n)
			}
			w.resize(n)
			return nil
		}
	case in.Has("inc"):
		return func(w *warp, m mask) *wait {
			w.tell(m, event.Event{Kind: event.Registers, N: n})
			if n < w.registers {
				w.reportRegisters("inc", n)
			}
			need := (n - w.registers) * lanes
			enough := func() bool { return *w.pool() >= need }
			if enough() {
				w.resize(n)
				return nil
			}
			return &wait{ready: enough, explain: func() (string, []string) {
				return fmt.Sprintf("waits for %d registers for setmaxnreg.inc %d", need, n),
					[]string{fmt.Sprintf("the CTA's pool has %d free registers in this warp's part of the register file; its warps were launched with %d per thread",
						*w.pool(), w.cta.cluster.launch.registers())}
			}}
		}
	}
	return c.unsupported()
}

// pool is the part of the CTA's pool from which the warp may take.
func (w *warp) pool() *int { return &w.cta.pool[w.index%schedulers] }

// resize moves registers between the warp and its CTA's pool.
func (w *warp) resize(n int) {
	*w.pool() += (w.registers - n) * lanes
	w.registers = n
	w.cta.cluster.progress++
}

func (w *warp) reportRegisters(which string, n int) {
	w.report(w.live, event.Finding{
		Rule: "setmaxnreg", Severity: event.Error,
		Message: fmt.Sprintf("setmaxnreg.%s to %d in a warp that has %d registers per thread", which, n, w.registers),
	})
}
