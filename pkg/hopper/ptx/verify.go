package ptx

import (
	"cmp"
	"fmt"
	"slices"
)

// The rules of Verify. Error.Rule carries the name; testdata/verify has a
// module that breaks each one.
const (
	// RuleHeader: .version, .target and .address_size are there and fit each
	// other.
	RuleHeader = "header"
	// RuleDuplicate: a name is declared once in its scope.
	RuleDuplicate = "duplicate"
	// RuleUndeclared: a register, variable, label or function is declared
	// before it is used, in the same or an enclosing scope.
	RuleUndeclared = "undeclared"
	// RuleBranch: a branch goes to a label that its scope can see.
	RuleBranch = "branch"
	// RuleNeeds: the module's target and version have the instruction.
	RuleNeeds = "needs"
	// RuleOpcode: an instruction exists and has the type and the modifiers that
	// its opcode names.
	RuleOpcode = "opcode"
	// RuleOperands: an instruction has the operands that its form takes.
	RuleOperands = "operands"
	// RuleType: registers and constants have the instruction's type and width
	// (PTX 9.4).
	RuleType = "type"
	// RulePredicate: a predicate stands where one is needed and nowhere else.
	RulePredicate = "predicate"
	// RuleSpecial: special registers are read with their type, by mov or cvt.
	RuleSpecial = "special"
	// RuleAddress: an address is made of a register that can hold one.
	RuleAddress = "address"
	// RuleCall: a call passes what its function takes.
	RuleCall = "call"
	// RuleMatrix: ldmatrix, stmatrix and mma.sync have as many registers as
	// their shape.
	RuleMatrix = "matrix"
	// RuleWgmma: shape, types, registers and immediates of wgmma agree.
	RuleWgmma = "wgmma"
	// RuleCopy: coordinates, sizes and offsets of asynchronous copies fit their
	// opcodes.
	RuleCopy = "copy"
	// RuleMbarrier: arrival counts are in range, remote arrivals discard their
	// state.
	RuleMbarrier = "mbarrier"
	// RuleBarrier: a named barrier exists, and whole warps take part.
	RuleBarrier = "barrier"
	// RuleMaxnreg: setmaxnreg has a legal count and a launch bound to split.
	RuleMaxnreg = "maxnreg"
	// RuleEntry: an entry's directives agree, and it ends by leaving.
	RuleEntry = "entry"
	// RuleLimit: parameters and static shared memory fit.
	RuleLimit = "limit"
	// RuleSource: a source position names a file of the module.
	RuleSource = "source"
)

// Verify reports everything it finds wrong with a module, sorted by position;
// nil means that nothing is. It checks what can be known without running: an
// instruction of PTX that the tables do not describe is not an error. A module
// that was recorded has no positions in a text, so its errors carry the source
// line.
func Verify(m *Module) []*Error {
	v := &verifier{m: m, scope: newScope(nil), files: map[int]string{}}
	for _, f := range m.Files {
		v.files[f.Index] = f.Name
	}
	v.header()
	for _, d := range m.Decls {
		switch d := d.(type) {
		case *Var:
			v.declareVar(d)
		case *Func:
			v.function(d)
		case *Alias:
			v.alias(d)
		}
	}
	slices.SortStableFunc(v.errs, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return v.errs
}

// verifier walks a module once. Its methods report and go on.
type verifier struct {
	m      *Module
	target string // the first word of .target
	files  map[int]string
	scope  *scope
	labels map[string]bool // all labels of the function being checked
	inputs map[*Var]bool   // its parameters
	errs   []*Error
}

// at reports a broken rule at a position.
func (v *verifier) at(pos Pos, rule, format string, args ...any) {
	v.errs = append(v.errs, &Error{Rule: rule, Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

// on reports a broken rule on an instruction.
func (v *verifier) on(in *Instr, rule, format string, args ...any) {
	v.errs = append(v.errs, &Error{
		Rule: rule, Pos: in.Pos, Src: in.Src, File: v.files[in.Src.File],
		Msg: in.Name() + ": " + fmt.Sprintf(format, args...),
	})
}

// oldest is the first PTX version that knows a Hopper target.
var oldest = map[string]Version{"sm_90": {7, 8}, "sm_90a": {8, 0}}

func (v *verifier) header() {
	m := v.m
	if len(m.Target) > 0 {
		v.target = m.Target[0]
	}
	number, _ := splitTarget(v.target)
	switch {
	case m.Version == Version{}:
		v.at(Pos{}, RuleHeader, "the module has no version; write \".version 8.6\"")
	case number == 0:
		v.at(Pos{}, RuleHeader, "the module has no target; write \".target sm_90a\"")
	case m.Version.Less(oldest[v.target]):
		v.at(Pos{}, RuleHeader, ".target %s needs PTX %v or later; the module says .version %v", v.target, oldest[v.target], m.Version)
	case m.AddressSize == 32 && number >= 90:
		v.at(Pos{}, RuleHeader, ".target %s has 64-bit addresses only; write \".address_size 64\"", v.target)
	case m.AddressSize != 0 && m.AddressSize != 32 && m.AddressSize != 64:
		v.at(Pos{}, RuleHeader, ".address_size is %d; write \".address_size 64\"", m.AddressSize)
	}
}
