package ptx

import "strings"

// block parses a brace-delimited list of statements; the current token is its
// "{".
func (p *parser) block() *Block {
	open := p.next()
	b := &Block{}
	if !p.enter() {
		return b
	}
	outer := p.scope
	p.scope = newScope(outer)
	for !p.is("}") {
		if p.atEnd() {
			p.fail(open.pos, "this \"{\" has no closing \"}\"")
			break
		}
		b.Stmts = p.statement(b.Stmts)
	}
	p.accept("}")
	p.scope = outer
	p.leave()
	return b
}

// statement parses one statement and appends what it declares or does.
func (p *parser) statement(list []Stmt) []Stmt {
	t := p.tok()
	switch t.kind {
	case word:
		if p.peek().text == ":" {
			return append(list, p.label())
		}
		return append(list, p.instruction(nil))
	case dotted:
		return p.directiveStmt(list)
	}
	switch t.text {
	case "{":
		return append(list, p.block())
	case ";":
		p.next()
		return list
	case "@":
		return append(list, p.guarded())
	}
	p.expected(`an instruction, a declaration or "}"`)
	return list
}

// directiveStmt parses a statement that begins with a directive.
func (p *parser) directiveStmt(list []Stmt) []Stmt {
	t := p.tok()
	switch t.text {
	case ".reg":
		for _, r := range p.registers() {
			list = append(list, r)
		}
	case ".local", ".shared", ".param", ".global", ".const", ".extern", ".weak", ".visible", ".common":
		for _, v := range p.variables(p.linkage()) {
			list = append(list, v)
		}
	case ".loc":
		p.loc()
	case ".pragma":
		for _, g := range p.pragma() {
			list = append(list, g)
		}
	case ".branchtargets", ".calltargets", ".callprototype":
		p.fail(t.pos, "found %s without a label; write \"name: %s …;\"", t.text, t.text)
	default:
		p.fail(t.pos, "unknown directive %s in a function body; expected .reg, .local, .shared, .param, .loc or .pragma", t.text)
	}
	return list
}

// label parses "name:", or the labelled list that follows it.
func (p *parser) label() Stmt {
	t := p.next()
	p.next()
	switch p.tok().text {
	case ".branchtargets", ".calltargets":
		s := &Targets{Label: t.text, Kind: p.next().text[1:], Pos: t.pos}
		s.Names = append(s.Names, p.name("a target"))
		for p.accept(",") {
			s.Names = append(s.Names, p.name("a target"))
		}
		p.expect(";", "after the targets")
		return s
	case ".callprototype":
		s := &Targets{Label: t.text, Kind: p.next().text[1:], Pos: t.pos}
		var words []string
		for !p.is(";") && !p.atEnd() {
			words = append(words, p.next().text)
		}
		s.Proto = strings.Join(words, " ")
		p.expect(";", "after the prototype")
		return s
	}
	return &Label{Name: t.text, Pos: t.pos}
}

// registers parses ".reg .b32 %r<8>, %x;".
func (p *parser) registers() []*Regs {
	r := Regs{Pos: p.next().pos}
	switch p.tok().text {
	case ".v2":
		r.Vector = 2
		p.next()
	case ".v4":
		r.Vector = 4
		p.next()
	}
	if t := p.tok(); t.kind == dotted && Type(t.text[1:]).known() {
		r.Type = Type(p.next().text[1:])
	} else {
		p.expected("a register type such as .b32, .f32 or .pred")
	}
	var list []*Regs
	for {
		one := r
		one.Name = p.name("a register name")
		if p.accept("<") {
			at := p.tok().pos
			one.Count = p.number("the number of registers")
			if p.err == nil && one.Count == 0 {
				p.fail(at, "%s<0> declares no register; count at least 1", one.Name)
			}
			p.expect(">", "after the number of registers")
		}
		list = append(list, &one)
		p.scope.add(&one)
		if !p.accept(",") {
			break
		}
	}
	p.expect(";", "after the registers")
	return list
}

// guarded parses "@p" or "@!p" and its instruction.
func (p *parser) guarded() *Instr {
	pos := p.next().pos
	g := &Guard{Not: p.accept("!")}
	g.Reg = p.name("a predicate register after \"@\"")
	if p.tok().kind != word && p.err == nil {
		p.expected("an instruction after the guard @" + g.Reg)
	}
	in := p.instruction(g)
	in.Pos = pos
	return in
}

// instruction parses from the opcode to the semicolon.
func (p *parser) instruction(g *Guard) *Instr {
	t := p.next()
	in := &Instr{Guard: g, Op: t.text, Pos: t.pos, Src: p.src}
	n := 0
	for p.toks[min(p.i+n, len(p.toks)-1)].kind == dotted {
		n++
	}
	if n > 0 {
		in.Mods = make([]string, n)
		for i := range in.Mods {
			in.Mods[i] = p.next().text[1:]
		}
	}
	if p.accept(";") {
		return in
	}
	for {
		if in.Op == "call" && p.accept("(") {
			in.Args = append(in.Args, Paren{p.operands(")")})
		} else {
			in.Args = append(in.Args, p.operand())
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(";", "after the instruction")
	return in
}
