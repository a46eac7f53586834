package ptx

import (
	"fmt"
	"strings"
)

// operand checks one operand against what its form wants there: p, of type
// want ("" for any).
func (v *verifier) operand(in *Instr, i int, o Operand, p param, want Type) {
	if p.second != 0 {
		v.pairOperand(in, i, o, p, want)
		return
	}
	switch p.letter {
	case 'd', 'D', 'o', 's', 'S', 'a':
		if n := vectorSize(in); n > 0 && p.which > 0 {
			v.vector(in, i, o, p, want, n)
			return
		}
		if l, ok := o.(Vec); ok && len(l.Elems) == 1 {
			o = l.Elems[0] // "{%f0}" is a vector of one
		}
		v.scalar(in, i, o, p, want)
	case 'p', 'q':
		v.predicate(in, i, o, p.letter)
	case 'm':
		v.address(in, i, o)
	case 't':
		v.tensor(in, i, o)
	case 'i':
		if _, ok := o.(Int); !ok {
			v.wrong(in, i, o, "an integer constant")
		}
	case 'l':
		if s, ok := o.(Sym); !ok {
			v.wrong(in, i, o, "a label")
		} else if _, ok := v.scope.lookup(s.Name).(*Label); !ok {
			v.on(in, RuleBranch, "%s is a %s, expected a label", s.Name, declKind(v.scope.lookup(s.Name)))
		}
	case 'v':
		v.fragment(in, i, o)
	}
}

// wrong reports an operand of the wrong kind.
func (v *verifier) wrong(in *Instr, i int, o Operand, expected string) {
	v.on(in, RuleOperands, "operand %d is %s, expected %s", i+1, operandText(o), expected)
}

// vectorSize is the 2, 4 or 8 of ".v2", ".v4" or ".v8", 0 for a scalar.
func vectorSize(in *Instr) int {
	for _, m := range in.Mods {
		switch m {
		case "v2":
			return 2
		case "v4":
			return 4
		case "v8":
			return 8
		}
	}
	return 0
}

// vector checks the list of a ".vN" instruction, or its vector register.
func (v *verifier) vector(in *Instr, i int, o Operand, p param, want Type, n int) {
	switch o := o.(type) {
	case Vec:
		if len(o.Elems) != n {
			v.on(in, RuleOperands, "operand %d lists %d registers, .v%d takes %d", i+1, len(o.Elems), n, n)
			return
		}
		for _, e := range o.Elems {
			if _, sink := e.(Sink); sink && p.letter != 's' && p.letter != 'S' {
				continue
			}
			v.scalar(in, i, e, p, want)
		}
		return
	case Reg:
		if t, _ := v.regType(o.Name); strings.HasPrefix(string(t), fmt.Sprintf("v%d", n)) {
			return
		}
	case Sink:
		if p.letter == 'o' {
			return
		}
	}
	v.wrong(in, i, o, fmt.Sprintf("a list of %d registers", n))
}

// scalar checks one value.
func (v *verifier) scalar(in *Instr, i int, o Operand, p param, want Type) {
	source := p.letter == 's' || p.letter == 'S' || p.letter == 'a'
	switch o := o.(type) {
	case Reg:
		v.register(in, i, o, p, want)
	case Int, Float32, Float64:
		if !source {
			v.wrong(in, i, o, "a destination register")
		} else if want != "" && !constantFits(o, want) {
			v.on(in, RuleType, "operand %d is %s, expected %s", i+1, operandText(o), constantAdvice(want))
		}
	case Sink:
		if p.letter != 'o' {
			v.wrong(in, i, o, "a register: this operand cannot be discarded")
		}
	case Sym:
		if p.letter != 'a' {
			v.on(in, RuleOperands, "operand %d is the address %s; only mov and cvta take one: mov it to a register first", i+1, operandText(o))
		}
	default:
		if source {
			v.wrong(in, i, o, "a register or a constant")
		} else {
			v.wrong(in, i, o, "a destination register")
		}
	}
}

// register checks the type of a register.
func (v *verifier) register(in *Instr, i int, r Reg, p param, want Type) {
	t, _ := v.regType(r.Name)
	source := p.letter == 's' || p.letter == 'S' || p.letter == 'a'
	if v.isSpecial(r.Name) {
		if source && in.Op == "cvt" && want.class() == integer && typesOf(in)[0].class() == integer {
			return
		}
		if source {
			v.on(in, RuleSpecial, "operand %d is the special register %s, which only mov can read; mov it to a register first", i+1, r.Name)
		} else {
			v.on(in, RuleSpecial, "operand %d is the special register %s, which cannot be written", i+1, r.Name)
		}
		return
	}
	wider := p.letter == 'D' || p.letter == 'S'
	switch {
	case want == "":
	case t == "pred" && want != "pred":
		v.on(in, RulePredicate, "operand %d is the predicate %s, expected %s", i+1, r.Name, registerAdvice(want, wider))
	case !t.holds(want, wider):
		v.on(in, RuleType, "operand %d is %s, a .%s register, expected %s", i+1, r.Name, t, registerAdvice(want, wider))
	}
}

// isSpecial reports whether a name is a special register rather than one that
// the module declares.
func (v *verifier) isSpecial(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	return strings.HasPrefix(name, "%") && v.scope.lookup(base) == nil
}

// registerAdvice says which registers can hold a type.
func registerAdvice(want Type, wider bool) string {
	size := want.Bytes() * 8
	text := fmt.Sprintf("a .b%d register", size)
	switch want.class() {
	case integer:
		text = fmt.Sprintf("a .b%d, .u%d or .s%d register", size, size, size)
	case float:
		text = fmt.Sprintf("a .%s or .b%d register", want, size)
	case bits:
		text = fmt.Sprintf("a %d-bit register", size)
	}
	if wider {
		text += " or a wider one"
	}
	return text
}

// constantFits reports whether a constant can stand for a type. Integers do
// not stand for floating-point types, nor anything for 16-bit and packed ones.
func constantFits(o Operand, want Type) bool {
	c := want.class()
	switch o.(type) {
	case Int:
		return c == integer || c == bits
	case Float32:
		return want == "f32" || want == "f64" || want == "b32"
	case Float64:
		return want == "f32" || want == "f64" || want == "b64"
	}
	return false
}

// constantAdvice says what to write where a constant does not fit.
func constantAdvice(want Type) string {
	switch {
	case want == "f32", want == "f64":
		return fmt.Sprintf("a floating-point constant such as 1.0 for .%s", want)
	case want.class() == integer, want.class() == bits:
		return fmt.Sprintf("an integer constant for .%s", want)
	}
	return fmt.Sprintf("a register: .%s takes no constants", want)
}

// predicate checks a predicate destination ('p') or source ('q').
func (v *verifier) predicate(in *Instr, i int, o Operand, letter byte) {
	x := o
	if n, ok := o.(Not); ok && letter == 'q' {
		x = n.X
	}
	if _, ok := o.(Int); ok && letter == 'q' {
		return
	}
	r, ok := x.(Reg)
	if !ok {
		v.on(in, RulePredicate, "operand %d is %s, expected a predicate register", i+1, operandText(o))
		return
	}
	if t, _ := v.regType(r.Name); t != "pred" {
		v.on(in, RulePredicate, "operand %d is %s, a .%s register, expected a .pred register", i+1, r.Name, t)
	}
}

// pairOperand checks "d|p".
func (v *verifier) pairOperand(in *Instr, i int, o Operand, p param, want Type) {
	first := p
	first.second = 0
	pair, ok := o.(Pair)
	if !ok {
		if !p.loose {
			v.wrong(in, i, o, "a pair \"d|p\"")
			return
		}
		v.operand(in, i, o, first, want)
		return
	}
	if _, sink := pair.A.(Sink); !sink {
		v.operand(in, i, pair.A, first, want)
	}
	if _, sink := pair.B.(Sink); !sink || !p.loose {
		v.predicate(in, i, pair.B, p.second)
	}
}

// address checks "[a]".
func (v *verifier) address(in *Instr, i int, o Operand) {
	a, ok := o.(Addr)
	if !ok {
		v.wrong(in, i, o, "an address in brackets")
		return
	}
	access := in.Op == "ld" || in.Op == "st" || in.Op == "atom" || in.Op == "red"
	space := spaceOf(in)
	switch base := a.Base.(type) {
	case Reg:
		t, _ := v.regType(base.Name)
		switch c := t.class(); {
		case v.isSpecial(base.Name):
			v.on(in, RuleSpecial, "the address is in the special register %s, which only mov can read; mov it to a register first", base.Name)
		case c != bits && c != integer || t.Bytes() > 8:
			v.on(in, RuleAddress, "the address is in %s, a .%s register, expected a .b64 or .b32 register", base.Name, t)
		case access && (space == "" || space == "global") && t.Bytes() < 8 && v.m.AddressSize != 32:
			v.on(in, RuleAddress, "the address is in %s, a .%s register; global and generic addresses have 64 bits", base.Name, t)
		}
	case Sym:
		if d, ok := v.scope.lookup(base.Name).(*Var); !ok {
			v.on(in, RuleAddress, "the address is %s, a %s, expected a variable", base.Name, declKind(v.scope.lookup(base.Name)))
		} else if access && !reaches(space, d.Space) {
			v.on(in, RuleAddress, "%s is a %s; .%s does not reach it", base.Name, declKind(d), space)
		} else if in.Op == "st" && v.inputs[d] {
			v.on(in, RuleAddress, "%s is a parameter of this function, which cannot be written", base.Name)
		}
	case Int:
		if access && space != "local" {
			v.on(in, RuleAddress, "the address is the constant %s; put it in a register", intText(base))
		}
	}
}

// spaceOf is the state space of an access, "" for a generic one.
func spaceOf(in *Instr) string {
	for _, m := range in.Mods {
		base, _, _ := strings.Cut(m, "::")
		switch base {
		case "global", "shared", "local", "const", "param":
			return base
		}
	}
	return ""
}

// reaches reports whether an access of a space can name a variable of another.
func reaches(space string, variable Space) bool {
	return space == "" || Space(space) == variable
}
