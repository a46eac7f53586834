package emu

import (
	"fmt"
	"slices"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// callIndirect compiles a call through a register: a comparison with the
// address of each function it may reach, and that function inlined.
func (c *compiler) callIndirect(in *ptx.Instr, x callOperands, end *int32) {
	target := c.src64(x.callee)
	for _, fn := range c.candidates(x) {
		next := new(int32)
		c.emit(inst{run: jumpUnless(target, c.mod.codeAddress(fn), next), src: in, guard: -1})
		c.inline(in, fn, x)
		c.emit(inst{run: jumpTo(end), src: in, guard: -1})
		*next = int32(len(c.prog.code))
	}
	c.emit(inst{run: noFunction(target), src: in, guard: -1})
}

// jumpUnless jumps where a row does not hold a value.
func jumpUnless(row int, v uint64, to *int32) op {
	return func(w *warp, m mask) *wait {
		for lane := range lanes {
			if w.d[row][lane] == v {
				m &^= 1 << lane
			}
		}
		if m != 0 {
			w.jump(m, *to)
		}
		return nil
	}
}

// noFunction ends the lanes whose call leads nowhere.
func noFunction(target int) op {
	return func(w *warp, m mask) *wait {
		w.report(m, event.Finding{
			Rule: "call", Severity: event.Error,
			Message: fmt.Sprintf("calls %#x, which is the address of no function that this call can reach", w.d[target][m.first()]),
			Details: []string{"the emulator follows no call from a function into itself"},
		})
		w.exit(m)
		return nil
	}
}

// candidates lists the functions that an indirect call may reach: those of its
// .calltargets, or all whose address is taken, if they take the operands that
// it passes.
func (c *compiler) candidates(x callOperands) (list []*ptx.Func) {
	all := c.mod.addressTaken()
	if t := c.scope.target(x.list); t != nil && t.Kind == "calltargets" {
		all = nil
		for _, name := range t.Names {
			if fn := c.mod.function(name); fn != nil {
				all = append(all, fn)
			}
		}
	}
	for _, fn := range all {
		if c.takes(fn.Params, x.arguments) && c.takes(fn.Returns, x.results) && !slices.Contains(c.calls, fn) {
			list = append(list, fn)
		}
	}
	return list
}

// takes reports whether operands fit formal parameters.
func (c *compiler) takes(formal []*ptx.Var, actual []ptx.Operand) bool {
	if len(formal) != len(actual) {
		return false
	}
	for i, v := range formal {
		_, isVariable := actual[i].(ptx.Sym)
		if isVariable != (v.Space == ptx.Param) || !isVariable && c.width(actual[i]) != typeBits(v.Type) {
			return false
		}
	}
	return true
}
