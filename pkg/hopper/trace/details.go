package trace

import (
	"fmt"
	"path"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// details is what a slice shows when it is chosen.
type details struct {
	Tensor      string  `json:"tensor,omitempty"`
	Box         []int32 `json:"first element of the box,omitempty"`
	Outside     bool    `json:"outside of the tensor,omitempty"`
	Bytes       int     `json:"bytes,omitempty"`
	Stage       *int    `json:"stage,omitempty"`
	Stages      []int   `json:"stages read,omitempty"`
	Shared      string  `json:"shared memory,omitempty"`
	Mbarrier    string  `json:"mbarrier,omitempty"`
	Phase       *uint64 `json:"phase,omitempty"`
	Parity      *uint64 `json:"parity,omitempty"`
	Arrivals    int     `json:"arrivals,omitempty"`
	Needs       int     `json:"arrivals needed,omitempty"`
	Expected    int     `json:"bytes expected,omitempty"`
	Arrived     int     `json:"bytes arrived,omitempty"`
	Tries       int     `json:"tries,omitempty"`
	EndedBy     string  `json:"ended by,omitempty"`
	Issuer      string  `json:"issued by,omitempty"`
	Group       *int    `json:"group,omitempty"`
	Wgmma       int     `json:"wgmma,omitempty"`
	SharedRead  int     `json:"reads of shared memory,omitempty"`
	SharedWrite int     `json:"writes of shared memory,omitempty"`
	GlobalRead  int     `json:"reads of global memory,omitempty"`
	GlobalWrite int     `json:"writes of global memory,omitempty"`
	Note        string  `json:"note,omitempty"`
	Source      string  `json:"source,omitempty"`
	Line        int     `json:"ptx line,omitempty"`
	Instruction string  `json:"ptx,omitempty"`
}

// at is details of what is at an instruction.
func (p *picture) at(in *ptx.Instr) details {
	return details{Source: source(p.c.launch.Module, in.Src), Line: in.Pos.Line, Instruction: in.Name()}
}

// source writes a position as "file:line".
func source(m *ptx.Module, s ptx.Source) string {
	if s.Line == 0 {
		return ""
	}
	for _, f := range m.Files {
		if f.Index == s.File {
			return fmt.Sprintf("%s:%d", path.Join(path.Base(path.Dir(f.Name)), path.Base(f.Name)), s.Line)
		}
	}
	return ""
}

// setBar adds an mbarrier and the number of its phase.
func (d *details) setBar(b place, number uint64) {
	d.Mbarrier = fmt.Sprintf("shared+%#x", b.at)
	parity := number % 2
	d.Phase, d.Parity = &number, &parity
}

// setStage adds a stage if there is one.
func (d *details) setStage(i int) {
	if i >= 0 {
		d.Stage = &i
	}
}

func (p *picture) waitDetails(x *wait) details {
	d := p.at(x.instr)
	if x.kind == event.MbarrierWait {
		d.setBar(x.bar, x.phase)
		d.setStage(p.ring.stageOf(x.bar.at))
		d.Tries = x.tries
	}
	d.EndedBy = p.ender(x)
	switch {
	case x.endless && p.c.stuck:
		d.Note = "the kernel did not go on"
	case x.endless:
		d.Note = "the record ends before it is over"
	}
	return d
}

// ender says what ended a wait.
func (p *picture) ender(x *wait) string {
	var in *ptx.Instr
	who := ""
	switch {
	case x.released.op != nil:
		who, in = operationName(x.released.op), x.released.op.instr
	case x.released.step != nil:
		who, in = p.warpName(x.warp.cta, x.released.step.warp), x.released.step.instr
	case x.freed != nil:
		return p.groupName(x.freed)
	case x.stored != nil:
		who, in = operationName(x.stored), x.stored.instr
	default:
		return ""
	}
	if at := source(p.c.launch.Module, in.Src); at != "" {
		return who + " at " + at
	}
	return fmt.Sprintf("%s at ptx line %d", who, in.Pos.Line)
}

// warpName names a warp as one of a CTA sees it.
func (p *picture) warpName(from int, w *warp) string {
	if w.cta != from {
		return fmt.Sprintf("%s of rank %d", p.role(w), w.cta)
	}
	return p.role(w)
}

func (p *picture) stepDetails(s *step) details {
	d := p.at(s.instr)
	switch s.kind {
	case event.MbarrierInit:
		d.setBar(s.bar, 0)
		d.Needs = s.n
	case event.MbarrierUpdate:
		d.setBar(s.bar, s.phase)
		d.Arrivals, d.Expected = s.n, s.tx
		if s.done {
			d.Note = "completes the phase"
		}
	case event.MbarrierWait:
		d.setBar(s.bar, s.phase-1)
	case event.Start:
		if s.unit == event.TensorCore {
			d.Group = &s.group
		}
		for _, o := range s.ops {
			d.Bytes += o.bytes
		}
	}
	return d
}

func (p *picture) operationDetails(o *operation) details {
	d := p.at(o.instr)
	d.Tensor, d.Box, d.Outside, d.Bytes = o.tensor, o.corner, o.outside, o.bytes
	d.Issuer = p.warpName(o.lo.cta, o.warp)
	if o.hi.at > o.lo.at {
		d.Shared = fmt.Sprintf("%#x to %#x", o.lo.at, o.hi.at-1)
	}
	if o.unit == event.BulkLoad {
		d.Mbarrier = p.seen(o.lo.cta, o.bar)
		d.setStage(p.ring.stageOf(o.bar.at))
	}
	if !o.ended {
		d.Note = "not complete when the record ends"
	}
	return d
}

func (p *picture) groupDetails(g *group) details {
	d := p.at(g.ops[0].instr)
	d.Group, d.Wgmma = &g.number, len(g.ops)
	if stages := p.stagesOf(g); len(stages) == 1 {
		d.setStage(stages[0])
	} else {
		d.Stages = stages
	}
	if g.done < len(g.ops) {
		d.Note = "not complete when the record ends"
	}
	return d
}

func (p *picture) phaseDetails(b *mbarrier, x phase, complete bool) details {
	var d details
	d.setBar(b.place, x.number)
	d.Arrivals, d.Needs, d.Expected, d.Arrived = x.arrivals, b.needs, x.expected, x.arrived
	d.setStage(p.ring.stageOf(b.at))
	switch {
	case x.by.op != nil:
		d.EndedBy = operationName(x.by.op)
	case x.by.step != nil:
		d.EndedBy = p.warpName(b.cta, x.by.step.warp)
	case !complete && x.expected > x.arrived:
		d.Note = fmt.Sprintf("not complete when the record ends: %d bytes are missing", x.expected-x.arrived)
	case !complete:
		d.Note = "not complete when the record ends"
	}
	return d
}

// details is the counts of a stretch.
func (t tally) details() details {
	return details{
		Wgmma: t.products, Arrivals: t.arrivals,
		SharedRead: t.sharedReads, SharedWrite: t.sharedWrites, GlobalRead: t.globalReads, GlobalWrite: t.globalWrites,
	}
}

// about says what the whole is.
func (p *picture) about() about {
	l := p.c.launch
	a := about{
		Format: format,
		Time:   "1 us stands for one tick of the emulator, an instruction of some warp of the cluster: order and overlap are modelled, seconds are not",
		Kernel: l.Entry.Name, Grid: l.Grid, Block: l.Block, Cluster: l.Cluster, Stages: p.ring.stages,
	}
	clusters := 1
	for d := range l.Grid {
		clusters *= l.Grid[d] / l.Cluster[d]
	}
	a.Traced = fmt.Sprintf("cluster 1 of %d, which has %d of the CTAs", clusters, len(p.c.ctas))
	if p.c.cut {
		a.Cut = fmt.Sprintf("the record ends at tick %d, where it reached its limit of %d entries; the kernel went on", p.c.last, p.c.limit)
	}
	if p.c.stuck {
		a.Stuck = "the kernel did not come to its end: the waits that are never over say where"
	}
	return a
}
