package emu

import (
	"strconv"
	"strings"

	"gohopper/pkg/hopper/ptx"
)

// scope is what a brace level declares. Each inlined copy of a function has
// its own, so its registers are its own.
type scope struct {
	outer   *scope
	regs    map[string]*ptx.Regs // by declared name: "%r" for "%r<8>"
	rows    map[string]register  // registers that have a row
	vars    map[string]variable
	labels  map[string]*int32 // filled when the label is reached
	targets map[string]*ptx.Targets
}

// register is where a register lives.
type register struct {
	kind regKind
	row  int // kind128: the first of two row64s
	bits int
}

type regKind int

const (
	kind32 regKind = iota
	kind64
	kind128
	kindPred
)

// variable is where a declared variable lives.
type variable struct {
	space space
	addr  uint64 // in its space; in spaceGeneric a generic address
}

// newScope declares a block's registers and labels; variables are declared
// where the block reaches them.
func newScope(outer *scope, b *ptx.Block) *scope {
	s := &scope{
		outer: outer, regs: map[string]*ptx.Regs{}, rows: map[string]register{},
		vars: map[string]variable{}, labels: map[string]*int32{}, targets: map[string]*ptx.Targets{},
	}
	if b == nil {
		return s
	}
	for _, st := range b.Stmts {
		switch st := st.(type) {
		case *ptx.Regs:
			s.regs[st.Name] = st
		case *ptx.Label:
			s.labels[st.Name] = new(int32)
		case *ptx.Targets:
			s.targets[st.Label] = st
		}
	}
	return s
}

// label finds where a label's instruction index will be.
func (s *scope) label(name string) *int32 {
	for ; s != nil; s = s.outer {
		if at := s.labels[name]; at != nil {
			return at
		}
	}
	return nil
}

// target finds a .branchtargets or .calltargets list.
func (s *scope) target(name string) *ptx.Targets {
	for ; s != nil; s = s.outer {
		if t := s.targets[name]; t != nil {
			return t
		}
	}
	return nil
}

// variable finds a declared variable.
func (s *scope) variable(name string) (variable, bool) {
	for ; s != nil; s = s.outer {
		if v, ok := s.vars[name]; ok {
			return v, true
		}
	}
	return variable{}, false
}

// regs finds the declaration of a register and the scope that has it. A
// vector register's element ("v.x") is found under the vector's name.
func (s *scope) declaration(name string) (*ptx.Regs, *scope) {
	base := name
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		base = name[:dot]
	}
	for ; s != nil; s = s.outer {
		if r := s.regs[base]; r != nil && r.Count == 0 {
			return r, s
		}
		for i := len(base) - 1; i > 0 && base[i] >= '0' && base[i] <= '9'; i-- {
			r := s.regs[base[:i]]
			if r == nil {
				continue
			}
			if n, err := strconv.Atoi(base[i:]); err == nil && n < r.Count {
				return r, s
			}
		}
	}
	return nil, nil
}

// register finds or makes the rows of a declared register.
func (c *compiler) register(name string) (register, bool) {
	decl, home := c.scope.declaration(name)
	if decl == nil {
		return register{}, false
	}
	if r, ok := home.rows[name]; ok {
		return r, true
	}
	if decl.Vector > 0 && !strings.Contains(name[1:], ".") {
		c.failf("%s is a vector register: name one element, as in %s.x", name, name)
		return register{}, true
	}
	r := c.newRegister(decl.Type)
	home.rows[name] = r
	return r, true
}

// newRegister makes rows for a register of a type.
func (c *compiler) newRegister(t ptx.Type) register {
	p := c.prog
	n := typeBits(t)
	switch {
	case t == "pred":
		p.preds = append(p.preds, 0)
		return register{kindPred, len(p.preds) - 1, 1}
	case n == 128:
		p.rows64 = append(p.rows64, filled64(poison64), filled64(poison64))
		return register{kind128, len(p.rows64) - 2, n}
	case n == 64:
		p.rows64 = append(p.rows64, filled64(poison64))
		return register{kind64, len(p.rows64) - 1, n}
	case n == 0:
		c.failf("the emulator has no registers of type .%s", t)
		return register{}
	}
	row := filled32(poison32)
	if n < 32 {
		for i := range row {
			row[i] &= 1<<n - 1
		}
	}
	p.rows32 = append(p.rows32, row)
	return register{kind32, len(p.rows32) - 1, n}
}

// typeBits is the width of a type in bits, packed types whole; 0 for pred and
// for types that no register or variable has.
func typeBits(t ptx.Type) int {
	switch t {
	case "f16x2", "bf16x2", "s16x2", "u16x2", "tf32", "e4m3x4", "e5m2x4", "u8x4", "s8x4":
		return 32
	case "f32x2":
		return 64
	case "bf16", "e4m3x2", "e5m2x2":
		return 16
	case "e4m3", "e5m2":
		return 8
	}
	if len(t) < 2 {
		return 0
	}
	switch n, _ := strconv.Atoi(string(t[1:])); n {
	case 8, 16, 32, 64, 128, 1024:
		return n
	}
	return 0
}
