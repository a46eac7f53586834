package trace

import (
	"fmt"
	"slices"
	"strings"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

var unitNames = [...]string{
	event.BulkLoad: "TMA load", event.BulkStore: "TMA store", event.CopyAsync: "cp.async",
	event.CopyArrive: "cp.async arrival", event.StoreAsync: "asynchronous store", event.TensorCore: "wgmma",
}

// role names a warp by what it starts.
func (p *picture) role(w *warp) string {
	if p.multiplies(w) {
		first := p.c.warps[w.cta*p.c.perCTA()+w.index/4*4:][:4]
		who := fmt.Sprintf("warpgroup %d, warp %d", w.index/4, w.index)
		switch {
		case w.loads > 0:
			return who + " (loads too)"
		case slices.ContainsFunc(first, func(o *warp) bool { return o.loads > 0 }):
			return who
		}
		return "consumer " + who
	}
	switch {
	case w.loads > 0:
		return fmt.Sprintf("producer warp %d", w.index)
	case w.stores > 0:
		return fmt.Sprintf("storing warp %d", w.index)
	}
	return fmt.Sprintf("warp %d", w.index)
}

// barName names an mbarrier by what it is for, if that can be told: full where
// loads signal it, empty where a warp waits for it before it loads.
func (p *picture) barName(b place) string {
	for _, kind := range []struct {
		name string
		all  []uint32
	}{{"full", p.ring.full}, {"empty", p.ring.empty}} {
		if !slices.Contains(kind.all, b.at) {
			continue
		}
		if i := p.ring.stageOf(b.at); i >= 0 {
			return fmt.Sprintf("%s[%d]", kind.name, i)
		}
		if len(kind.all) == 1 {
			return kind.name
		}
		return fmt.Sprintf("%s, shared+%#x", kind.name, b.at)
	}
	return fmt.Sprintf("mbarrier shared+%#x", b.at)
}

// seen is barName from a CTA, which says whose it is if that is another.
func (p *picture) seen(from int, b place) string {
	if b.cta != from {
		return fmt.Sprintf("%s of rank %d", p.barName(b), b.cta)
	}
	return p.barName(b)
}

// slotName names the row of a place in shared memory.
func (p *picture) slotName(kind string, ops []*operation) string {
	name := kind + " " + ops[0].tensor
	if slices.ContainsFunc(ops, func(o *operation) bool { return o.tensor != ops[0].tensor }) || ops[0].tensor == "" {
		name = kind
	}
	if i := p.ring.reads(ops[0].lo.at); i >= 0 {
		return fmt.Sprintf("%s, stage %d", name, i)
	}
	return fmt.Sprintf("%s, shared+%#x", name, ops[0].lo.at)
}

func operationName(o *operation) string {
	verb := map[event.Unit]string{event.BulkLoad: "load", event.BulkStore: "store"}[o.unit]
	if verb == "" {
		return unitNames[o.unit]
	}
	if o.corner == nil {
		return verb
	}
	var at []string
	for _, x := range o.corner {
		at = append(at, fmt.Sprint(x))
	}
	return strings.TrimSpace(verb+" "+o.tensor) + " (" + strings.Join(at, ", ") + ")"
}

func (p *picture) groupName(g *group) string {
	if stages := p.stagesOf(g); len(stages) == 1 {
		return fmt.Sprintf("group %d, stage %d", g.number, stages[0])
	}
	return fmt.Sprintf("group %d", g.number)
}

// stagesOf is the stages that a group's operands lie in, if all do.
func (p *picture) stagesOf(g *group) []int {
	var list []int
	for at := range g.reads {
		i := p.ring.reads(at.at)
		if i < 0 {
			return nil
		}
		list = append(list, i)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// phaseName says even or odd in words, since viewers give slices that differ
// in a number alone the same colour.
func phaseName(x phase) string {
	if x.number%2 == 0 {
		return fmt.Sprintf("phase %d, even", x.number)
	}
	return fmt.Sprintf("phase %d, odd", x.number)
}

func fillName(x phase) string {
	if x.expected > 0 || x.arrived > 0 {
		return "bytes in flight"
	}
	return "arriving"
}

// waitName says what is waited for.
func (p *picture) waitName(x *wait) string {
	name := blockName(x.instr)
	switch x.kind {
	case event.MbarrierWait:
		name = "wait " + p.seen(x.warp.cta, x.bar)
	case event.WaitGroup:
		name = groupWait(x.unit, x.n, x.reads)
	case event.BarrierLeave:
		name = fmt.Sprintf("wait at barrier %d", x.n)
	case event.ClusterLeave:
		name = "wait at the cluster barrier"
	case event.Registers:
		name = "wait for registers"
	}
	if x.endless && p.c.stuck {
		name += ", never over"
	}
	return name
}

// blockName names a wait whose end was not told by its instruction.
func blockName(in *ptx.Instr) string {
	switch {
	case in.Op == "barrier" && in.Has("cluster"):
		return "wait at the cluster barrier"
	case in.Op == "bar" || in.Op == "barrier":
		return "wait at a barrier"
	case in.Op == "wgmma":
		return "wait " + unitNames[event.TensorCore]
	case in.Op == "cp" && in.Has("bulk"):
		return "wait TMA stores"
	case in.Op == "setmaxnreg":
		return "wait for registers"
	}
	return "wait at " + in.Name()
}

// groupWait names a wait for groups.
func groupWait(u event.Unit, n int, reads bool) string {
	name := unitNames[u]
	if u == event.BulkStore {
		name = "TMA stores"
		if reads {
			name = "reads of TMA stores"
		}
	}
	switch n {
	case -1, 0:
		return "wait " + name
	case 1:
		return fmt.Sprintf("wait %s, all but 1 group", name)
	}
	return fmt.Sprintf("wait %s, all but %d groups", name, n)
}

// stepName says what an instruction does.
func (p *picture) stepName(s *step) string {
	bar := p.seen(s.warp.cta, s.bar)
	switch s.kind {
	case event.Start:
		return startName(s)
	case event.Commit:
		if s.unit == event.TensorCore {
			return fmt.Sprintf("commit group %d", s.group)
		}
		return "commit " + unitNames[s.unit] + "s"
	case event.MbarrierInit:
		return "init " + bar
	case event.MbarrierUpdate:
		switch {
		case s.tx > 0 && s.n > 0:
			return "arrive and expect bytes, " + bar
		case s.tx > 0:
			return "expect bytes, " + bar
		}
		return "arrive " + bar
	case event.MbarrierWait:
		return bar + " was complete"
	case event.WaitGroup:
		return groupWait(s.unit, s.n, s.reads) + ": none"
	case event.BarrierArrive:
		return fmt.Sprintf("arrive at barrier %d", s.n)
	case event.BarrierLeave:
		return fmt.Sprintf("last at barrier %d", s.n)
	case event.ClusterArrive:
		return "arrive at the cluster barrier"
	case event.ClusterLeave:
		return "cluster barrier was complete"
	case event.Registers:
		return fmt.Sprintf("set %d registers", s.n)
	}
	return s.instr.Name()
}

func startName(s *step) string {
	switch s.unit {
	case event.TensorCore:
		return fmt.Sprintf("issue %d wgmma", s.n)
	case event.BulkLoad, event.BulkStore:
		name := operationName(s.ops[0])
		if len(s.ops) > 1 && s.ops[0].lo.cta != s.ops[1].lo.cta {
			name += ", multicast"
		}
		return name
	}
	return unitNames[s.unit]
}

// name says what a stretch of work is about.
func (t tally) name() string {
	var parts []string
	for _, part := range []struct {
		n    int
		name string
	}{
		{t.inits, "init mbarriers"}, {t.loads, "issue loads"}, {t.products, "issue wgmma"}, {t.copies, "issue copies"},
		{t.globalReads, "read global memory"}, {t.sharedReads, "read shared memory"}, {t.sharedWrites, "write shared memory"},
		{t.stores, "issue stores"}, {t.globalWrites, "write global memory"},
	} {
		if part.n > 0 {
			parts = append(parts, part.name)
		}
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, ", ")
	case t.arrivals > 0:
		return "arrive"
	}
	return "work"
}
