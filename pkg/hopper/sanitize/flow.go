package sanitize

import (
	"fmt"
	"strings"

	"gohopper/pkg/hopper/ptx"
)

// flow is a function as straight pieces of code and the ways between them, with
// the registers that wgmma uses.
type flow struct {
	pieces []piece
	ids    map[string]int // of registers that a wgmma holds a matrix in, or that are copied there
}

// piece is code without a way in or out but at its ends.
type piece struct {
	steps []step
	next  []int // pieces
}

// step is one instruction.
type step struct {
	in      *ptx.Instr
	touches []int // registers of wgmma that it names
	sets    []int // those of them that it writes, if it is no wgmma
	copies  int   // the register whose value it sets, if that is all it does; else -1
}

// level is a brace level: registers and labels have their own names in it.
type level struct {
	outer  *level
	number int
	regs   []*ptx.Regs
	labels map[string]int // pieces
}

// flowOf reads a function's body; nil if there is no wgmma in it.
func flowOf(fn *ptx.Func) *flow {
	f := &flow{ids: map[string]int{}}
	b := &flowBuilder{flow: f}
	b.levels(fn.Body, nil, func(l *level, in *ptx.Instr) {
		if isProduct(in) {
			for _, o := range in.Args[:2] {
				if list, ok := o.(ptx.Vec); ok { // not a descriptor
					eachRegister(list, func(name string) { f.id(l, name) })
				}
			}
		}
	}, nil)
	if len(f.ids) == 0 {
		return nil
	}
	for before := 0; before < len(f.ids); { // what is copied, perhaps through several registers
		before = len(f.ids)
		b.count = 0
		b.levels(fn.Body, nil, func(l *level, in *ptx.Instr) {
			if to, from, ok := copied(in); ok {
				if _, ok := f.ids[l.key(to)]; ok {
					f.id(l, from)
				}
			}
		}, nil)
	}
	b.count = 0
	b.cut() // the first piece
	var ways []func()
	b.levels(fn.Body, nil, func(l *level, in *ptx.Instr) {
		ways = append(ways, b.add(l, in))
	}, b.cut)
	for _, way := range ways {
		way()
	}
	return f
}

func isProduct(in *ptx.Instr) bool { return in.Op == "wgmma" && in.Mods[0] == "mma_async" }

// copied is the registers of a copy from one to the other.
func copied(in *ptx.Instr) (to, from string, ok bool) {
	if in.Op != "mov" || len(in.Args) != 2 {
		return "", "", false
	}
	d, ok1 := in.Args[0].(ptx.Reg)
	s, ok2 := in.Args[1].(ptx.Reg)
	return d.Name, s.Name, ok1 && ok2
}

// flowBuilder walks a function's body.
type flowBuilder struct {
	*flow
	count int // levels so far
}

// levels visits the instructions of a block and of the blocks in it; cut, if
// there is one, is called at labels.
func (b *flowBuilder) levels(block *ptx.Block, outer *level, visit func(*level, *ptx.Instr), cut func() int) {
	l := &level{outer: outer, number: b.count, labels: map[string]int{}}
	b.count++
	for _, s := range block.Stmts {
		switch s := s.(type) {
		case *ptx.Regs:
			l.regs = append(l.regs, s)
		case *ptx.Label:
			if cut != nil {
				l.labels[s.Name] = cut()
			}
		case *ptx.Instr:
			visit(l, s)
		case *ptx.Block:
			b.levels(s, l, visit, cut)
		}
	}
}

// cut begins a piece, which the one before runs into.
func (b *flowBuilder) cut() int {
	n := len(b.pieces)
	if n > 0 && !b.ends(n-1) {
		b.pieces[n-1].next = append(b.pieces[n-1].next, n)
	}
	b.pieces = append(b.pieces, piece{})
	return n
}

// ends reports whether a piece does not run into the next one.
func (b *flowBuilder) ends(i int) bool {
	steps := b.pieces[i].steps
	if len(steps) == 0 {
		return false
	}
	in := steps[len(steps)-1].in
	switch in.Op {
	case "bra", "brx", "ret", "exit", "trap":
		return in.Guard == nil
	}
	return false
}

// add appends an instruction; the result adds the ways that it opens, once
// all labels are known.
func (b *flowBuilder) add(l *level, in *ptx.Instr) (ways func()) {
	p := len(b.pieces) - 1
	s := step{in: in, copies: -1}
	if _, from, ok := copied(in); ok {
		if id, ok := b.ids[l.key(from)]; ok {
			s.copies = id
		}
	}
	for i, o := range in.Args {
		eachRegister(o, func(name string) {
			id, ok := b.ids[l.key(name)]
			if !ok {
				return
			}
			s.touches = append(s.touches, id)
			if _, address := o.(ptx.Addr); i == 0 && !address {
				s.sets = append(s.sets, id)
			}
		})
	}
	b.pieces[p].steps = append(b.pieces[p].steps, s)
	ways = func() {}
	switch in.Op {
	case "bra":
		if to, ok := in.Args[0].(ptx.Sym); ok {
			ways = func() {
				if t, ok := l.label(to.Name); ok {
					b.pieces[p].next = append(b.pieces[p].next, t)
				}
			}
		}
		b.cut()
	case "brx", "ret", "exit", "trap":
		b.cut()
	}
	return ways
}

// label finds a label's piece.
func (l *level) label(name string) (int, bool) {
	for ; l != nil; l = l.outer {
		if p, ok := l.labels[name]; ok {
			return p, true
		}
	}
	return 0, false
}

// id gives a register its number.
func (f *flow) id(l *level, name string) {
	key := l.key(name)
	if _, ok := f.ids[key]; !ok {
		f.ids[key] = len(f.ids)
	}
}

// key is a register's name with the level that declares it.
func (l *level) key(name string) string {
	base, _, _ := strings.Cut(name[1:], ".")
	base = name[:1] + base
	for ; l != nil; l = l.outer {
		for _, r := range l.regs {
			if r.Count == 0 && r.Name == base || r.Count > 0 && strings.TrimRight(base, "0123456789") == strings.TrimRight(r.Name, "0123456789") && len(base) > len(r.Name) {
				return fmt.Sprintf("%d:%s", l.number, name)
			}
		}
	}
	return name
}

// eachRegister visits the registers in an operand.
func eachRegister(o ptx.Operand, visit func(name string)) {
	switch o := o.(type) {
	case ptx.Reg:
		visit(o.Name)
	case ptx.Not:
		eachRegister(o.X, visit)
	case ptx.Neg:
		eachRegister(o.X, visit)
	case ptx.Addr:
		eachRegister(o.Base, visit)
	case ptx.Pair:
		eachRegister(o.A, visit)
		eachRegister(o.B, visit)
	case ptx.Vec:
		for _, e := range o.Elems {
			eachRegister(e, visit)
		}
	case ptx.Paren:
		for _, e := range o.Elems {
			eachRegister(e, visit)
		}
	}
}
