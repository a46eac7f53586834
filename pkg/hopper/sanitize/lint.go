package sanitize

import (
	"fmt"
	"maps"
	"slices"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// lint finds what is wrong with an entry whatever it is launched on.
func lint(l event.Launch) []event.Finding {
	x := &linter{launch: &launch{Launch: l}, found: map[findingKey]int{}}
	if f := flowOf(l.Entry); f != nil {
		x.products(f)
	}
	return x.list
}

// linter collects findings.
type linter struct {
	launch *launch
	list   []event.Finding
	found  map[findingKey]int
}

func (x *linter) find(rule string, at, other *ptx.Instr, message, advice string) {
	key := findingKey{rule, siteOf(at), siteOf(other)}
	if _, ok := x.found[key]; ok {
		return
	}
	x.found[key] = len(x.list)
	f := event.Finding{Rule: rule, Page: rule, Severity: severity(rule), At: x.launch.place(at), Message: message, Advice: advice, Count: 1}
	if other != nil {
		f.Other = []event.Place{x.launch.place(other)}
	}
	x.list = append(x.list, f)
}

// inFlight is what may be under way at a point of a function.
type inFlight struct {
	// groups is, by wgmma, how many groups have been closed since it was
	// issued, at the least: 0 while its own is open.
	groups map[*step]int
	dirty  map[int]*ptx.Instr // registers written since the last wgmma.fence, and by what
	bare   bool               // no wgmma.fence so far, on some way here
}

// mostGroups is where the count of groups stops: wait_group takes 0 to 7.
const mostGroups = 9

func (s *inFlight) clone() *inFlight {
	return &inFlight{maps.Clone(s.groups), maps.Clone(s.dirty), s.bare}
}

// join adds what may be under way on another way to the same point, and
// reports whether that was news.
func (s *inFlight) join(o *inFlight) (news bool) {
	for p, n := range o.groups {
		if old, ok := s.groups[p]; !ok || n < old {
			s.groups[p], news = n, true
		}
	}
	for r, by := range o.dirty {
		if old := s.dirty[r]; old == nil || by.Pos.Line < old.Pos.Line {
			s.dirty[r], news = by, true
		}
	}
	if o.bare && !s.bare {
		s.bare, news = true, true
	}
	return news
}

// products follows every way through a function.
func (x *linter) products(f *flow) {
	at := make([]*inFlight, len(f.pieces))
	at[0] = &inFlight{map[*step]int{}, map[int]*ptx.Instr{}, true}
	for todo := []int{0}; len(todo) > 0; {
		i := todo[0]
		todo = todo[1:]
		s := at[i].clone()
		for j := range f.pieces[i].steps {
			x.step(s, &f.pieces[i].steps[j])
		}
		for _, n := range f.pieces[i].next {
			if at[n] == nil {
				at[n] = s.clone()
				todo = append(todo, n)
			} else if at[n].join(s) {
				todo = append(todo, n)
			}
		}
	}
}

// step is what an instruction does to what is under way.
func (x *linter) step(s *inFlight, p *step) {
	in := p.in
	if in.Op == "wgmma" {
		switch in.Mods[0] {
		case "fence":
			s.bare = false
			clear(s.dirty)
		case "commit_group":
			for q, n := range s.groups {
				s.groups[q] = min(n+1, mostGroups)
			}
		case "wait_group":
			most := 0
			if n, ok := in.Args[0].(ptx.Int); ok {
				most = int(n.Value)
			}
			for q, n := range s.groups {
				if n > most {
					delete(s.groups, q)
				}
			}
		default:
			x.product(s, p)
		}
		return
	}
	for _, q := range s.holders(p.touches) {
		x.find(Accumulator, in, q.in,
			fmt.Sprintf("%s touches registers of a wgmma that may be under way", in.Name()),
			"move it behind the wgmma.wait_group that covers the product")
	}
	by := in
	if p.copies >= 0 {
		// A copy is no write: the ptxas of 12.9 and 13.0 put no fence behind one
		// (measured), and nvcc leaves some in code that is right.
		by = s.dirty[p.copies]
	}
	for _, r := range p.sets {
		switch {
		case by != nil:
			s.dirty[r] = by
		case in.Guard == nil:
			delete(s.dirty, r)
		}
	}
}

// product is a wgmma.
func (x *linter) product(s *inFlight, p *step) {
	var by *ptx.Instr // the first of the instructions to have written its registers
	for _, r := range p.touches {
		if in := s.dirty[r]; in != nil && (by == nil || in.Pos.Line < by.Pos.Line) {
			by = in
		}
	}
	switch {
	case s.bare:
		x.find(WgmmaFence, p.in, by, "no wgmma.fence stands before this wgmma", "add wgmma.fence.sync.aligned before the first wgmma")
	case by != nil:
		x.find(WgmmaFence, p.in, by, "registers of this wgmma were written since the last wgmma.fence", "add wgmma.fence.sync.aligned behind the instructions that write them")
	}
	s.groups[p] = 0
}

// holders is the products under way that name one of these registers, in the
// order of the text.
func (s *inFlight) holders(registers []int) (list []*step) {
	for q := range s.groups {
		if slices.ContainsFunc(registers, func(r int) bool { return slices.Contains(q.touches, r) }) {
			list = append(list, q)
		}
	}
	slices.SortFunc(list, func(a, b *step) int { return a.in.Pos.Line - b.in.Pos.Line })
	return list
}
