package ptx

// tensor checks "[map, {coordinates}]" against the dimension in the opcode.
func (v *verifier) tensor(in *Instr, i int, o Operand) {
	t, ok := o.(Tensor)
	if !ok {
		v.wrong(in, i, o, "a tensor map with coordinates, [map, {x, y}]")
		return
	}
	switch m := t.Map.(type) {
	case Reg:
		v.scalar(in, i, m, param{letter: 's'}, "u64")
	case Sym:
		if d, ok := v.scope.lookup(m.Name).(*Var); !ok {
			v.on(in, RuleCopy, "the tensor map is %s, a %s, expected a variable", m.Name, declKind(v.scope.lookup(m.Name)))
		} else if d.Space != Global {
			v.on(in, RuleCopy, "the tensor map %s is a %s; take its generic address into a register, with mov.u64 and cvta.%s.u64", m.Name, declKind(d), d.Space)
		}
	}
	if t.Offset != 0 {
		v.on(in, RuleCopy, "the tensor map is %s with an offset; add it to the register before", operandText(t.Map))
	}
	if n := dimensions(in); n > 0 && len(t.Coords) != n {
		v.on(in, RuleCopy, "found %d coordinates, expected %d for .%dd, the innermost first", len(t.Coords), n, n)
	}
	for _, c := range t.Coords {
		v.scalar(in, i, c, param{letter: 's'}, "b32")
	}
}

// dimensions is the 1 to 5 of ".1d" to ".5d", 0 where there is none.
func dimensions(in *Instr) int {
	for _, m := range in.Mods {
		if len(m) == 2 && m[1] == 'd' && '1' <= m[0] && m[0] <= '5' {
			return int(m[0] - '0')
		}
	}
	return 0
}

// copies checks what a form cannot say about cp.async and its bulk forms.
func (v *verifier) copies(in *Instr) {
	switch {
	case in.Has("tensor"):
		v.im2col(in)
	case in.Has("bulk") && len(in.Args) >= 3:
		if c, ok := in.Args[2].(Int); ok && c.Value%16 != 0 {
			v.on(in, RuleCopy, "copies %d bytes; a bulk copy moves a multiple of 16", c.Value)
		}
	case len(in.Args) >= 3:
		c, _ := in.Args[2].(Int)
		switch {
		case in.Has("cg") && c.Value != 16:
			v.on(in, RuleCopy, "copies %d bytes; .cg copies 16", c.Value)
		case c.Value != 4 && c.Value != 8 && c.Value != 16:
			v.on(in, RuleCopy, "copies %d bytes; .ca copies 4, 8 or 16", c.Value)
		}
	}
}

// im2col checks the offsets of an im2col load: one for every dimension between
// the first and the last.
func (v *verifier) im2col(in *Instr) {
	if !in.Has("im2col") {
		return
	}
	n := dimensions(in)
	if n < 3 {
		v.on(in, RuleCopy, "has %d dimensions; .im2col takes 3 to 5", n)
		return
	}
	for _, a := range in.Args {
		if l, ok := a.(Vec); ok && len(l.Elems) != n-2 {
			v.on(in, RuleCopy, "found %d im2col offsets, expected %d for .%dd", len(l.Elems), n-2, n)
		}
	}
}
