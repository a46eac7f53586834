package emu

import (
	"math/rand/v2"
	"slices"
	"sync"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/event"
)

// launch is one execution of a kernel.
type launch struct {
	machine *Machine
	module  *module
	prog    *program
	shape   device.Launch // Cluster is never zero
	// clustered says that the launch or the entry asks for a cluster, of one CTA
	// perhaps.
	clustered bool
	params    *block

	observer event.Observer // nil for none
}

// grid runs the clusters of a launch over the host's cores. As on the GPU only
// so many are resident, in order; those that are all make progress, however
// few workers there are.
type grid struct {
	*launch
	count    int // clusters
	resident int // most at a time

	mu      sync.Mutex
	changed sync.Cond
	queue   []*cluster // resident, not being run
	started int
	running int
	live    int    // resident
	version uint64 // counts turns that may have helped another cluster
	found   []findings
}

// run executes all clusters and returns the findings.
func (g *grid) run() []event.Finding {
	g.changed.L = &g.mu
	g.found = make([]findings, g.count)
	var wg sync.WaitGroup
	for range min(g.machine.workers(), g.count) {
		wg.Go(g.work)
	}
	wg.Wait()
	return mergeFindings(g.found)
}

// work takes clusters and gives each a turn until none is left.
func (g *grid) work() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for {
		c := g.take()
		if c == nil {
			return
		}
		before, version := c.progress+c.stores, g.version
		g.mu.Unlock()
		t := c.run()
		g.mu.Lock()
		g.running--
		if c.lazy = c.progress+c.stores == before; !c.lazy {
			g.version++
		}
		switch t {
		case turnDone, turnStuck:
			if t == turnStuck {
				c.reportStuck(false)
			}
			g.retire(c)
		case turnIdle:
			c.idle = version + 1 // what others did meanwhile it may not have seen
			g.queue = append(g.queue, c)
		case turnOver:
			c.idle = 0
			g.queue = append(g.queue, c)
		}
		g.changed.Broadcast()
	}
}

// take waits for a cluster that may have something to do: one that got on in
// its last turn, else a new one, else one that may be waiting for the new. It
// is nil when the grid is done. When every cluster only waits for others, all
// of them are stuck.
func (g *grid) take() *cluster {
	for {
		c := g.waiting(func(c *cluster) bool { return !c.lazy })
		if c == nil && g.started < g.count && g.live < g.resident {
			c = g.newCluster(g.started)
			g.started++
			g.live++
		}
		if c == nil {
			c = g.waiting(func(c *cluster) bool { return true })
		}
		if c != nil {
			g.running++
			return c
		}
		if g.running == 0 {
			for _, c := range g.queue {
				c.reportStuck(g.count > 1)
				g.retire(c)
			}
			g.queue = nil
			if g.started == g.count {
				return nil
			}
			continue
		}
		g.changed.Wait()
	}
}

// waiting takes the first cluster off the queue that is wanted and has not
// been idle since anything changed.
func (g *grid) waiting(wanted func(*cluster) bool) *cluster {
	for i, c := range g.queue {
		if c.idle != g.version+1 && wanted(c) {
			g.queue = slices.Delete(g.queue, i, i+1)
			return c
		}
	}
	return nil
}

// retire keeps a finished cluster's findings and makes room for another.
func (g *grid) retire(c *cluster) {
	c.drain()
	c.unfollow()
	g.found[c.index] = c.found
	g.live--
	g.version++
}

// drain lets what is still in flight happen after the last thread's exit.
func (c *cluster) drain() {
	for len(c.events.list) > 0 {
		c.now = max(c.now, c.events.list[0].at)
		c.happen()
	}
}

// newCluster makes the cluster with an index: its CTAs, warps and memories.
func (l *launch) newCluster(index int) *cluster {
	s := l.shape
	c := &cluster{
		launch: l, index: index,
		random: rand.New(rand.NewPCG(uint64(l.machine.config.Seed), uint64(index))),
	}
	c.quiet = newQuiet(c)
	var per [3]int // clusters along each dimension
	for d := range per {
		per[d] = s.Grid[d] / s.Cluster[d]
	}
	c.at = unflatten(index, per)
	threads := s.Block[0] * s.Block[1] * s.Block[2]
	for rank := range s.Cluster[0] * s.Cluster[1] * s.Cluster[2] {
		t := &cta{cluster: c, rank: rank, mbarriers: map[uint32]*mbarrier{}}
		in := unflatten(rank, s.Cluster)
		for d := range t.at {
			t.at[d] = c.at[d]*s.Cluster[d] + in[d]
		}
		t.linear = t.at[0] + s.Grid[0]*(t.at[1]+s.Grid[1]*t.at[2])
		t.shared = newBlock(0, sharedBase+l.sharedBytes(), "shared memory")
		t.shared.first = l.prog.sharedFirst()
		t.shared.wrote(t.shared.first, sharedBase-t.shared.first)
		clear(t.shared.bytes[:sharedBase])
		for i := range (threads + lanes - 1) / lanes {
			w := &warp{cta: t, prog: l.prog, index: i, live: allLanes, registers: l.registers()}
			if rest := threads - i*lanes; rest < lanes {
				w.live = 1<<rest - 1
			}
			if n := l.prog.localBytes; n > 0 {
				w.local = newBlock(0, n*lanes, "local memory")
				w.local.lane = uint64(n)
			}
			t.warps = append(t.warps, w)
		}
		t.alive = len(t.warps)
		c.ctas = append(c.ctas, t)
		c.warps = append(c.warps, t.warps...)
	}
	for _, w := range c.warps {
		w.start()
	}
	c.follow()
	return c
}

// unflatten is the position with a linear index in a box, x fastest.
func unflatten(i int, box [3]int) [3]int {
	return [3]int{i % box[0], i / box[0] % box[1], i / box[0] / box[1]}
}
