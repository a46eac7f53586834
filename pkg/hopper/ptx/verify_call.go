package ptx

// call checks the number of results and arguments of a direct call.
func (v *verifier) call(in *Instr) {
	args := in.Args
	var results, passed int
	if l, ok := arg(args, 0).(Paren); ok {
		results, args = len(l.Elems), args[1:]
	}
	callee, ok := arg(args, 0).(Sym)
	if !ok {
		if _, indirect := arg(args, 0).(Reg); !indirect {
			v.on(in, RuleCall, "names no function; write call (results), function, (arguments)")
		} else if _, ok := args[len(args)-1].(Sym); !ok {
			v.on(in, RuleCall, "calls through a register without a prototype; add a label of .callprototype or .calltargets as the last operand")
		}
		return
	}
	if l, ok := arg(args, 1).(Paren); ok {
		passed = len(l.Elems)
	}
	f, ok := v.scope.lookup(callee.Name).(*Func)
	switch {
	case !ok:
		v.on(in, RuleCall, "%s is a %s, expected a function", callee.Name, declKind(v.scope.lookup(callee.Name)))
	case f.Entry:
		v.on(in, RuleCall, "%s is an .entry; only a .func can be called", callee.Name)
	case passed != len(f.Params):
		v.on(in, RuleCall, "passes %d arguments; %s takes %d", passed, f.Name, len(f.Params))
	case results != len(f.Returns):
		v.on(in, RuleCall, "takes %d results; %s returns %d", results, f.Name, len(f.Returns))
	}
}

// arg is the i-th operand of a list, nil past its end.
func arg(list []Operand, i int) Operand {
	if i >= len(list) {
		return nil
	}
	return list[i]
}
