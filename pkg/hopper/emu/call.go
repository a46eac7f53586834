package emu

import "gohopper/pkg/hopper/ptx"

// call inlines a device function: "call (result), f, (arguments)". Registers
// that are arguments are copied into the function's own; ".param" variables
// are shared with it by name.
func (c *compiler) call(in *ptx.Instr) {
	c.in, c.before = in, nil
	results, name, arguments, ok := callOperands(in)
	if !ok {
		c.failf("the emulator calls only functions that the text names")
		return
	}
	fn := c.mod.function(name)
	switch {
	case fn == nil:
		c.failf("the function %s has no body in this module", name)
		return
	case len(results) != len(fn.Returns) || len(arguments) != len(fn.Params):
		c.failf("%s takes %d arguments and returns %d values", name, len(fn.Params), len(fn.Returns))
		return
	}
	for _, active := range c.calls {
		if active == fn {
			c.failf("%s calls itself; the emulator runs no recursion", name)
			return
		}
	}
	end := new(int32)
	if in.Guard != nil {
		p, _ := c.srcPred(ptx.Reg{Name: in.Guard.Reg})
		c.emit(inst{run: jumpTo(end), src: in, guard: p, not: !in.Guard.Not})
	}
	inner := newScope(c.globals, nil)
	bind := func(formal *ptx.Var, actual ptx.Operand, copyIn bool) {
		if formal.Space == ptx.Param {
			sym, _ := actual.(ptx.Sym)
			v, ok := c.scope.variable(sym.Name)
			if !ok {
				c.failf("an argument of %s must be a .param variable", name)
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
		bind(v, arguments[i], true)
	}
	for i, v := range fn.Returns {
		bind(v, results[i], false)
	}
	scope, ret := c.scope, c.ret
	c.scope, c.ret, c.calls = inner, new(int32), append(c.calls, fn)
	c.block(fn.Body)
	*c.ret = int32(len(c.prog.code))
	c.scope, c.ret, c.calls = scope, ret, c.calls[:len(c.calls)-1]
	for i, v := range fn.Returns {
		if v.Space != ptx.Param && c.err == nil {
			c.in = in
			c.emit(inst{run: c.copyOut(results[i], inner.rows[v.Name]), src: in, guard: -1})
		}
	}
	*end = int32(len(c.prog.code))
}

// callOperands takes a direct call's operands apart.
func callOperands(in *ptx.Instr) (results []ptx.Operand, name string, arguments []ptx.Operand, ok bool) {
	args := in.Args
	if len(args) > 0 {
		if p, isList := args[0].(ptx.Paren); isList {
			results, args = p.Elems, args[1:]
		}
	}
	if len(args) == 0 || len(args) > 2 {
		return nil, "", nil, false
	}
	sym, ok := args[0].(ptx.Sym)
	if len(args) == 2 {
		p, isList := args[1].(ptx.Paren)
		arguments, ok = p.Elems, ok && isList
	}
	return results, sym.Name, arguments, ok
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
