package emu

import (
	"fmt"

	"gohopper/pkg/hopper/ptx"
)

// compiler turns one entry into a program. Its error is sticky: after the
// first failure the methods return harmless rows and the load fails once, with
// that failure's line.
type compiler struct {
	mod     *module
	prog    *program
	in      *ptx.Instr // being compiled
	scope   *scope
	globals *scope // the module's variables
	err     error
	before  []special // special registers that change: read before the instruction
	after   op        // a second step of the instruction; nil for most
	calls   []*ptx.Func
	from    *site
	ret     *int32 // where ret goes in an inlined function; nil in the entry
	words32 map[uint32]int
	words64 map[uint64]int
	fixed   map[string]register // special registers that have a row
	sinks   [4]int              // rows nobody reads, by kind; row+1
	shared  map[*ptx.Var]int    // offsets of shared variables
}

// compile makes the program of an entry.
func compile(m *module, fn *ptx.Func) (*program, error) {
	c := &compiler{
		mod:     m,
		prog:    &program{mod: m.ptx, fn: fn, sharedAlign: 16},
		words32: map[uint32]int{},
		words64: map[uint64]int{},
		fixed:   map[string]register{},
		shared:  map[*ptx.Var]int{},
	}
	c.globals = c.moduleScope()
	c.directives(fn)
	c.layoutParams(fn)
	c.layoutShared(fn)
	c.function(fn)
	if c.err != nil {
		return nil, c.err
	}
	return c.prog, nil
}

// function compiles a function's body at the end of the program.
func (c *compiler) function(fn *ptx.Func) {
	c.block(fn.Body)
	end := &ptx.Instr{Op: "ret", Pos: fn.Pos}
	if n := len(c.prog.code); n > 0 {
		end.Pos, end.Src = c.prog.code[n-1].src.Pos, c.prog.code[n-1].src.Src
	}
	c.instr(end)
}

// block compiles the statements of a brace level in a scope of its own.
func (c *compiler) block(b *ptx.Block) {
	c.scope = newScope(c.scope, b)
	defer func() { c.scope = c.scope.outer }()
	for _, s := range b.Stmts {
		if c.err != nil {
			return
		}
		switch s := s.(type) {
		case *ptx.Instr:
			c.instr(s)
		case *ptx.Label:
			*c.scope.labels[s.Name] = int32(len(c.prog.code))
		case *ptx.Var:
			c.declare(s)
		case *ptx.Targets:
			c.scope.targets[s.Label] = s
		case *ptx.Block:
			c.block(s)
		}
	}
}

// instr compiles one instruction.
func (c *compiler) instr(in *ptx.Instr) {
	if in.Op == "call" {
		c.call(in)
		return
	}
	c.in, c.before, c.after = in, nil, nil
	f := families[in.Op]
	if f == nil {
		c.unknown()
		return
	}
	x := inst{src: in, guard: -1}
	if in.Guard != nil {
		x.guard, _ = c.srcPred(ptx.Reg{Name: in.Guard.Reg})
		x.not = in.Guard.Not
	}
	x.run = f(c, in)
	if x.run == nil || c.err != nil {
		if c.err == nil {
			panic("emulator: no op for " + in.Name())
		}
		return
	}
	if in.Has("aligned") {
		x.run = together(x.run)
	}
	if before := c.before; len(before) > 0 {
		inner := x.run
		x.run = func(w *warp, m mask) *wait {
			for _, s := range before {
				s.fill(w)
			}
			return inner(w, m)
		}
	}
	c.emit(x)
	if c.after != nil {
		x.run = c.after
		c.emit(x)
	}
}

// emit appends an instruction to the program.
func (c *compiler) emit(x inst) {
	x.from, x.told = c.from, c.told(x.src)
	c.prog.code = append(c.prog.code, x)
}

// failf refuses the instruction being compiled: an operand is wrong.
func (c *compiler) failf(format string, args ...any) op {
	if c.err == nil {
		c.err = c.mod.errorAt(c.in.Pos, c.in.Src, c.from, fmt.Sprintf(format, args...))
	}
	return nop
}

// nop does nothing.
func nop(*warp, mask) *wait { return nil }
