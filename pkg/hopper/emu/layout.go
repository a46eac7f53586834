package emu

import (
	"math"
	"sort"

	"gohopper/pkg/hopper/ptx"
)

// varBytes is the size of a variable; 0 for a flexible array.
func varBytes(v *ptx.Var) int {
	n := typeBits(v.Type) / 8 * max(1, v.Vector)
	for _, d := range v.Dims {
		n *= d
	}
	return n
}

// varAlign is a variable's alignment in bytes.
func varAlign(v *ptx.Var) int {
	return max(1, v.Align, typeBits(v.Type)/8*max(1, v.Vector))
}

func alignUp(n, to int) int { return (n + to - 1) / to * to }

func float32Bits(f64 uint64) uint32 {
	return math.Float32bits(float32(math.Float64frombits(f64)))
}

// moduleScope declares the module's variables.
func (c *compiler) moduleScope() *scope {
	s := newScope(nil, nil)
	for name, v := range c.mod.vars {
		s.vars[name] = v
	}
	return s
}

// layoutParams places the entry's parameters as the host packs them.
func (c *compiler) layoutParams(fn *ptx.Func) {
	c.scope = newScope(c.globals, nil)
	at := 0
	for _, v := range fn.Params {
		at = alignUp(at, varAlign(v))
		c.prog.params = append(c.prog.params, param{v.Name, at, varBytes(v)})
		c.scope.vars[v.Name] = variable{spaceParam, uint64(at)}
		at += varBytes(v)
	}
	c.prog.paramBytes = at
}

// layoutShared places the shared variables that the entry and what it calls
// use: static ones first, the dynamic ones all at the address after them.
func (c *compiler) layoutShared(fn *ptx.Func) {
	used := map[string]bool{}
	var inside []*ptx.Var
	seen := map[*ptx.Func]bool{}
	var visit func(*ptx.Func)
	visit = func(f *ptx.Func) {
		if f == nil || f.Body == nil || seen[f] {
			return
		}
		seen[f] = true
		walk(f.Body, func(s ptx.Stmt) {
			switch s := s.(type) {
			case *ptx.Var:
				if s.Space == ptx.Shared {
					inside = append(inside, s)
				}
			case *ptx.Instr:
				for _, a := range s.Args {
					symbols(a, func(name string) {
						used[name] = true
						if s.Op == "call" {
							visit(c.mod.function(name))
						}
					})
				}
				if s.Op != "call" {
					return
				}
				if x, ok := operandsOfCall(s); ok && x.list != "" {
					for _, f := range c.mod.addressTaken() {
						visit(f)
					}
				}
			}
		})
	}
	visit(fn)
	all := inside
	for _, d := range c.mod.ptx.Decls {
		if v, ok := d.(*ptx.Var); ok && v.Space == ptx.Shared && used[v.Name] {
			all = append(all, v)
		}
	}
	dynamic := func(v *ptx.Var) bool { return v.Linkage == "extern" || varBytes(v) == 0 }
	at := sharedBase
	for _, v := range all {
		if !dynamic(v) {
			at = alignUp(at, varAlign(v))
			c.placeShared(v, at)
			at += varBytes(v)
		}
	}
	for _, v := range all {
		if dynamic(v) {
			c.prog.sharedAlign = max(c.prog.sharedAlign, varAlign(v))
		}
	}
	dyn := alignUp(at, c.prog.sharedAlign)
	c.prog.sharedBytes = at - sharedBase
	for _, v := range all {
		if dynamic(v) {
			c.placeShared(v, dyn)
			c.prog.sharedBytes = dyn - sharedBase
		}
	}
	for _, v := range all[len(inside):] {
		c.globals.vars[v.Name] = variable{spaceShared, uint64(c.shared[v])}
	}
	sort.SliceStable(c.prog.sharedVars, func(i, j int) bool {
		return c.prog.sharedVars[i].offset < c.prog.sharedVars[j].offset
	})
}

func (c *compiler) placeShared(v *ptx.Var, at int) {
	c.shared[v] = at
	c.prog.sharedVars = append(c.prog.sharedVars, named{v.Name, at, varBytes(v)})
}

// declare places a variable of a function body.
func (c *compiler) declare(v *ptx.Var) {
	switch v.Space {
	case ptx.Shared:
		c.scope.vars[v.Name] = variable{spaceShared, uint64(c.shared[v])}
	case ptx.Local:
		c.scope.vars[v.Name] = variable{spaceLocal, c.frame(v)}
	case ptx.Param: // arguments and results of calls live in the thread's memory
		c.scope.vars[v.Name] = variable{spaceParam, localWindow + c.frame(v)}
	default:
		c.in = &ptx.Instr{Pos: v.Pos}
		c.failf("a .%s variable inside a function is not known to the emulator", v.Space)
	}
}

// frame reserves local memory for a variable.
func (c *compiler) frame(v *ptx.Var) uint64 {
	at := alignUp(c.prog.localBytes, varAlign(v))
	c.prog.localBytes = alignUp(at+varBytes(v), 16)
	return uint64(at)
}

// directives keeps the entry's launch bounds.
func (c *compiler) directives(fn *ptx.Func) {
	l := &c.prog.limits
	for _, d := range fn.Directives {
		var box [3]int
		copy(box[:], d.Values)
		for i, v := range box {
			box[i] = max(1, v)
		}
		switch d.Name {
		case "reqntid":
			l.reqntid = box
		case "maxntid":
			l.maxntid = box
		case "reqnctapercluster":
			l.reqcluster = box
		case "maxclusterrank":
			l.maxcluster = box[0]
		case "maxnreg":
			l.maxnreg = box[0]
		case "minnctapersm":
			l.minctas = box[0]
		case "explicitcluster":
			l.explicitcluster = true
		}
	}
}

// walk visits the statements of a block and of the blocks in it.
func walk(b *ptx.Block, visit func(ptx.Stmt)) {
	for _, s := range b.Stmts {
		visit(s)
		if inner, ok := s.(*ptx.Block); ok {
			walk(inner, visit)
		}
	}
}

// symbols visits the symbols in an operand.
func symbols(o ptx.Operand, visit func(name string)) {
	switch o := o.(type) {
	case ptx.Sym:
		visit(o.Name)
	case ptx.Addr:
		symbols(o.Base, visit)
	case ptx.Tensor:
		symbols(o.Map, visit)
	case ptx.Vec:
		for _, e := range o.Elems {
			symbols(e, visit)
		}
	case ptx.Paren:
		for _, e := range o.Elems {
			symbols(e, visit)
		}
	}
}
