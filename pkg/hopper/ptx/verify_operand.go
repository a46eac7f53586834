package ptx

import (
	"fmt"
	"slices"
	"strings"
)

// instruction checks one instruction.
func (v *verifier) instruction(in *Instr) {
	v.source(in)
	v.needs(in)
	v.guard(in)
	v.opcode(in)
	before := len(v.errs)
	for _, a := range in.Args {
		v.resolve(in, a)
	}
	if len(v.errs) > before {
		return // types of unknown names say nothing
	}
	switch in.Op {
	case "mov":
		v.mov(in)
		return
	case "call":
		v.call(in)
		return
	}
	f := formOf(in)
	if f == nil && in.Op != "wgmma" {
		return
	}
	if f != nil && !v.operands(in, f) || len(v.errs) > before {
		return
	}
	switch in.Op {
	case "ldmatrix", "stmatrix":
		v.matrixCopy(in)
	case "mma":
		v.mma(in)
	case "wgmma":
		v.wgmma(in)
	case "cp":
		v.copies(in)
	case "mbarrier":
		v.mbarrier(in)
	case "bar", "barrier":
		v.named(in)
	case "setmaxnreg":
		v.setmaxnreg(in)
	}
}

func (v *verifier) source(in *Instr) {
	if in.Src == (Source{}) || v.files[in.Src.File] != "" {
		return
	}
	v.on(in, RuleSource, "its source position is in file %d, which no .file directive declares", in.Src.File)
}

func (v *verifier) needs(in *Instr) {
	var version Version
	target := ""
	for _, n := range needs[in.Op] {
		if !carries(in.Mods, n.mods) {
			continue
		}
		if version.Less(n.version) {
			version = n.version
		}
		if target == "" && !met(n.target, v.target) {
			target = n.target
		}
	}
	if base, specific := strings.CutSuffix(target, "+"); specific {
		v.on(in, RuleNeeds, "needs an architecture-specific target, %s or a later one with a letter; the module says .target %s", base, v.target)
	} else if target != "" {
		v.on(in, RuleNeeds, "needs .target %s; the module says .target %s", target, v.target)
	}
	if v.m.Version.Less(version) {
		v.on(in, RuleNeeds, "needs .version %v or later; the module says .version %v", version, v.m.Version)
	}
}

func (v *verifier) guard(in *Instr) {
	if in.Guard == nil {
		return
	}
	switch t, ok := v.regType(in.Guard.Reg); {
	case !ok:
		v.on(in, RuleUndeclared, "the guard %s is not declared; write \".reg .pred %s;\"", in.Guard.Reg, in.Guard.Reg)
	case t != "pred":
		v.on(in, RulePredicate, "the guard %s is a .%s register; a guard is a .pred register", in.Guard.Reg, t)
	}
}

// regType is the type of a declared register, of an element of one
// ("v.x"), or of a special register. A vector is "v2f32" and the like.
func (v *verifier) regType(name string) (Type, bool) {
	base, _, isElement := strings.Cut(name, ".")
	switch d := v.scope.lookup(base).(type) {
	case *Regs:
		if d.Vector > 0 && !isElement {
			return Type(fmt.Sprintf("v%d%s", d.Vector, d.Type)), true
		}
		return d.Type, true
	case *Var:
		if d.Space == "reg" {
			return d.Type, true
		}
	}
	if name[0] == '%' {
		return special(name)
	}
	return "", false
}

// resolve reports the names in an operand that nothing declares.
func (v *verifier) resolve(in *Instr, o Operand) {
	switch o := o.(type) {
	case Reg:
		if _, ok := v.regType(o.Name); !ok {
			v.on(in, RuleUndeclared, "the register %s is not declared before this use", o.Name)
		}
	case Sym:
		if v.scope.lookup(o.Name) != nil {
			return
		}
		if v.labels[o.Name] {
			v.on(in, RuleBranch, "the label %s is inside braces that do not enclose this instruction; move the label out of them", o.Name)
		} else {
			v.on(in, RuleUndeclared, "%s is not declared before this use", o.Name)
		}
	case Not:
		v.resolve(in, o.X)
	case Neg:
		v.resolve(in, o.X)
	case Addr:
		v.resolve(in, o.Base)
	case Pair:
		v.resolve(in, o.A)
		v.resolve(in, o.B)
	case Vec:
		for _, e := range o.Elems {
			v.resolve(in, e)
		}
	case Paren:
		for _, e := range o.Elems {
			v.resolve(in, e)
		}
	case Tensor:
		v.resolve(in, o.Map)
		for _, e := range o.Coords {
			v.resolve(in, e)
		}
	}
}

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
