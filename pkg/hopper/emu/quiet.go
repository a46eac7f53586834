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

const (
	quietBefore = 50_000     // instructions without progress before the watch begins
	quietLooks  = 512        // rounds of one watch
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

// timedOut is asked after waits were timed out and reports whether that has
// helped nothing several times in a row.
func (q *quiet) timedOut(c *cluster) bool {
	if q.progress != c.progress || q.rounds == 0 {
		*q = newQuiet(c)
		q.rounds, q.reads = 1, c.reads
		return false
	}
	q.rounds++
	return q.rounds > 4
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
