package ptx

import (
	"fmt"
	"slices"
)

// operands checks an instruction against its form and reports whether the
// number of operands is right.
func (v *verifier) operands(in *Instr, f *form) bool {
	least, most := 0, 0
	args := make([]param, 0, len(f.args))
	for _, p := range f.args {
		if p.when != "" && !in.Has(p.when) {
			continue
		}
		args = append(args, p)
		switch {
		case p.repeated:
			most = len(in.Args)
		case p.optional:
			most++
		default:
			least++
			most++
		}
	}
	if n := len(in.Args); n < least || n > most {
		v.on(in, RuleOperands, "found %d operands, expected %s%s", n, span(least, most), operandAdvice(in, n, most))
		return false
	}
	types := typesOf(in)
	if len(types) > f.types() {
		types = nil // a mixed form such as fma.rn.f32.f16
	}
	for i, a := range in.Args {
		p := args[min(i, len(args)-1)]
		if p.repeated {
			break
		}
		// An optional operand in the middle is missing when only those behind
		// it are left ("bar.red.popc d, a, p").
		if p.optional && i < len(args)-1 && len(args) == len(in.Args)+1 {
			args = slices.Delete(args, i, i+1)
			p = args[i]
		}
		v.operand(in, i, a, p, wanted(p, types))
	}
	return true
}

func span(least, most int) string {
	switch most - least {
	case 0:
		return fmt.Sprint(least)
	case 1:
		return fmt.Sprintf("%d or %d", least, most)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// operandAdvice explains the operand counts that people get wrong.
func operandAdvice(in *Instr, n, most int) string {
	switch {
	case in.Op == "cp" && in.Has("tensor") && n > most:
		return "; a tensor copy takes no byte count (the tensor map has the box), a CTA mask only with .multicast::cluster and a cache policy only with .L2::cache_hint"
	case in.Op == "cp" && in.Has("multicast::cluster") && n < most:
		return "; .multicast::cluster takes a 16-bit CTA mask behind the mbarrier"
	case in.Has("L2::cache_hint") && n < most:
		return "; .L2::cache_hint takes a 64-bit cache policy as the last operand"
	case n == most+1 && (in.Op == "ld" || in.Op == "st"):
		return "; a cache policy needs the modifier .L2::cache_hint"
	case in.Op == "mbarrier" && in.Has("arrive") && n < most:
		return "; the first one is the state, or \"_\" to discard it"
	}
	return ""
}

// typesOf lists the types in an opcode.
func typesOf(in *Instr) []Type {
	var list []Type
	for _, m := range in.Mods {
		if Type(m).known() {
			list = append(list, Type(m))
		}
	}
	return list
}

// wanted is the type that a parameter of the form has in this instruction, ""
// where any will do.
func wanted(p param, types []Type) Type {
	if p.which == 0 {
		return p.typ
	}
	if p.which > len(types) {
		return ""
	}
	t := types[p.which-1]
	if p.double {
		return doubled[t]
	}
	return t
}

var doubled = map[Type]Type{
	"u16": "u32", "s16": "s32", "u32": "u64", "s32": "s64", "u64": "u128", "s64": "s128",
}
