package ptx

import "strings"

// mov checks a move, which takes more than its form could say: addresses,
// special registers, and lists to pack and unpack (PTX 9.7.9).
func (v *verifier) mov(in *Instr) {
	types := typesOf(in)
	if len(types) != 1 || vectorSize(in) > 0 {
		return
	}
	want := types[0]
	if len(in.Args) != 2 {
		v.on(in, RuleOperands, "found %d operands, expected 2", len(in.Args))
		return
	}
	d, a := in.Args[0], in.Args[1]
	if r, ok := a.(Reg); ok && v.isSpecial(r.Name) && strings.Contains(r.Name, "cluster") && !met("sm_90", v.target) {
		v.on(in, RuleNeeds, "%s needs .target sm_90; the module says .target %s", r.Name, v.target)
	}
	if want == "pred" {
		v.predicate(in, 0, d, 'p')
		v.predicate(in, 1, a, 'q')
		return
	}
	if l, ok := d.(Vec); ok {
		v.pack(in, 0, l, want, param{letter: 'o'})
	} else {
		v.scalar(in, 0, d, param{letter: 'd'}, want)
	}
	switch a := a.(type) {
	case Vec:
		v.pack(in, 1, a, want, param{letter: 's'})
	case Sym:
		if _, isLabel := v.scope.lookup(a.Name).(*Label); isLabel {
			v.on(in, RuleOperands, "operand 2 is the label %s, which has no address; branch with bra or .branchtargets", a.Name)
		} else if c := want.class(); c != bits && c != integer {
			v.on(in, RuleType, "operand 2 is the address %s; move it with mov.u64 or mov.u32", operandText(a))
		}
	case Reg:
		if v.isSpecial(a.Name) {
			v.movSpecial(in, a, want)
			return
		}
		v.scalar(in, 1, a, param{letter: 's'}, want)
	default:
		v.scalar(in, 1, a, param{letter: 's'}, want)
	}
}

// pack checks a list of 2 or 4 equal parts of a value.
func (v *verifier) pack(in *Instr, i int, l Vec, want Type, p param) {
	n := len(l.Elems)
	if want.class() != bits || n != 2 && n != 4 || want.Bytes() < n {
		v.on(in, RuleOperands, "operand %d lists %d registers; mov packs and unpacks 2 or 4 parts of a .b16, .b32, .b64 or .b128", i+1, n)
		return
	}
	size := want.Bytes() / n
	part := map[int]Type{1: "b8", 2: "b16", 4: "b32", 8: "b64"}[size]
	for _, e := range l.Elems {
		v.scalar(in, i, e, p, part)
	}
}

// movSpecial checks the width of a special register. The 32-bit ones may be
// read as 16 bits, and %gridid as 32, as old PTX did.
func (v *verifier) movSpecial(in *Instr, r Reg, want Type) {
	t, _ := special(r.Name)
	switch {
	case t.class() == noClass:
		v.on(in, RuleSpecial, "%s is a vector; read one element, %s.x", r.Name, r.Name)
	case want.class() != bits && want.class() != integer:
		v.on(in, RuleSpecial, "%s is a .%s special register and cannot be read as .%s", r.Name, t, want)
	case t.Bytes() == want.Bytes(), t.Bytes() == 4 && want.Bytes() == 2, r.Name == "%gridid":
	default:
		v.on(in, RuleSpecial, "%s has %d bits, .%s has %d; read it as .u%d", r.Name, t.Bytes()*8, want, want.Bytes()*8, t.Bytes()*8)
	}
}
