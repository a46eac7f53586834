package sanitize

import (
	"fmt"
	"strings"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// who is an actor at an instruction.
type who struct {
	warp  *warp
	lanes uint32
	instr *ptx.Instr
	op    *op // nil: the threads themselves
}

func (a *act) who() who {
	return who{a.warp, a.deed.lanes, a.instr, a.op}
}

func (c *cluster) who(e *deed) who {
	return who{c.warps[e.warp], e.lanes, e.instr, e.op}
}

func (o *op) who() who { return who{o.warp, o.lanes, o.instr, o} }

// place is an actor as a finding shows it.
func (c *cluster) place(w who) event.Place {
	p := c.launch.place(w.instr)
	p.CTA, p.Warp, p.Lanes, p.Role = c.ctas[w.warp.cta].at, w.warp.index, w.lanes, c.role(w)
	if w.op != nil {
		p.Warp = -1
	}
	return p
}

// place is an instruction, executed by anybody.
func (l *launch) place(in *ptx.Instr) event.Place {
	p := event.Place{Warp: -1, Pos: in.Pos, Text: brief(in)}
	for at := &in.Src; at != nil && at.Line != 0; at = at.InlinedAt {
		line := l.source(at)
		if p.Source == "" {
			p.Source = line
		} else {
			p.Calls = append(p.Calls, line)
		}
	}
	return p
}

// entry is where the kernel begins, with the line of its first instruction that
// has one.
func (l *launch) entry() event.Place {
	p := event.Place{Warp: -1}
	for _, s := range l.Entry.Body.Stmts {
		if in, ok := s.(*ptx.Instr); ok && in.Src.Line != 0 {
			p = l.place(in)
			break
		}
	}
	p.Pos, p.Text = l.Entry.Pos, ".entry "+l.Entry.Name
	return p
}

// source is a position as "file:line".
func (l *launch) source(at *ptx.Source) string {
	for _, f := range l.Module.Files {
		if f.Index == at.File {
			return fmt.Sprintf("%s:%d", f.Name, at.Line)
		}
	}
	return ""
}

// brief is an instruction with its long lists of registers cut short.
func brief(in *ptx.Instr) string {
	short := *in
	short.Args = append([]ptx.Operand(nil), in.Args...)
	for i, o := range short.Args {
		if v, ok := o.(ptx.Vec); ok && len(v.Elems) > 4 {
			short.Args[i] = ptx.Vec{Elems: []ptx.Operand{v.Elems[0], ptx.Sym{Name: "…"}, v.Elems[len(v.Elems)-1]}}
		}
	}
	return short.String()
}

// role names an actor: a warp, with its warpgroup if that multiplies, or the
// unit that works for it.
func (c *cluster) role(w who) string {
	warp := fmt.Sprintf("warp %d", w.warp.index)
	group := c.groupName(w.warp)
	if group != "" {
		warp = group + ", " + warp
	}
	if w.op == nil {
		if w.lanes != w.warp.full {
			warp += ", " + lanesName(w.lanes)
		}
		return warp
	}
	switch w.op.unit {
	case event.TensorCore:
		return fmt.Sprintf("tensor cores, for warpgroup %d", w.warp.index/4)
	case event.CopyAsync:
		return "cp.async of " + warp
	}
	return "TMA engine, for " + warp
}

// groupName is "warpgroup 1" for a warp of a warpgroup that multiplies.
func (c *cluster) groupName(w *warp) string {
	if t := c.ctas[w.cta]; t.groups[w.index/4] != nil {
		return fmt.Sprintf("warpgroup %d", w.index/4)
	}
	return ""
}

// short is an actor in a sentence.
func (c *cluster) short(w who) string {
	s := ""
	switch {
	case w.op != nil && w.op.unit == event.TensorCore:
		s = fmt.Sprintf("wgmma of warpgroup %d", w.warp.index/4)
	case w.op != nil && w.op.unit == event.BulkStore:
		s = "a TMA store"
		if !w.op.tensor {
			s = "a bulk store"
		}
	case w.op != nil && w.op.unit == event.BulkLoad:
		s = "a TMA load"
		if !w.op.tensor {
			s = "a bulk copy"
		}
	case w.op != nil && w.op.unit == event.CopyAsync:
		s = fmt.Sprintf("cp.async of warp %d", w.warp.index)
	case w.op != nil:
		s = w.instr.Op + "." + w.instr.Mods[0]
	default:
		s = fmt.Sprintf("warp %d", w.warp.index)
		if g := c.groupName(w.warp); g != "" {
			s = fmt.Sprintf("warp %d (%s)", w.warp.index, g)
		}
	}
	if len(c.ctas) > 1 {
		s += fmt.Sprintf(" of CTA rank %d", w.warp.cta)
	}
	return s
}

// line says where an instruction is, inside a sentence.
func (c *cluster) line(in *ptx.Instr) string {
	p := c.launch.place(in)
	if p.Source != "" {
		return fmt.Sprintf("%s at %s (ptx line %d)", in.Name(), p.Source, in.Pos.Line)
	}
	return fmt.Sprintf("%s at ptx line %d", in.Name(), in.Pos.Line)
}

// bar names an mbarrier: where it is, and if it is one of a row, which stage.
func (c *cluster) bar(b *mbarrier) string {
	t := c.ctas[b.owner]
	stage, stages := 0, 1
	for step := uint32(8); ; step += 8 {
		if !t.hasAlike(b, b.at-step) {
			break
		}
		stage++
	}
	for step := uint32(8); ; step += 8 {
		if !t.hasAlike(b, b.at+step) {
			break
		}
		stages++
	}
	s := fmt.Sprintf("mbarrier shared+%#x", b.at)
	if stages += stage; stages > 1 {
		s = fmt.Sprintf("mbarrier of stage %d of %d (shared+%#x)", stage, stages, b.at)
	}
	if len(c.ctas) > 1 {
		s += fmt.Sprintf(" in CTA rank %d", b.owner)
	}
	return s
}

// signals says which phase a copy ends with, in which stage.
func (c *cluster) signals(what string, o *op) []string {
	if o.bar == nil {
		return nil
	}
	phase := o.bar.phase
	if o.landed {
		phase = o.phase
	}
	return []string{fmt.Sprintf("%s signals phase %d of the %s", what, phase, c.bar(o.bar))}
}

// phaseBefore names the latest of so many complete phases.
func phaseBefore(complete uint32) string {
	if complete == 0 {
		return "the phase before the first"
	}
	return fmt.Sprintf("phase %d", complete-1)
}

// hasAlike reports whether there is an mbarrier like b at an offset.
func (t *cta) hasAlike(b *mbarrier, at uint32) bool {
	for _, o := range t.bars {
		if o.at == at {
			return o.count == b.count && o.bytes == b.bytes
		}
	}
	return false
}

// lanesName is lanes in words.
func lanesName(m uint32) string {
	var parts []string
	for l := 0; l < 32; l++ {
		if m>>l&1 == 0 {
			continue
		}
		end := l
		for end+1 < 32 && m>>(end+1)&1 != 0 {
			end++
		}
		if end > l {
			parts = append(parts, fmt.Sprintf("%d-%d", l, end))
		} else {
			parts = append(parts, fmt.Sprint(l))
		}
		l = end
	}
	if len(parts) == 1 && m&(m-1) == 0 {
		return "lane " + parts[0]
	}
	return "lanes " + strings.Join(parts, ", ")
}
