package ptx

// function parses ".entry" or ".func", with a body or as a declaration.
func (p *parser) function(linkage Linkage) *Func {
	t := p.next()
	f := &Func{Linkage: linkage, Entry: t.text == ".entry", Pos: t.pos}
	outer := p.scope
	p.scope, p.src = newScope(outer), Source{}
	defer func() { p.scope = outer }()

	if !f.Entry && p.is("(") {
		f.Returns = p.parameters()
	}
	f.Name = p.name("the name of the function")
	if p.is("(") {
		f.Params = p.parameters()
	}
	f.Directives = p.directives()
	switch {
	case p.accept(";"):
	case p.is("{"):
		f.Body = p.block()
	case f.Entry:
		p.expected(`"{" or an entry directive such as .maxntid or .reqnctapercluster`)
	default:
		p.expected(`"{" for a body or ";" for a declaration`)
	}
	return f
}

// parameters parses a parenthesised parameter list.
func (p *parser) parameters() []*Var {
	p.next()
	var list []*Var
	for !p.is(")") && !p.atEnd() {
		list = append(list, p.parameter())
		if !p.is(")") {
			p.expect(",", `or ")" after a parameter`)
		}
	}
	p.expect(")", "after the parameters")
	return list
}

// directives parses what stands between a function's parameters and its body
// (PTX 11.4). Any directive with integer values is taken, since new ones
// appear with every release; Verify knows their meaning.
func (p *parser) directives() []Directive {
	var list []Directive
	for p.tok().kind == dotted {
		t := p.next()
		if t.text == ".pragma" {
			p.i--
			for _, g := range p.pragma() {
				list = append(list, Directive{Name: "pragma", Text: g.Text, Pos: t.pos})
			}
			continue
		}
		if !knownDirective(t.text[1:]) {
			p.fail(t.pos, "unknown function directive %s; expected one such as .maxntid, .reqntid, .minnctapersm, .maxnreg or .reqnctapercluster", t.text)
			return nil
		}
		d := Directive{Name: t.text[1:], Pos: t.pos}
		for p.tok().kind == number {
			d.Values = append(d.Values, p.number("a number"))
			if !p.accept(",") {
				break
			}
		}
		list = append(list, d)
	}
	return list
}

func knownDirective(name string) bool {
	switch name {
	case "maxntid", "reqntid", "minnctapersm", "maxnctapersm", "maxnreg", "noreturn",
		"explicitcluster", "reqnctapercluster", "maxclusterrank", "blocksareclusters",
		"abi_preserve", "abi_preserve_control":
		return true
	}
	return false
}

// variables parses ".global .align 4 .u32 a = 1, b[2];".
func (p *parser) variables(linkage Linkage) []*Var {
	head := p.variableHead(linkage)
	list := []*Var{p.variable(head, p.name("a variable name"))}
	for p.accept(",") {
		list = append(list, p.variable(head, p.name("a variable name")))
	}
	p.expect(";", "after the variable")
	return list
}

// parameter parses one parameter, which may be anonymous: "_".
func (p *parser) parameter() *Var {
	head := p.variableHead("")
	if p.accept("_") {
		return p.variable(head, "_")
	}
	return p.variable(head, p.name("a parameter name"))
}

// variableHead parses what declarations in one list have in common.
func (p *parser) variableHead(linkage Linkage) Var {
	t := p.tok()
	v := Var{Linkage: linkage, Pos: t.pos}
	switch t.text {
	case ".global", ".const", ".shared", ".local", ".param", ".reg":
		v.Space = Space(t.text[1:])
		p.next()
		p.attributes(&v)
	default:
		p.expected("a state space: .global, .const, .shared, .local or .param")
	}
	return v
}

// variable parses what follows the name, and declares it.
func (p *parser) variable(head Var, name string) *Var {
	v := &head
	v.Name = name
	p.dims(v)
	if p.accept("=") {
		p.initialiser(v)
	}
	if name != "_" {
		p.scope.names[name] = v
	}
	return v
}

// attributes parses alignment, vector, type, .ptr and .attribute in the order
// in which they come.
func (p *parser) attributes(v *Var) {
	for p.tok().kind == dotted {
		t := p.next()
		switch t.text {
		case ".align":
			align := &v.Align
			if v.Ptr {
				align = &v.PtrAlign
			}
			*align = p.number("an alignment in bytes")
		case ".v2":
			v.Vector = 2
		case ".v4":
			v.Vector = 4
		case ".v8":
			v.Vector = 8
		case ".ptr":
			v.Ptr = true
		case ".global", ".const", ".shared", ".local", ".param":
			if !v.Ptr {
				p.fail(t.pos, "found a second state space, %s", t.text)
				return
			}
			v.PtrSpace = Space(t.text[1:])
		case ".attribute":
			v.Attribute = p.attribute()
		default:
			if v.Type != "" {
				p.fail(t.pos, "found %s after the type .%s, expected a name", t.text, v.Type)
				return
			}
			if !Type(t.text[1:]).known() {
				p.fail(t.pos, "unknown type %s; expected one such as .b32, .u64, .f16x2 or .pred", t.text)
				return
			}
			v.Type = Type(t.text[1:])
		}
	}
	if v.Type == "" {
		p.expected("a type such as .b32 or .f32")
	}
}

// attribute parses "(.managed)" and "(.unified(1, 2))" and returns the text
// inside without the dot.
func (p *parser) attribute() string {
	p.expect("(", "after .attribute")
	if p.tok().kind != dotted {
		p.expected("an attribute such as .managed")
		return ""
	}
	text := p.next().text[1:]
	if p.accept("(") {
		text += "("
		for !p.is(")") && !p.atEnd() {
			text += p.next().text
		}
		text += ")"
		p.expect(")", "after the values of the attribute")
	}
	p.expect(")", "after the attribute")
	return text
}

// dims parses array extents, "[4][2]" or "[]".
func (p *parser) dims(v *Var) {
	for p.accept("[") {
		n := 0
		if !p.is("]") {
			t := p.tok()
			c, ok := p.constant().(Int)
			if !ok || c.Value < 0 || c.Value > maxExtent {
				p.fail(t.pos, "an array extent is an integer from 0 to 2^40")
				return
			}
			n = int(c.Value)
		}
		v.Dims = append(v.Dims, n)
		p.expect("]", "after the array extent")
	}
}
