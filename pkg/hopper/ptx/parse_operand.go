package ptx

// operand parses one operand of an instruction.
func (p *parser) operand() Operand {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	t := p.tok()
	switch t.text {
	case "[":
		return p.memory()
	case "{":
		p.next()
		return Vec{p.operands("}")}
	case "_":
		p.next()
		return p.pair(Sink{})
	case "!":
		if p.beforeRegister() {
			p.next()
			return Not{p.operand()}
		}
	case "-":
		if p.beforeRegister() {
			p.next()
			return Neg{p.operand()}
		}
	}
	if t.kind == word && t.text != "WARP_SZ" {
		return p.named()
	}
	return p.constant()
}

// beforeRegister reports whether the token behind the current one is a register.
func (p *parser) beforeRegister() bool {
	t := p.peek()
	return t.kind == word && p.isRegister(t.text)
}

// isRegister tells registers from symbols.
func (p *parser) isRegister(name string) bool {
	if name[0] == '%' {
		return true
	}
	switch d := p.scope.lookup(name).(type) {
	case *Regs:
		return true
	case *Var:
		return d.Space == "reg"
	}
	return false
}

// named parses an operand that begins with a name: a register with its
// element, a pair, or a symbol with its offset.
func (p *parser) named() Operand {
	t := p.next()
	if e := p.tok(); e.kind == dotted && e.pos == t.end() {
		p.next()
		return p.pair(Reg{t.text + e.text}) // only registers have elements
	}
	if !p.isRegister(t.text) {
		return Sym{Name: t.text, Offset: p.offset()}
	}
	return p.pair(Reg{t.text})
}

// pair parses "|b" behind a, if it is there.
func (p *parser) pair(a Operand) Operand {
	if !p.accept("|") {
		return a
	}
	if p.accept("_") {
		return Pair{a, Sink{}}
	}
	b := Reg{p.name(`a register or "_" after "|"`)}
	return Pair{a, b}
}

// operands parses a list up to and including the closing token.
func (p *parser) operands(closing string) []Operand {
	var list []Operand
	for !p.is(closing) && !p.atEnd() {
		list = append(list, p.operand())
		if !p.is(closing) {
			p.expect(",", "or \""+closing+"\" in the list")
		}
	}
	p.expect(closing, "at the end of the list")
	return list
}

// memory parses "[base+offset]" and "[map, {x, y}]".
func (p *parser) memory() Operand {
	p.next()
	var base Operand
	switch t := p.tok(); {
	case t.kind == word && t.text != "_" && t.text != "WARP_SZ":
		p.next()
		if p.isRegister(t.text) {
			base = Reg{t.text}
		} else {
			base = Sym{Name: t.text}
		}
	default:
		c, ok := p.constant().(Int)
		if !ok && p.err == nil {
			p.fail(t.pos, "found a floating-point address, expected a register, a variable or an integer")
		}
		base = c
	}
	offset := p.offset()
	if p.accept(",") {
		if !p.is("{") {
			p.expected(`the coordinates of a tensor, "{x, y}"`)
			return nil
		}
		p.next()
		coords := p.operands("}")
		p.expect("]", "after the coordinates")
		return Tensor{Map: base, Offset: offset, Coords: coords}
	}
	p.expect("]", "after the address")
	return Addr{Base: base, Offset: offset}
}

// offset parses "+4", "-4", "+-4", "-4+8" or nothing: an expression that
// begins with a sign.
func (p *parser) offset() int64 {
	if !p.is("+") && !p.is("-") {
		return 0
	}
	t := p.tok()
	c, ok := p.constant().(Int)
	if !ok && p.err == nil {
		p.fail(t.pos, "found a floating-point offset, expected a number of bytes")
	}
	return c.Value
}
