package emu

import (
	"math/bits"

	"gohopper/pkg/hopper/event"
)

// lanes is the number of threads in a warp.
const lanes = 32

// mask has bit i set for lane i.
type mask uint32

const allLanes mask = 1<<lanes - 1

// first is the lowest lane of m, which must not be 0.
func (m mask) first() int { return bits.TrailingZeros32(uint32(m)) }

// count is the number of lanes in m.
func (m mask) count() int { return bits.OnesCount32(uint32(m)) }

// row32 is a register of up to 32 bits in every lane. A narrower value is kept
// zero-extended, whatever its type.
type row32 [lanes]uint32

// row64 is a 64-bit register in every lane.
type row64 [lanes]uint64

// warp is 32 threads that share an instruction stream but not a program
// counter (Volta's independent thread scheduling and after). Lanes that stand
// at the same instruction form a group and execute together.
type warp struct {
	cta     *cta
	prog    *program
	index   int  // in the CTA
	live    mask // lanes that have not exited
	r       []row32
	d       []row64
	p       []mask
	carry   mask     // the flag CC.CF of each lane (PTX 9.7.2)
	local   *block   // local memory, nil where the program has none
	scratch [64]byte // of the op being executed

	// timedOut tells the op being run again that the wait it returned has
	// timed out. Only waits with mayTimeOut ever see it.
	timedOut bool

	groups  [lanes]group
	n       int    // groups in use
	cur     *group // being executed
	pc      int32  // of the instruction being executed
	next    int32  // where cur goes on
	used    int    // instructions executed in this run
	changed bool   // the op moved lanes between groups: choose again

	atBarrier    mask          // lanes that wait at a named barrier
	barrierPhase [lanes]uint64 // and for the end of which phase
	atCluster    mask          // lanes that have arrived at the cluster barrier and not waited
	inCluster    mask          // those that count for its present phase
	clusterPhase [lanes]uint64
	warpBarrier  warpBarrier

	registers int // per thread, as setmaxnreg left them

	copies *[lanes]copyThread // cp.async of each lane, nil until the first
	bulk   *[lanes]bulkThread // bulk groups of each lane, nil until the first
	spin   spin
}

// group is a set of lanes at one program counter.
type group struct {
	pc       int32
	lanes    mask
	spent    int   // instructions executed while other groups of the warp waited for their turn
	ran      bool  // since the watch of quiet.go took its last fingerprint
	loop     loop  // the last one it went round, while quiet.go watches
	wait     *wait // nil: can run
	timedOut bool
	deadline int64 // when wait times out by itself; 0 for never
}

// op executes one instruction for the lanes in m, which is never 0. A nil
// result means the instruction is done and the lanes go on; a wait means that
// nothing has happened yet, and that the op is to be run again for the same
// lanes, or more, once the wait is over.
type op func(w *warp, m mask) *wait

// wait is why lanes cannot go on.
type wait struct {
	// ready is polled by the scheduler between instructions.
	ready func() bool
	// mayTimeOut marks an mbarrier.try_wait, which hardware lets return false
	// after a while: when nothing else can happen, or by the seed's whim, the
	// op is run again with w.timedOut set.
	mayTimeOut bool
	// explain says what is waited for, for a "stuck" finding: one clause
	// ("waits for phase 3 of the mbarrier at shared+0x30400") and facts, a line
	// each ("1 arrival and 32768 bytes are missing").
	explain func() (clause string, facts []string)
	// remote is how far away the cause of a dead end is likely to be, one of the
	// constants below: the finding is placed at the nearest.
	remote int
	phase  uint64 // of an mbarrier: among the nearest, the oldest is chosen
}

// Kinds of waiters, by how likely they are the victim of another one.
const (
	remoteNot     = iota // waits for something named: an mbarrier, registers, a copy
	remoteWarp           // for lanes of its own warp, or spins
	remoteCTA            // for other warps at a barrier
	remoteCluster        // for other CTAs
)

// farAway is a program counter that no instruction has.
const farAway = int32(1<<31 - 1)

// start places all live lanes at the first instruction and fills the registers.
func (w *warp) start() {
	w.r = append([]row32(nil), w.prog.rows32...)
	w.d = append([]row64(nil), w.prog.rows64...)
	w.p = append([]mask(nil), w.prog.preds...)
	for _, s := range w.prog.special {
		s.fill(w)
	}
	w.groups[0] = group{lanes: w.live}
	w.n = 1
}

// fairShare is how many instructions a group may execute before another group
// of its warp has its turn, wherever that stands.
const fairShare = 2048

// choose picks the group to run: the one at the lowest instruction, which
// makes diverged lanes meet again, unless it has used up its share. It is nil
// when all wait.
func (w *warp) choose() *group {
	share := fairShare
	if w.spin.watched {
		share = 1
	}
	var best *group
	for i := range w.groups[:w.n] {
		g := &w.groups[i]
		if g.wait == nil && (best == nil || g.spent/share < best.spent/share || g.spent/share == best.spent/share && g.pc < best.pc) {
			best = g
		}
	}
	return best
}

// run executes up to n instructions of group g and returns how many it did.
// It stops early where the group waits, meets another or splits.
func (w *warp) run(g *group, n int) int {
	limit := farAway // the nearest group ahead
	for i := range w.groups[:w.n] {
		if pc := w.groups[i].pc; pc > g.pc && pc < limit {
			limit = pc
		}
	}
	code := w.prog.code
	w.cur, w.timedOut = g, g.timedOut
	w.changed, g.timedOut, g.ran = false, false, true
	pc := g.pc
	for w.used = 0; w.used < n; {
		w.used++
		in := &code[pc]
		m := g.lanes
		if in.guard >= 0 {
			p := w.p[in.guard]
			if in.not {
				p = ^p
			}
			m &= p
		}
		w.pc, w.next = pc, pc+1
		if m != 0 {
			if wt := in.run(w, m); wt != nil {
				w.block(g, m, wt)
				return w.used
			}
			w.timedOut = false
		}
		pc = w.next
		if w.changed || pc >= limit {
			break
		}
	}
	g.pc = pc
	if w.n > 1 {
		g.spent += w.used
	}
	if w.changed || pc >= limit {
		w.settle()
	}
	return w.used
}

// block makes the lanes m of g wait at the present instruction; the others,
// which its guard excludes, go on.
func (w *warp) block(g *group, m mask, wt *wait) {
	g.pc, g.wait, g.deadline = w.pc, wt, 0
	w.timedOut = false
	if wt.remote != remoteWarp {
		w.tell(m, event.Event{Kind: event.Block})
	}
	if wt.mayTimeOut {
		g.deadline = w.cta.cluster.patience()
	}
	if rest := g.lanes &^ m; rest != 0 {
		g.lanes = m
		w.add(rest, w.pc+1)
	}
	w.settle()
}

// jump sends lanes m of the current group to another instruction.
func (w *warp) jump(m mask, to int32) {
	if to <= w.pc && (w.n > 1 || w.spin.watched) {
		w.changed = true
		w.cur.loop = loop{to, w.pc}
	}
	if m == w.cur.lanes {
		w.next = to
		return
	}
	w.cur.lanes &^= m
	w.add(m, to)
	w.changed = true
}

// exit ends lanes m of the current group.
func (w *warp) exit(m mask) {
	w.tell(m, event.Event{Kind: event.Exit})
	w.live &^= m
	w.cur.lanes &^= m
	w.changed = true
	w.cta.exited(w)
}

// add makes a group; settle merges it with one at the same instruction.
func (w *warp) add(m mask, pc int32) {
	w.groups[w.n] = group{pc: pc, lanes: m, spent: w.cur.spent}
	w.n++
}

// settle drops empty groups and merges those that have met. Lanes that join a
// waiting group make it run its op again, for all of them.
func (w *warp) settle() {
	n := 0
	for i := range w.groups[:w.n] {
		g := w.groups[i]
		if g.lanes == 0 {
			continue
		}
		joined := false
		for j := range w.groups[:n] {
			h := &w.groups[j]
			if h.pc == g.pc {
				h.lanes |= g.lanes
				h.spent, h.ran = min(h.spent, g.spent), h.ran && g.ran
				h.wait, h.timedOut = nil, false
				joined = true
				break
			}
		}
		if !joined {
			w.groups[n] = g
			n++
		}
	}
	w.n = n
}
