package emu

// quiet watches a cluster in which nothing happens that another actor could
// wait for: it tells a loop that computes from one that spins. A warp whose
// registers, local memory and program counters repeat exactly while nothing
// else changes can only be freed from outside.
type quiet struct {
	progress uint64 // cluster.progress when the watch began
	since    int64  // and the clock
	rounds   int    // time-outs since then
	reads    uint64 // cluster.reads at the first of them
	next     int64  // when to look at the registers again
	looks    int    // of this watch
	limit    int    // looks after which it ends
}

// spin is what the watch remembers of a warp.
type spin struct {
	watched bool   // end the slice at backward branches
	state   uint64 // a hash of all its registers
	proven  bool
	age     int
	span    int
}

// loop is the code between a backward branch and its target, both included.
type loop struct{ first, last int32 }

const (
	quietBefore = 20_000     // instructions without progress before the watch begins
	quietLooks  = 32         // looks of the first watch, four times as many in each further one
	quietRounds = 4          // vain rounds of time-outs
	quietBudget = 50_000_000 // instructions without progress that are taken for a spin unproven
)

func newQuiet(c *cluster) quiet {
	return quiet{progress: c.progress, since: c.now, next: c.now + quietBefore, limit: quietLooks}
}

// spinning is asked after each round and reports whether all warps that can
// run are proven to spin.
func (q *quiet) spinning(c *cluster) bool {
	if q.progress != c.progress {
		if q.looks > 0 {
			c.watch(false)
		}
		*q = newQuiet(c)
		return false
	}
	if c.now < q.next || len(c.events.list) > 0 {
		return false
	}
	if q.looks == 0 {
		c.watch(true)
	}
	q.looks++
	if q.looks > q.limit { // a long computation: come back later
		q.next, q.looks, q.limit = c.now+4*(c.now-q.since), 0, 4*q.limit
		c.watch(false)
		return false
	}
	all := true
	for _, w := range c.warps {
		if w.live != 0 && !w.spins() {
			all = false
		}
	}
	return all
}

// turn is how the turn of a cluster ends that has used it up: one that has not
// shown progress for very long is taken to spin, proven or not.
func (q *quiet) turn(c *cluster) turn {
	if c.now-q.since > quietBudget {
		return turnIdle
	}
	return turnOver
}

// exhausted is asked when nothing can happen, before waits are timed out, and
// reports whether timing them out has helped nothing several times in a row.
func (q *quiet) exhausted(c *cluster) bool {
	if q.progress != c.progress {
		*q = newQuiet(c)
	}
	if q.rounds == 0 {
		q.reads = c.reads
	}
	q.rounds++
	return q.rounds > quietRounds
}

// resume starts anew after another cluster may have changed memory.
func (q *quiet) resume(c *cluster) {
	if q.looks > 0 {
		c.watch(true)
		q.looks = 1
	}
	q.rounds = 0
}

// watch starts or ends the watch on every warp.
func (c *cluster) watch(on bool) {
	c.watching = on
	for _, w := range c.warps {
		w.spin = spin{watched: on}
	}
}

// changed notes a store to shared or global memory. Only the watch asks whether
// it changed anything: a loop that stores is taken for work until then.
func (c *cluster) changed() {
	c.stores++
	if c.watching {
		c.progress++
	}
}

// spins looks at a warp and reports whether it is proven to spin, or waits.
func (w *warp) spins() bool {
	s := &w.spin
	if s.proven || w.choose() == nil {
		return true
	}
	h := w.hash()
	switch {
	case s.age > 0 && h == s.state && w.allRan():
		s.proven = true
	case s.age >= s.span: // compare with ever later states, so that any period is met
		s.state, s.age, s.span = h, 1, 2*s.span+1
		for i := range w.groups[:w.n] {
			w.groups[i].ran = false
		}
	default:
		s.age++
	}
	return s.proven
}

// allRan reports whether every group that can run has, since the fingerprint.
func (w *warp) allRan() bool {
	for _, g := range w.groups[:w.n] {
		if g.wait == nil && !g.ran {
			return false
		}
	}
	return true
}

// watches is the instruction by which a message shows a loop that spins: the
// first that reads what others may write, or the loop's first.
func (p *program) watches(l loop) *inst {
	for i := l.first; i < l.last; i++ {
		switch p.code[i].src.Op {
		case "ld", "atom", "mbarrier":
			return &p.code[i]
		}
	}
	return &p.code[l.first]
}

// hash is a fingerprint of everything a warp's future depends on but shared
// and global memory.
func (w *warp) hash() uint64 {
	h := uint64(14695981039346656037)
	add := func(v uint64) { h = (h ^ v) * 1099511628211; h ^= h >> 29 }
	for i := range w.r {
		for j := 0; j < lanes; j += 2 {
			add(uint64(w.r[i][j]) | uint64(w.r[i][j+1])<<32)
		}
	}
	for i := range w.d {
		for _, v := range w.d[i] {
			add(v)
		}
	}
	add(uint64(w.carry))
	for _, p := range w.p {
		add(uint64(p))
	}
	for _, g := range w.groups[:w.n] {
		add(uint64(g.pc)<<32 | uint64(g.lanes))
	}
	if w.local != nil {
		for off := 0; off+8 <= len(w.local.bytes); off += 8 {
			add(*w.local.word64(off))
		}
	}
	return h
}
