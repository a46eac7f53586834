package ptx

import (
	"strconv"
	"strings"
)

// scope holds the names declared at one brace level. A declaration is a
// *Regs, *Var, *Label, *Targets or *Func; all of them share one name space
// (PTX 4.4).
type scope struct {
	outer    *scope
	names    map[string]any
	families map[string]*Regs // "%r" for ".reg .b32 %r<8>"
}

func newScope(outer *scope) *scope {
	return &scope{outer: outer, names: map[string]any{}, families: map[string]*Regs{}}
}

// add adds registers without asking whether their names are free.
func (s *scope) add(r *Regs) {
	if r.Count > 0 {
		s.families[r.Name] = r
	} else {
		s.names[r.Name] = r
	}
}

// declare adds a name and returns what the same scope already holds under it,
// or nil.
func (s *scope) declare(name string, decl any) (previous any) {
	if r, ok := decl.(*Regs); ok && r.Count > 0 {
		return s.declareFamily(name, r)
	}
	if old := s.names[name]; old != nil {
		return old
	}
	if old := s.family(name); old != nil {
		return old
	}
	s.names[name] = decl
	return nil
}

func (s *scope) declareFamily(name string, r *Regs) (previous any) {
	if old := s.families[name]; old != nil {
		return old
	}
	s.families[name] = r
	for other, old := range s.names {
		if strings.HasPrefix(other, name) && s.family(other) == r {
			return old
		}
	}
	return nil
}

// lookup finds the innermost declaration of a name, or nil.
func (s *scope) lookup(name string) any {
	for ; s != nil; s = s.outer {
		if d := s.names[name]; d != nil {
			return d
		}
		if f := s.family(name); f != nil {
			return f
		}
	}
	return nil
}

// family finds the counted declaration that gives a name such as "%r12". The
// family's own name may end in a digit: ".reg .b32 %f1<10>" gives "%f12" too.
func (s *scope) family(name string) *Regs {
	for i := len(name) - 1; i > 0 && isDigit(name[i]); i-- {
		f := s.families[name[:i]]
		if f == nil || name[i] == '0' && i < len(name)-1 {
			continue
		}
		if n, err := strconv.Atoi(name[i:]); err == nil && n < f.Count {
			return f
		}
	}
	return nil
}
