package emu

import (
	"fmt"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// barrierForms are the barriers of a CTA, of a warp and, under the same
// opcode, of a cluster (PTX 9.7.13.1 to .3).
var barrierForms = map[string][]form{
	"bar": {
		{"?cta sync|arrive", compileBarrier},
		{"?cta red popc u32", compileBarrier},
		{"?cta red and|or pred", compileBarrier},
		{"warp sync", compileWarpBarrier},
	},
	"barrier": {
		{"?cta sync|arrive ?aligned", compileBarrier},
		{"?cta red popc ?aligned u32", compileBarrier},
		{"?cta red and|or ?aligned pred", compileBarrier},
		{"cluster arrive ?release|relaxed ?aligned", compileClusterBarrier},
		{"cluster wait ?acquire ?aligned", compileClusterBarrier},
	},
}

// barrier is one of the 16 named barriers of a CTA.
type barrier struct {
	phase   uint64 // completed phases
	arrived int    // threads in this phase
	count   int    // threads that the phase needs; 0 for every live thread of the CTA
	waiting int    // of the arrived, those that wait
	popc    int    // of the predicates given to bar.red
	all     bool
	results [4]barrierResult // of the last phases, by number
	first   agent            // who arrived first in this phase
}

// barrierResult is what bar.red gives for a phase.
type barrierResult struct {
	popc int
	all  bool
}

func compileBarrier(c *compiler, in *ptx.Instr) op {
	mods := in.Mods
	if mods[0] == "cta" {
		mods = mods[1:]
	}
	b := &barrierOp{count: -1, whole: in.Op == "bar" || in.Has("aligned")}
	switch mods[0] {
	case "sync":
		args := c.args(1, 2)
		b.id = c.src32(args[0])
		if len(in.Args) == 2 {
			b.count = c.src32(args[1])
		}
		return b.wrap(b.sync)
	case "arrive":
		args := c.args(2, 2)
		b.id, b.count = c.src32(args[0]), c.src32(args[1])
		return b.wrap(b.arrive)
	case "red":
		args := c.args(3, 4)
		b.id = c.src32(args[1])
		if len(in.Args) == 4 {
			b.count = c.src32(args[2])
		}
		b.pred, b.not = c.srcPred(args[len(args)-1])
		b.red = true
		switch {
		case in.Has("popc"):
			b.popc, b.d = true, c.dst32(args[0])
		case in.Has("and"):
			b.and, b.d = true, c.dstPred(args[0])
		case in.Has("or"):
			b.d = c.dstPred(args[0])
		default:
			return c.unsupported()
		}
		return b.wrap(b.sync)
	}
	return c.unsupported()
}

// barrierOp is a compiled bar or barrier instruction.
type barrierOp struct {
	id, count int  // rows; count -1 for none
	whole     bool // aligned: the warp arrives as a whole
	red       bool
	popc, and bool
	d, pred   int
	not       bool
}

// wrap makes a warp come to an aligned barrier together; "bar" is aligned
// without saying so.
func (b *barrierOp) wrap(f op) op {
	if b.whole {
		return together(f)
	}
	return f
}

// named is the barrier that the instruction names, in the first lane.
func (b *barrierOp) named(w *warp, m mask) (*barrier, int) {
	lane := m.first()
	id := w.r[b.id][lane]
	if id >= uint32(len(w.cta.barriers)) {
		w.report(m, event.Finding{
			Rule: "barrier", Severity: event.Error,
			Message: fmt.Sprintf("there is no barrier %d: a CTA has 16", id),
		})
		return nil, 0
	}
	count := 0
	if b.count >= 0 {
		count = int(w.r[b.count][lane])
	}
	return &w.cta.barriers[id], count
}

// enter lets lanes of w arrive.
func (b *barrierOp) enter(w *warp, m mask, bar *barrier, count int, waits bool) {
	if count%lanes != 0 {
		w.report(m, event.Finding{
			Rule: "barrier", Severity: event.Error,
			Message: fmt.Sprintf("the barrier's thread count is %d, not a multiple of %d", count, lanes),
		})
		count = alignUp(count, lanes)
	}
	if bar.arrived == 0 {
		bar.count, bar.first, bar.popc, bar.all = count, w.agent(m), 0, true
	} else if bar.count != count {
		w.report(m, event.Finding{
			Rule: "barrier", Severity: event.Error,
			Message: fmt.Sprintf("barrier %d is entered for %d threads here and for %d elsewhere", w.r[b.id][m.first()], count, bar.count),
			Other:   []event.Place{bar.first.place()},
		})
	}
	n := m.count()
	if b.whole && count != 0 {
		n = lanes // hardware counts warps
	}
	bar.arrived += n
	if waits {
		bar.waiting += n
	}
	if b.red {
		yes := w.p[b.pred]
		if b.not {
			yes = ^yes
		}
		yes &= m
		bar.popc += yes.count()
		bar.all = bar.all && yes == m
	}
	w.tell(m, event.Event{Kind: event.BarrierArrive, N: int(w.r[b.id][m.first()]), Bytes: count, Phase: bar.phase})
	w.cta.cluster.progress++
	bar.settle(w.cta)
}

// settle completes the phase when all threads have arrived.
func (b *barrier) settle(t *cta) {
	need := b.count
	if need == 0 {
		need = t.live()
	}
	if b.arrived == 0 || b.arrived < need {
		return
	}
	b.results[b.phase%4] = barrierResult{b.popc, b.all}
	b.phase++
	b.arrived, b.waiting = 0, 0
}

func (b *barrierOp) arrive(w *warp, m mask) *wait {
	if bar, count := b.named(w, m); bar != nil {
		b.enter(w, m, bar, count, false)
	}
	return nil
}

// sync arrives once for each lane and waits for the phase's end. A lane's
// awaited phase is kept in the warp while it waits.
func (b *barrierOp) sync(w *warp, m mask) *wait {
	bar, count := b.named(w, m)
	if bar == nil {
		return nil
	}
	if fresh := m &^ w.atBarrier; fresh != 0 {
		for lane := range lanes {
			if fresh>>lane&1 != 0 {
				w.barrierPhase[lane] = bar.phase
			}
		}
		w.atBarrier |= fresh
		b.enter(w, fresh, bar, count, true)
	}
	over := func() bool {
		for lane := range lanes {
			if m>>lane&1 != 0 && bar.phase == w.barrierPhase[lane] {
				return false
			}
		}
		return true
	}
	if !over() {
		id := w.r[b.id][m.first()]
		return &wait{remote: remoteCTA, ready: over, explain: func() (string, []string) { return bar.explain(w.cta, id) }}
	}
	w.atBarrier &^= m
	w.tell(m, event.Event{Kind: event.BarrierLeave, N: int(w.r[b.id][m.first()]), Phase: w.barrierPhase[m.first()]})
	b.result(w, m, bar)
	return nil
}

// result writes what bar.red gives.
func (b *barrierOp) result(w *warp, m mask, bar *barrier) {
	if !b.red {
		return
	}
	for lane := range lanes {
		if m>>lane&1 == 0 {
			continue
		}
		r := bar.results[w.barrierPhase[lane]%4]
		switch {
		case b.popc:
			w.r[b.d][lane] = uint32(r.popc)
		case b.and && r.all, !b.and && r.popc > 0:
			w.p[b.d] |= 1 << lane
		default:
			w.p[b.d] &^= 1 << lane
		}
	}
}

// explain says what a barrier waits for.
func (b *barrier) explain(t *cta, id uint32) (string, []string) {
	need := b.count
	if need == 0 {
		need = t.live()
	}
	return fmt.Sprintf("waits at barrier %d of its CTA", id),
		[]string{fmt.Sprintf("barrier %d: %d of %d threads have arrived", id, b.arrived, need)}
}
