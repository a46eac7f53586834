package ptx

// function checks one function and declares it for those that follow.
func (v *verifier) function(f *Func) {
	v.declareFunc(f)
	outer := v.scope
	v.scope = newScope(outer)
	defer func() { v.scope = outer }()
	for _, r := range f.Returns {
		v.declareVar(r)
	}
	v.inputs = map[*Var]bool{}
	for _, p := range f.Params {
		v.declareVar(p)
		v.inputs[p] = true
	}
	v.directives(f)
	if f.Body == nil {
		return
	}
	v.labels = map[string]bool{}
	collectLabels(f.Body, v.labels)
	v.statements(f.Body)
	if f.Entry {
		v.entry(f)
	}
}

// collectLabels notes the labels of a block and the blocks in it.
func collectLabels(b *Block, labels map[string]bool) {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *Label:
			labels[s.Name] = true
		case *Block:
			collectLabels(s, labels)
		}
	}
}

// block checks a nested block.
func (v *verifier) block(b *Block) {
	outer := v.scope
	v.scope = newScope(outer)
	v.statements(b)
	v.scope = outer
}

// statements checks a block in the current scope. Labels are known before
// their place, everything else from its declaration on.
func (v *verifier) statements(b *Block) {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *Label:
			v.declare(s.Name, s, s.Pos)
		case *Targets:
			v.declare(s.Label, s, s.Pos)
		}
	}
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *Regs:
			v.declare(s.Name, s, s.Pos)
		case *Var:
			v.declareVar(s)
		case *Block:
			v.block(s)
		case *Targets:
			v.targets(s)
		case *Instr:
			v.instruction(s)
		}
	}
}

func (v *verifier) declare(name string, decl any, pos Pos) {
	if old := v.scope.declare(name, decl); old != nil {
		v.duplicate(name, old, pos)
	}
}

func (v *verifier) duplicate(name string, old any, pos Pos) {
	where := ""
	if p := declPos(old); p != (Pos{}) {
		where = " at " + p.String()
	}
	v.at(pos, RuleDuplicate, "%s is already declared in this scope as a %s%s; rename one of them", name, declKind(old), where)
}

// declareVar declares a variable. An extern declaration may be repeated and
// may be followed by its definition.
func (v *verifier) declareVar(d *Var) {
	if d.Name == "_" {
		return
	}
	old := v.scope.declare(d.Name, d)
	if old == nil {
		return
	}
	if o, ok := old.(*Var); ok && o.Space == d.Space && (o.Linkage == "extern" || d.Linkage == "extern" || d.Linkage == "common") {
		return
	}
	v.duplicate(d.Name, old, d.Pos)
}

// declareFunc declares a function, which may have been declared without a
// body before.
func (v *verifier) declareFunc(f *Func) {
	old := v.scope.declare(f.Name, f)
	if old == nil {
		return
	}
	o, ok := old.(*Func)
	if !ok || o.Body != nil && f.Body != nil {
		v.duplicate(f.Name, old, f.Pos)
		return
	}
	if o.Body == nil {
		v.scope.names[f.Name] = f
	}
}

func (v *verifier) alias(a *Alias) {
	if _, ok := v.scope.lookup(a.Target).(*Func); !ok {
		v.at(a.Pos, RuleUndeclared, ".alias %s stands for %s, which is not a function declared before it", a.Name, a.Target)
	}
	v.scope.names[a.Name] = v.scope.lookup(a.Target)
}

// targets checks the labels or functions of an indirect branch or call.
func (v *verifier) targets(t *Targets) {
	for _, name := range t.Names {
		switch d := v.scope.lookup(name).(type) {
		case *Label:
			if t.Kind != "branchtargets" {
				v.at(t.Pos, RuleBranch, ".%s lists the label %s; it takes functions", t.Kind, name)
			}
		case *Func:
			if t.Kind != "calltargets" {
				v.at(t.Pos, RuleBranch, ".%s lists the function %s; it takes labels", t.Kind, name)
			}
		case nil:
			v.at(t.Pos, RuleUndeclared, ".%s lists %s, which is not declared", t.Kind, name)
		default:
			v.at(t.Pos, RuleBranch, ".%s lists %s, which is a %s", t.Kind, name, declKind(d))
		}
	}
}

// declKind names what a declaration declares.
func declKind(d any) string {
	switch d := d.(type) {
	case *Regs:
		return "." + string(d.Type) + " register"
	case *Var:
		if d.Space == Param {
			return "parameter"
		}
		if d.Space == "reg" {
			return "." + string(d.Type) + " register"
		}
		return "." + string(d.Space) + " variable"
	case *Label:
		return "label"
	case *Func:
		return "function"
	}
	return "list of targets"
}

func declPos(d any) Pos {
	switch d := d.(type) {
	case *Regs:
		return d.Pos
	case *Var:
		return d.Pos
	case *Label:
		return d.Pos
	case *Func:
		return d.Pos
	case *Targets:
		return d.Pos
	}
	return Pos{}
}
