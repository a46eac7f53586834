package ptx

import (
	"fmt"
	"strconv"
	"strings"
)

// maxDepth bounds the nesting of blocks, operands and expressions, so that a
// hostile text cannot exhaust the stack.
const maxDepth = 200

// Parse reads a module: what this project prints, and what nvcc and Triton
// write. Debug sections and the function names of ".loc" are dropped, constant
// expressions are folded, and "a, b" declarations become one node each.
//
// The error is an *Error; its column counts bytes. Parse checks syntax only:
// Verify finds undeclared names and wrong operands.
func Parse(text string) (*Module, error) {
	p := &parser{toks: lex(text), scope: newScope(nil)}
	if t := p.toks[len(p.toks)-1]; t.kind == bad {
		return nil, &Error{Pos: t.pos, Msg: t.text}
	}
	m := p.module()
	if p.err != nil {
		return nil, p.err
	}
	return m, nil
}

// parser is a recursive-descent parser. Its error is sticky: the first one
// moves the parser to the end of the text, where every loop stops, so the
// methods need no error results.
type parser struct {
	toks  []token // the last one is eof
	i     int
	scope *scope              // tells registers from symbols
	src   Source              // of the last .loc
	locs  map[Source]inlining // what an "inlined_at" can refer to
	depth int
	err   *Error
}

func (p *parser) tok() token       { return p.toks[p.i] }
func (p *parser) is(s string) bool { return p.toks[p.i].text == s }
func (p *parser) atEnd() bool      { return p.toks[p.i].kind == eof }

// peek is the token after the current one.
func (p *parser) peek() token { return p.toks[min(p.i+1, len(p.toks)-1)] }

// next consumes a token.
func (p *parser) next() token {
	t := p.toks[p.i]
	if t.kind != eof {
		p.i++
	}
	return t
}

// accept consumes the token s if it is next.
func (p *parser) accept(s string) bool {
	if !p.is(s) {
		return false
	}
	p.i++
	return true
}

// fail records the first error.
func (p *parser) fail(pos Pos, format string, args ...any) {
	if p.err == nil {
		p.err = &Error{Pos: pos, Msg: fmt.Sprintf(format, args...)}
	}
	p.i = len(p.toks) - 1
}

// expected fails at the current token.
func (p *parser) expected(what string) {
	p.fail(p.tok().pos, "found %s, expected %s", describe(p.tok()), what)
}

// expect consumes the token s or fails. A token that should have closed the
// line before is reported there, where the reader has to add it.
func (p *parser) expect(s, advice string) {
	if p.accept(s) || p.err != nil {
		return
	}
	t, pos := p.tok(), p.tok().pos
	if p.i > 0 && p.toks[p.i-1].pos.Line < pos.Line {
		pos = p.toks[p.i-1].end()
	}
	p.fail(pos, "found %s, expected %q %s", describe(t), s, advice)
}

// enter counts a nesting level; every successful enter has a leave.
func (p *parser) enter() bool {
	p.depth++
	if p.depth <= maxDepth {
		return true
	}
	p.fail(p.tok().pos, "nested more than %d deep", maxDepth)
	return false
}

func (p *parser) leave() { p.depth-- }

// describe names a token in a message.
func describe(t token) string {
	switch t.kind {
	case eof:
		return "the end of the text"
	case quoted:
		return t.text
	}
	return strconv.Quote(t.text)
}

// name consumes a name.
func (p *parser) name(what string) string {
	if t := p.tok(); t.kind != word || t.text == "_" {
		p.expected(what)
		return ""
	}
	return p.next().text
}

// text consumes a quoted string and returns it without its quotes.
func (p *parser) text(what string) string {
	if p.tok().kind != quoted {
		p.expected(what)
		return ""
	}
	return strings.Trim(p.next().text, `"`)
}

// number consumes a plain non-negative integer.
func (p *parser) number(what string) int {
	t := p.tok()
	if t.kind == number {
		if v, ok := decodeInt(t.text); ok && v.Value >= 0 && v.Value <= 1<<40 {
			p.next()
			return int(v.Value)
		}
	}
	p.expected(what)
	return 0
}

// module parses the whole text.
func (p *parser) module() *Module {
	m := &Module{}
	if !p.is(".version") {
		p.expected(`".version": a module begins with ".version 8.6", ".target sm_90a", ".address_size 64"`)
	}
	for !p.atEnd() {
		p.moduleItem(m)
	}
	return m
}

func (p *parser) moduleItem(m *Module) {
	t := p.tok()
	switch t.text {
	case ".version":
		p.next()
		m.Version = p.version()
	case ".target":
		p.next()
		m.Target = append(m.Target, p.name(`a target such as "sm_90a"`))
		for p.accept(",") {
			m.Target = append(m.Target, p.name("a target option"))
		}
	case ".address_size":
		p.next()
		m.AddressSize = p.number("32 or 64")
	case ".file":
		m.Files = append(m.Files, p.file())
	case ".loc":
		p.loc()
	case ".section":
		p.section()
	case ".pragma":
		for _, d := range p.pragma() {
			m.Decls = append(m.Decls, d)
		}
	case ".alias":
		m.Decls = append(m.Decls, p.alias())
	case ";":
		p.next()
	case ".entry", ".func", ".extern", ".visible", ".weak", ".common", ".global", ".const", ".shared", ".local":
		linkage := p.linkage()
		switch {
		case p.is(".entry"), p.is(".func"):
			if f := p.function(linkage); f != nil {
				m.Decls = append(m.Decls, f)
			}
		default:
			for _, v := range p.variables(linkage) {
				m.Decls = append(m.Decls, v)
			}
		}
	default:
		switch t.kind {
		case dotted:
			p.fail(t.pos, "unknown directive %s at module scope; expected .entry, .func, or a variable in .global, .const or .shared", t.text)
		case word:
			p.fail(t.pos, "found %q at module scope; instructions belong between the braces of an .entry or .func", t.text)
		default:
			p.expected("a directive such as .entry, .func or .global")
		}
	}
}

// version parses "8.6", which the lexer gives as one number.
func (p *parser) version() Version {
	major, minor, _ := strings.Cut(p.tok().text, ".")
	a, err1 := strconv.Atoi(major)
	b, err2 := strconv.Atoi(minor)
	if p.tok().kind != number || err1 != nil || err2 != nil {
		p.expected(`a version such as "8.6"`)
		return Version{}
	}
	p.next()
	return Version{a, b}
}

// linkage parses the linkage directives before a declaration.
func (p *parser) linkage() Linkage {
	switch t := p.tok().text; t {
	case ".extern", ".visible", ".weak", ".common":
		p.next()
		return Linkage(t[1:])
	}
	return ""
}

// file parses `.file 1 "name"`, with the time stamp and size that old
// compilers add.
func (p *parser) file() File {
	p.next()
	f := File{Index: p.number("a file index"), Name: p.text("a quoted file name")}
	for p.accept(",") {
		p.number("a time stamp or a size")
	}
	return f
}

// section skips a debug section.
func (p *parser) section() {
	open := p.next()
	if p.tok().kind != dotted && p.tok().kind != word {
		p.expected("a section name such as .debug_info")
	}
	p.next()
	p.expect("{", "before the contents of the section")
	for depth := 1; depth > 0; {
		switch {
		case p.atEnd():
			p.fail(open.pos, "this section has no closing \"}\"")
			return
		case p.is("{"):
			depth++
		case p.is("}"):
			depth--
		}
		p.next()
	}
}

// pragma parses `.pragma "a", "b";`.
func (p *parser) pragma() []*Pragma {
	pos := p.next().pos
	list := []*Pragma{{Text: p.text("a quoted pragma"), Pos: pos}}
	for p.accept(",") {
		list = append(list, &Pragma{Text: p.text("a quoted pragma"), Pos: pos})
	}
	p.expect(";", "after the pragma")
	return list
}

// alias parses ".alias name, target;".
func (p *parser) alias() *Alias {
	pos := p.next().pos
	a := &Alias{Name: p.name("the name of the alias"), Pos: pos}
	p.expect(",", "between an alias and its function")
	a.Target = p.name("the function that the alias stands for")
	p.expect(";", "after the alias")
	return a
}
