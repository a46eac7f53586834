package emu

import (
	"fmt"
	"strings"

	"gohopper/pkg/hopper/ptx"
)

// site is a call that the compiler inlined, and the call around it.
type site struct {
	call  *ptx.Instr
	outer *site
}

// told is an instruction for a sink, which knows of no calls but those in an
// instruction's source. Inlined code is told of once for each call.
func (c *compiler) told(in *ptx.Instr) *ptx.Instr {
	if c.from == nil {
		return in
	}
	if n := len(c.prog.code); n > 0 { // an instruction may be compiled to several
		if last := &c.prog.code[n-1]; last.src == in && last.from == c.from {
			return last.told
		}
	}
	t := *in
	t.Src = within(in.Src, c.from)
	return &t
}

// within is a source position with the calls around it.
func within(s ptx.Source, from *site) ptx.Source {
	if s.InlinedAt != nil {
		at := within(*s.InlinedAt, from)
		s.InlinedAt = &at
	} else if from != nil {
		at := within(from.call.Src, from.outer)
		s.InlinedAt = &at
	}
	return s
}

// positions writes where an instruction comes from, as "file:line": its own
// line, the calls that the CUDA compiler inlined around it, and those that the
// emulator did, from the innermost on. Unknown ones are left out.
func (mod *module) positions(s ptx.Source, from *site) (list []string) {
	for {
		for at := &s; at != nil; at = at.InlinedAt {
			if at.Line != 0 {
				list = append(list, fmt.Sprintf("%s:%d", mod.files[at.File], at.Line))
			}
		}
		if from == nil {
			return list
		}
		s, from = from.call.Src, from.outer
	}
}

// position is positions as one text, "" if none is known.
func (mod *module) position(s ptx.Source, from *site) string {
	return strings.Join(mod.positions(s, from), ", called at ")
}

// errorAt is an error of the input at a place in it.
func (mod *module) errorAt(pos ptx.Pos, src ptx.Source, from *site, msg string) error {
	if s := mod.position(src, from); s != "" {
		return fmt.Errorf("ptx:%v (%s): %s", pos, s, msg)
	}
	return fmt.Errorf("ptx:%v: %s", pos, msg)
}
