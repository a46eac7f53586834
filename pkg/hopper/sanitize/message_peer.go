package sanitize

import (
	"fmt"

	"gohopper/pkg/hopper/event"
)

// What is said about the life of a CTA.

func (c *cluster) notStarted(w *warp, m uint32, target int) {
	at := who{w, m, c.now.Instr, nil}
	c.find(PeerStart, at, who{}, func(f *event.Finding) {
		f.Message = fmt.Sprintf("%s touches the shared memory of CTA rank %d, which may not have started", c.short(at), target)
		start := c.launch.entry()
		start.CTA, start.Role = c.ctas[target].at, "its start"
		f.Other = []event.Place{start}
		f.Edge = fmt.Sprintf("barrier.cluster.arrive (release) in CTA rank %d, and barrier.cluster.wait before the access", target)
		x := w.mind(m)
		for _, p := range c.ctas[target].warps {
			if x.done.touches(p.id, 1) {
				f.Details = append(f.Details, "they did meet at the cluster's barrier, but in its relaxed form, which orders no access")
				break
			}
		}
		f.Advice = "let every thread of the cluster pass barrier.cluster.arrive and barrier.cluster.wait first (hopper: k.ClusterSync())"
	})
}

func (c *cluster) wrongForm(w *warp, m uint32, target int) {
	at := who{w, m, c.now.Instr, nil}
	c.find(PeerForm, at, who{}, func(f *event.Finding) {
		f.Message = fmt.Sprintf("%s reaches the shared memory of CTA rank %d with an instruction whose addresses are its own CTA's", c.short(at), target)
		f.Advice = "write .shared::cluster"
	})
}

func (c *cluster) outlives(r *remote, target int) {
	at := who{r.warp, r.lanes, r.instr, r.op}
	c.find(PeerExit, at, c.ctas[target].last, func(f *event.Finding) {
		own := r.warp.cta == target
		f.Message = fmt.Sprintf("%s reaches the shared memory of CTA rank %d, which may have ended by then", c.short(at), target)
		f.Edge = fmt.Sprintf("from here to the end of some thread of CTA rank %d", target)
		f.Advice = "end every CTA with barrier.cluster.arrive and barrier.cluster.wait (hopper: k.ClusterSync())"
		if own {
			f.Message = fmt.Sprintf("the CTA may end while %s still writes its shared memory", c.short(at))
			f.Edge = "a wait for the copy, in some thread of the CTA"
			f.Advice = "wait for the last phase of the copy's mbarrier before the CTA ends, or do not issue the copy"
		}
		if r.bar != nil {
			f.Details = append(f.Details, fmt.Sprintf("it is counted in phase %d of the %s", r.phaseNow(), c.bar(r.bar)))
		}
	})
}

// phaseNow is the phase in which the access is counted.
func (r *remote) phaseNow() uint32 {
	if r.op != nil && r.op.landed {
		return r.op.phase
	}
	return r.phase
}
