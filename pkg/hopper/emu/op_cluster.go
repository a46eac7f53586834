package emu

import (
	"fmt"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// clusterForms deal with the CTAs of a cluster (PTX 9.7.9.23, .24);
// barrier.cluster is compiled under "barrier".
var clusterForms = map[string][]form{
	"mapa":       {{"shared::cluster u32|u64", compileMapa}, {"u64", compileMapa}},
	"getctarank": {{"shared::cluster u32|u64", compileGetctarank}, {"u64", compileGetctarank}},
}

// compileMapa compiles "mapa{.shared::cluster} d, a, rank": the address that
// means, in another CTA, what a means in this one.
func compileMapa(c *compiler, in *ptx.Instr) op {
	args := c.args(3, 3)
	rank := c.src32(args[2])
	inShared := c.space() == spaceShared
	var from address
	if a, ok := args[1].(ptx.Addr); ok {
		from = c.address(a)
	} else {
		from = c.pointer(args[1], 0)
	}
	wide := in.Has("u64")
	var d int
	if wide {
		d = c.dst64(args[0])
	} else {
		d = c.dst32(args[0])
	}
	if !wide && !inShared {
		return c.unsupported()
	}
	return func(w *warp, m mask) *wait {
		n := uint32(len(w.cta.cluster.ctas))
		for lane := range lanes {
			if m>>lane&1 == 0 {
				continue
			}
			a, to := from.at(w, lane), w.r[rank][lane]
			if to >= n {
				w.report(1<<lane, event.Finding{
					Rule: "cluster", Severity: event.Error,
					Message: fmt.Sprintf("mapa for rank %d in a cluster of %d CTAs", to, n),
				})
			}
			mapped := uint64(uint32(a)&offsetMask | (to+1)<<rankShift)
			if !inShared {
				mapped += sharedWindow
			}
			if wide {
				w.d[d][lane] = mapped
			} else {
				w.r[d][lane] = uint32(mapped)
			}
		}
		return nil
	}
}

// compileGetctarank compiles "getctarank{.shared::cluster} d, a".
func compileGetctarank(c *compiler, in *ptx.Instr) op {
	args := c.args(2, 2)
	d := c.dst32(args[0])
	var from address
	if a, ok := args[1].(ptx.Addr); ok {
		from = c.address(a)
	} else {
		from = c.pointer(args[1], 0)
	}
	return func(w *warp, m mask) *wait {
		for lane := range lanes {
			if m>>lane&1 == 0 {
				continue
			}
			rank := w.cta.rank
			if r := int(uint32(from.at(w, lane))>>rankShift) - 1; r >= 0 {
				rank = r
			}
			w.r[d][lane] = uint32(rank)
		}
		return nil
	}
}

// compileClusterBarrier compiles barrier.cluster.arrive and .wait (PTX
// 9.7.13.4). All threads of the cluster that have not exited take part.
func compileClusterBarrier(c *compiler, in *ptx.Instr) op {
	c.args(0, 0)
	switch {
	case in.Has("arrive"):
		return clusterArrive
	case in.Has("wait"):
		return clusterWait
	}
	return c.unsupported()
}

func clusterArrive(w *warp, m mask) *wait {
	if twice := m & w.atCluster; twice != 0 {
		w.report(twice, event.Finding{
			Rule: "barrier", Severity: event.Error,
			Message: "barrier.cluster.arrive again without barrier.cluster.wait after the last one",
		})
	}
	c := w.cta.cluster
	w.atCluster |= m
	w.inCluster |= m
	for lane := range lanes {
		if m>>lane&1 != 0 {
			w.clusterPhase[lane] = c.phase
		}
	}
	w.tell(m, event.Event{Kind: event.ClusterArrive, Phase: c.phase})
	c.progress++
	c.settleBarrier()
	return nil
}

func clusterWait(w *warp, m mask) *wait {
	c := w.cta.cluster
	if never := m &^ w.atCluster; never != 0 {
		w.report(never, event.Finding{
			Rule: "barrier", Severity: event.Error,
			Message: "barrier.cluster.wait without barrier.cluster.arrive before it",
		})
		m &^= never
	}
	over := func() bool {
		for lane := range lanes {
			if m>>lane&1 != 0 && w.clusterPhase[lane] == c.phase {
				return false
			}
		}
		return true
	}
	if !over() {
		return &wait{remote: remoteCluster, ready: over, explain: c.explainBarrier}
	}
	w.atCluster &^= m
	if m != 0 {
		w.tell(m, event.Event{Kind: event.ClusterLeave, Phase: w.clusterPhase[m.first()]})
	}
	return nil
}

// settleBarrier completes the cluster barrier's phase when every live thread
// has arrived.
func (c *cluster) settleBarrier() {
	for _, w := range c.warps {
		if w.live&^w.inCluster != 0 {
			return
		}
	}
	for _, w := range c.warps {
		w.inCluster = 0
	}
	c.phase++
}

// explainBarrier says who is missing at the cluster barrier.
func (c *cluster) explainBarrier() (string, []string) {
	var facts []string
	for _, t := range c.ctas {
		n := 0
		for _, w := range t.warps {
			n += (w.live &^ w.inCluster).count()
		}
		if n > 0 {
			facts = append(facts, fmt.Sprintf("cluster barrier: %d of %d live threads of CTA rank %d have not arrived", n, t.live(), t.rank))
		}
	}
	return "waits at the barrier of its cluster", facts
}
