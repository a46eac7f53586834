package trace

// Within a tick's microsecond an instruction issues before its operation
// begins, and a completion comes before the instruction that sees it, so that
// every arrow stands inside the slices at its ends and leads forward.
const (
	issues    = -0.75
	begins    = -0.5
	receives  = -0.25
	completes = -0.25
)

// connect draws the arrows: from instructions to the operations they start,
// and from completions to the waits that they end.
func (p *picture) connect() {
	for _, o := range p.c.operations {
		p.started(o, p.ops[o])
	}
	for _, g := range p.c.groups {
		p.started(g.ops[0], p.groups[g])
	}
	for _, w := range p.c.warps {
		for _, x := range w.waits {
			if from, at := p.ending(x); from != nil && !x.endless {
				p.flows = append(p.flows, flow{"ends the wait", from, p.waits[x], p.c.clock.page(at) + completes, p.c.clock.page(x.to) + receives})
			}
		}
	}
}

func (p *picture) started(o *operation, to *slice) {
	if from := p.steps[o.step]; from != nil && to != nil {
		p.flows = append(p.flows, flow{"starts", from, to, p.c.clock.page(o.from) + issues, p.c.clock.page(o.from) + receives})
	}
}

// ending is the slice whose end, at a tick, ended a wait; nil if none did while
// the warp waited.
func (p *picture) ending(x *wait) (from *slice, at int64) {
	switch {
	case x.released.op != nil:
		from, at = p.ops[x.released.op], x.released.op.to
	case x.released.step != nil:
		from, at = p.steps[x.released.step], x.released.step.to
	case x.freed != nil:
		from, at = p.groups[x.freed], x.freed.to
	case x.stored != nil:
		from, at = p.ops[x.stored], x.stored.over(x.reads)
	}
	if at <= x.from || at >= x.to {
		return nil, 0
	}
	return from, at
}
