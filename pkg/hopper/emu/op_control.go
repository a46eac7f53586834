package emu

import (
	"fmt"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// controlForms are branches and ends (PTX 9.7.12). Calls are inlined by the
// compiler.
var controlForms = map[string][]form{
	"bra":   {{"?uni", compileBranch}},
	"brx":   {{"idx ?uni", compileIndexedBranch}},
	"ret":   {{"?uni", compileReturn}},
	"exit":  {{"", func(*compiler, *ptx.Instr) op { return exit }}},
	"trap":  {{"", func(*compiler, *ptx.Instr) op { return trap }}},
	"brkpt": {{"", func(*compiler, *ptx.Instr) op { return nop }}},
}

// compileBranch compiles "bra label". The guard chooses the lanes.
func compileBranch(c *compiler, in *ptx.Instr) op {
	args := c.args(1, 1)
	return jumpTo(c.label(args[0]))
}

// label finds a branch target; its index is known once all code is compiled.
func (c *compiler) label(o ptx.Operand) *int32 {
	s, ok := o.(ptx.Sym)
	if !ok {
		c.failf("%s needs a label", c.in.Name())
		return new(int32)
	}
	at := c.scope.label(s.Name)
	if at == nil {
		c.failf("there is no label %s here", s.Name)
		return new(int32)
	}
	return at
}

func jumpTo(to *int32) op {
	return func(w *warp, m mask) *wait {
		w.jump(m, *to)
		return nil
	}
}

// compileIndexedBranch compiles "brx.idx index, targets".
func compileIndexedBranch(c *compiler, in *ptx.Instr) op {
	args := c.args(2, 2)
	if !in.Has("idx") {
		return c.unsupported()
	}
	index := c.src32(args[0])
	name, ok := args[1].(ptx.Sym)
	if !ok {
		return c.failf("brx.idx needs the name of a .branchtargets list")
	}
	list := c.scope.target(name.Name)
	if list == nil || list.Kind != "branchtargets" {
		return c.failf("%s is not a .branchtargets list", name.Name)
	}
	var to []*int32
	for _, n := range list.Names {
		to = append(to, c.label(ptx.Sym{Name: n}))
	}
	return func(w *warp, m mask) *wait {
		for i := range to {
			var taken mask
			for lane := range lanes {
				if m>>lane&1 != 0 && w.r[index][lane] == uint32(i) {
					taken |= 1 << lane
				}
			}
			if taken != 0 {
				w.jump(taken, *to[i])
				m &^= taken
			}
		}
		if m != 0 {
			w.report(m, event.Finding{
				Rule: "control", Severity: event.Error,
				Message: fmt.Sprintf("the index %d is beyond the %d targets", w.r[index][m.first()], len(to)),
			})
			w.exit(m)
		}
		return nil
	}
}

// compileReturn ends the threads of an entry; in an inlined function it leaves
// the function.
func compileReturn(c *compiler, in *ptx.Instr) op {
	if c.ret != nil {
		return jumpTo(c.ret)
	}
	return exit
}

func exit(w *warp, m mask) *wait {
	w.exit(m)
	return nil
}

// trap ends the cluster's run, as it ends the grid on a GPU.
func trap(w *warp, m mask) *wait {
	w.report(m, event.Finding{Rule: "trap", Severity: event.Error, Message: "the kernel executed trap"})
	w.cta.cluster.faults = mostFaults
	w.changed = true
	return nil
}
