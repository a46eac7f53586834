package ptx

import (
	"fmt"
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
		v.namedBarrier(in)
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
	if strings.HasPrefix(name, "%") {
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
