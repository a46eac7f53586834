package emu

import (
	"slices"

	"gohopper/pkg/hopper/ptx"
)

// callOperands are the operands of "call (results), callee, (arguments),
// list"; list is the label of a .calltargets or .callprototype, of an indirect
// call only.
type callOperands struct {
	results, arguments []ptx.Operand
	callee             ptx.Operand
	list               string
}

// call inlines the function that an instruction calls, or all that an indirect
// call may reach.
func (c *compiler) call(in *ptx.Instr) {
	c.in, c.before, c.after = in, nil, nil
	x, ok := operandsOfCall(in)
	if !ok {
		c.failf("call needs (results), a function and (arguments)")
		return
	}
	end := new(int32)
	if in.Guard != nil {
		p, _ := c.srcPred(ptx.Reg{Name: in.Guard.Reg})
		c.emit(inst{run: jumpTo(end), src: in, guard: p, not: !in.Guard.Not})
	}
	if s, direct := x.callee.(ptx.Sym); direct {
		c.callDirect(in, s.Name, x)
	} else {
		c.callIndirect(in, x, end)
	}
	*end = int32(len(c.prog.code))
}

// operandsOfCall takes a call's operands apart.
func operandsOfCall(in *ptx.Instr) (x callOperands, ok bool) {
	args := in.Args
	if len(args) > 0 {
		if p, isList := args[0].(ptx.Paren); isList {
			x.results, args = p.Elems, args[1:]
		}
	}
	if len(args) == 0 {
		return x, false
	}
	x.callee, args = args[0], args[1:]
	if len(args) > 0 {
		if p, isList := args[0].(ptx.Paren); isList {
			x.arguments, args = p.Elems, args[1:]
		}
	}
	if len(args) > 0 {
		s, isName := args[0].(ptx.Sym)
		x.list = s.Name
		return x, isName && len(args) == 1
	}
	return x, true
}

func (c *compiler) callDirect(in *ptx.Instr, name string, x callOperands) {
	fn := c.mod.function(name)
	switch {
	case fn == nil && supplied[name] != nil:
		c.emit(inst{run: supplied[name](c, x), src: in, guard: -1})
	case fn == nil:
		c.failf("the function %s has no body in this module; %s", name, without(name))
	case len(x.results) != len(fn.Returns) || len(x.arguments) != len(fn.Params):
		c.failf("%s takes %d arguments and returns %d values", name, len(fn.Params), len(fn.Returns))
	case slices.Contains(c.calls, fn):
		c.failf("%s calls itself; the emulator runs no recursion: write a loop", name)
	default:
		c.inline(in, fn, x)
	}
}

// without says what to do without a function that has no body.
func without(name string) string {
	switch name {
	case "malloc", "free":
		return "the emulator has no heap for kernels: pass memory from the host"
	}
	return "compile what defines it into the same module"
}

// inline compiles a function where it is called. Registers that are arguments
// are copied into the function's own; ".param" variables are shared with it by
// name.
func (c *compiler) inline(in *ptx.Instr, fn *ptx.Func, x callOperands) {
	inner := newScope(c.globals, nil)
	bind := func(formal *ptx.Var, actual ptx.Operand, copyIn bool) {
		if formal.Space == ptx.Param {
			sym, _ := actual.(ptx.Sym)
			v, ok := c.scope.variable(sym.Name)
			if !ok {
				c.failf("an argument of %s must be a .param variable", fn.Name)
			}
			inner.vars[formal.Name] = v
			return
		}
		r := c.newRegister(formal.Type)
		inner.regs[formal.Name] = &ptx.Regs{Type: formal.Type, Name: formal.Name}
		inner.rows[formal.Name] = r
		if copyIn {
			c.emit(inst{run: c.copyRegister(r, actual), src: in, guard: -1})
		}
	}
	for i, v := range fn.Params {
		bind(v, x.arguments[i], true)
	}
	for i, v := range fn.Returns {
		bind(v, x.results[i], false)
	}
	scope, ret, from := c.scope, c.ret, c.from
	c.scope, c.ret, c.from = inner, new(int32), &site{in, from}
	c.calls = append(c.calls, fn)
	c.block(fn.Body)
	*c.ret = int32(len(c.prog.code))
	c.scope, c.ret, c.from, c.calls = scope, ret, from, c.calls[:len(c.calls)-1]
	for i, v := range fn.Returns {
		if v.Space != ptx.Param && c.err == nil {
			c.in = in
			c.emit(inst{run: c.copyOut(x.results[i], inner.rows[v.Name]), src: in, guard: -1})
		}
	}
}

// copyRegister copies an operand into a register.
func (c *compiler) copyRegister(to register, from ptx.Operand) op {
	switch to.kind {
	case kind64:
		return move64(to.row, c.src64(from))
	case kindPred:
		p, not := c.srcPred(from)
		return func(w *warp, m mask) *wait {
			v := w.p[p]
			if not {
				v = ^v
			}
			w.p[to.row] = w.p[to.row]&^m | v&m
			return nil
		}
	case kind128:
		from := c.src128(from)
		return func(w *warp, m mask) *wait {
			move64(to.row, from)(w, m)
			return move64(to.row+1, from+1)(w, m)
		}
	}
	return move32(to.row, c.src32(from))
}

// copyOut copies a register into a destination operand.
func (c *compiler) copyOut(to ptx.Operand, from register) op {
	switch from.kind {
	case kind64:
		return move64(c.dst64(to), from.row)
	case kindPred:
		d := c.dstPred(to)
		return func(w *warp, m mask) *wait {
			w.p[d] = w.p[d]&^m | w.p[from.row]&m
			return nil
		}
	}
	return move32(c.dst32(to), from.row)
}

func move32(d, s int) op {
	return func(w *warp, m mask) *wait {
		to, from := &w.r[d], &w.r[s]
		for lane := range lanes {
			if m>>lane&1 != 0 {
				to[lane] = from[lane]
			}
		}
		return nil
	}
}

func move64(d, s int) op {
	return func(w *warp, m mask) *wait {
		to, from := &w.d[d], &w.d[s]
		for lane := range lanes {
			if m>>lane&1 != 0 {
				to[lane] = from[lane]
			}
		}
		return nil
	}
}
