package emu

import "fmt"

// The scheduler of a cluster. A round lets every warp that can run execute a
// slice; the seed draws the order and the lengths. When no warp can run the
// clock jumps to the next event, and when there is none the waits that may
// time out do.

// turn is how one turn of a cluster on a worker ended.
type turn int

const (
	turnOver  turn = iota // used up: others may go
	turnIdle              // nothing can happen unless another cluster acts
	turnDone              // all threads have exited, or the run was given up
	turnStuck             // cannot go on, whatever others do
)

// turnLength is the instructions a cluster executes before another cluster of
// the same worker gets a turn, unless it makes progress.
const turnLength = 100_000

// run simulates the cluster until its turn ends.
func (c *cluster) run() turn {
	defer c.blame()
	c.quiet.resume(c)
	for start := c.now; ; {
		c.happen()
		if c.alive() == 0 || c.faults >= mostFaults {
			return turnDone
		}
		ran := c.round()
		switch {
		case ran && c.now > c.launch.machine.config.Budget && c.alive() > 0:
			return turnStuck
		case ran && !c.quiet.spinning(c):
			if c.now-start > turnLength {
				return c.quiet.turn(c)
			}
		case len(c.events.list) > 0:
			c.now = max(c.now, c.events.list[0].at)
		case c.quiet.exhausted(c) || !c.timeOut():
			if ran || c.quiet.reads != c.reads {
				return turnIdle
			}
			return turnStuck
		}
	}
}

// blame names the instruction at which the emulator itself broke.
func (c *cluster) blame() {
	r := recover()
	if r == nil {
		return
	}
	where := "a completion"
	if w := c.running; w != nil {
		in := &w.prog.code[w.pc]
		where = c.launch.line(in) + ", " + in.src.Name()
	}
	panic(fmt.Sprintf("emulator: broke at %s: %v", where, r))
}

// alive is the number of warps with a live lane.
func (c *cluster) alive() int {
	n := 0
	for _, t := range c.ctas {
		n += t.alive
	}
	return n
}

// round gives each warp that can run one slice and reports whether any could.
func (c *cluster) round() bool {
	ran := false
	n := len(c.warps)
	first, step := c.random.IntN(n), 1
	if c.random.IntN(2) == 0 {
		step = n - 1
	}
	for i := range n {
		w := c.warps[(first+i*step)%n]
		if w.live == 0 {
			continue
		}
		w.poll()
		g := w.choose()
		if g == nil {
			continue
		}
		ran = true
		c.slice(w, g)
	}
	return ran
}

// slice runs one group for a while. Events that fall due end it early.
func (c *cluster) slice(w *warp, g *group) {
	n := c.sliceLength()
	for n > 0 && g != nil {
		k := n
		if len(c.events.list) > 0 {
			k = max(1, min(k, int(c.events.list[0].at-c.now)))
		}
		c.running = w
		used := w.run(g, k)
		c.running = nil
		c.now += int64(used)
		n -= used
		c.happen()
		if w.live == 0 || c.faults >= mostFaults || w.spin.watched && w.changed {
			return
		}
		g = w.choose()
	}
}

// sliceLength draws how many instructions a warp executes in a row.
func (c *cluster) sliceLength() int {
	switch c.random.IntN(8) {
	case 0:
		return 1 + c.random.IntN(8)
	case 1:
		return 1024
	}
	return 64 + c.random.IntN(256)
}

// poll wakes the groups of a warp whose wait is over.
func (w *warp) poll() {
	for i := range w.groups[:w.n] {
		g := &w.groups[i]
		if g.wait == nil {
			continue
		}
		if g.wait.ready() {
			g.wait = nil
		} else if g.deadline != 0 && w.cta.cluster.now >= g.deadline {
			g.wait, g.timedOut = nil, true
		}
	}
}

// timeOut ends every wait that may time out and reports whether there was one.
func (c *cluster) timeOut() bool {
	any := false
	for _, w := range c.warps {
		for i := range w.groups[:w.n] {
			if g := &w.groups[i]; g.wait != nil && g.wait.mayTimeOut {
				g.wait, g.timedOut, any = nil, true, true
			}
		}
	}
	return any
}
