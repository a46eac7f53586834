// Package sanitize finds what a kernel does outside of Hopper's memory model:
// accesses that nothing orders, through the generic and the asynchronous
// proxy, and misuse of the barriers that should order them.
//
// It reads the events of a run (package event) and knows nothing of the machine
// that made them. A finding does not depend on what the run happened to do: two
// accesses are judged by what orders them, so a missing wait is reported under
// every schedule, even where the answer is right. What it reports lies outside
// of the model; what it does not report is not thereby proved (see Rules).
//
// # How it is built
//
//	rules.go                what is reported, rule by rule
//	sanitize.go             from a launch to its findings
//	clock.go, warp.go       what the lanes of a warp may rely on
//	shadow.go, async.go     what was done to each byte, by threads and by engines
//	order.go                whether it is over
//	op.go, copy.go          asynchronous operations and their groups
//	mbarrier.go, barrier.go what passes on knowledge
//	conflict.go             from two accesses to the rule that was broken
//	footprint.go, global.go what was done to each byte of global memory
//	between.go              by two clusters of a launch
//	ledger.go, peer.go,     the rules that are not about two accesses
//	place.go
//	lint.go, flow.go        what can be seen in the PTX without running it
//	message*.go, words.go   how it is said
package sanitize

import (
	"slices"
	"sync"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// Observe follows a launch. It is what a machine is configured with.
func Observe(l event.Launch) event.Observer {
	return &launch{Launch: l, findings: lint(l), meetings: map[findingKey]*meeting{}}
}

// launch is one launch that is followed.
type launch struct {
	event.Launch
	findings []event.Finding // what can be said without running the kernel

	mu       sync.Mutex // of what follows
	all      footprint  // of the clusters that have ended
	meetings map[findingKey]*meeting
}

// Findings is what is about no single cluster.
func (l *launch) Findings() []event.Finding { return append(l.findings, l.between()...) }

// clusters is how many the grid has.
func (l *launch) clusters() int {
	n := 1
	for d := range l.Grid {
		n *= l.Grid[d] / max(l.Launch.Cluster[d], 1)
	}
	return n
}

// Cluster follows one cluster.
func (l *launch) Cluster(at [][3]int) event.Sink {
	c := &cluster{
		launch: l, ops: map[int]*op{}, bars: map[uint64]*mbarrier{}, flags: map[flagKey]*knowledge{},
		remotes: map[remoteKey]*remote{}, found: map[findingKey]int{},
	}
	threads := l.Block[0] * l.Block[1] * l.Block[2]
	per := (threads + 31) / 32
	for rank, position := range at {
		granules := (l.SharedEnd + granule - 1) / granule
		t := &cta{at: position, rank: rank, groups: make([]*warpgroup, per/4+1), cells: make([][]deed, granules), blocks: make([]int32, granules*granule/block+1)}
		for i := range per {
			w := &warp{cta: rank, index: i, id: len(c.warps), full: 1<<32 - 1, time: 1, quota: l.Registers}
			if rest := threads - 32*i; rest < 32 {
				w.full = 1<<rest - 1
			}
			t.warps = append(t.warps, w)
			c.warps = append(c.warps, w)
			c.full = append(c.full, w.full)
		}
		c.ctas = append(c.ctas, t)
	}
	for _, w := range c.warps {
		w.minds = []*mind{{lanes: w.full, knowledge: *newKnowledge(len(c.warps))}}
	}
	for _, t := range c.ctas {
		t.ended = newKnowledge(len(c.warps))
	}
	c.scratch = newKnowledge(len(c.warps))
	first := at[0]
	c.footprint, c.voice = &footprint{}, &voice{order: first[0] + l.Grid[0]*(first[1]+l.Grid[1]*first[2])}
	return c
}

// cluster is one cluster that is followed.
type cluster struct {
	launch  *launch
	ctas    []*cta
	warps   []*warp  // of all CTAs
	full    []uint32 // their lanes
	now     *event.Event
	scratch *knowledge

	ops      map[int]*op // that more is to be told of, by number
	outside  []*op       // copies whose box lies outside of the tensor
	bars     map[uint64]*mbarrier
	barCount int
	barrier  barrier // of the cluster
	flags    map[flagKey]*knowledge
	stores   []*op // bulk stores, for what they write to global memory
	remotes  map[remoteKey]*remote
	fenced   bool // some thread has executed a fence that is not a proxy fence

	footprint *footprint // in global memory
	voice     *voice

	reached []remoteKey // in the order in which they came

	list  []event.Finding
	found map[findingKey]int
}

// findingKey says which findings are one: the later ones are counted.
type findingKey struct {
	rule      string
	at, other site
}

// site is where an instruction comes from: a line of the source, of which there
// may be several instructions, or else its own line.
type site struct {
	opcode     string
	file, line int
	pos        ptx.Pos
	call       *ptx.Source // around it
}

func siteOf(in *ptx.Instr) site {
	switch {
	case in == nil:
		return site{}
	case in.Src.Line == 0 || in.Src.InlinedAt != nil:
		return site{pos: in.Pos, call: in.Src.InlinedAt}
	}
	return site{opcode: in.Op, file: in.Src.File, line: in.Src.Line}
}

// Take follows one event.
func (c *cluster) Take(e *event.Event) {
	c.now = e
	w := c.ctas[e.CTA].warps[e.Warp]
	switch e.Kind {
	case event.Access:
		c.access(e, w)
	case event.Start:
		c.start(e, w)
	case event.Commit:
		c.commit(e, w)
	case event.WaitGroup:
		c.waitGroup(e, w)
	case event.MbarrierInit:
		c.initBarrier(e, w)
	case event.MbarrierInval:
		c.invalidate(e)
	case event.MbarrierUpdate:
		c.update(e, w)
	case event.MbarrierTry:
		w.tries = tryAt{c.bars[barKey(e.Owner, e.At)], uint32(e.Phase), e.Lanes, e.Instr}
	case event.MbarrierWait:
		w.tries = tryAt{}
		c.wait(e, w)
	case event.BarrierArrive:
		c.arriveAt(e, w)
	case event.BarrierLeave:
		c.leave(e, w)
	case event.ClusterArrive:
		c.clusterArrive(e, w)
	case event.ClusterLeave:
		c.clusterLeave(e, w)
	case event.WarpSync:
		c.meet(w, e.Lanes)
	case event.WarpExchange:
		c.exchange(w, e.Lanes)
	case event.Fence:
		c.fence(e, w)
	case event.Registers:
		w.quota, w.asked = e.N, e.Instr
	case event.Exit:
		c.end(e, w)
	}
}

// Finish ends the cluster.
func (c *cluster) Finish(stuck bool) []event.Finding {
	c.checkRegisters()
	switch {
	case stuck:
		c.checkStuck()
	case c.ended(): // else it was given up, and says nothing
		c.checkOutside()
		c.checkEnds()
		if c.launch.clusters() > 1 {
			c.launch.compare(c.footprint)
		}
	}
	return c.withoutEchoes()
}

// ended reports whether all threads have come to their end.
func (c *cluster) ended() bool {
	for _, w := range c.warps {
		if w.gone != w.full {
			return false
		}
	}
	return true
}

// withoutEchoes leaves out that somebody may be lapped where another edge is
// missing: usually it is the same one.
func (c *cluster) withoutEchoes() []event.Finding {
	for _, f := range c.list {
		if f.Rule != Lapped && f.Severity != event.Latent {
			return slices.DeleteFunc(c.list, func(f event.Finding) bool { return f.Rule == Lapped })
		}
	}
	return c.list
}
