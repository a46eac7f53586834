package ptx

import (
	"math"
	"strconv"
	"strings"
)

// warpSize is the value of WARP_SZ (PTX 4.5.1).
const warpSize = 32

// precedence of the binary operators of constant expressions (PTX 4.5.4).
var precedence = map[string]int{
	"*": 10, "/": 10, "%": 10,
	"+": 9, "-": 9,
	"<<": 8, ">>": 8,
	"<": 7, ">": 7, "<=": 7, ">=": 7,
	"==": 6, "!=": 6,
	"&": 5, "^": 4, "|": 3, "&&": 2, "||": 1,
}

// constant parses a constant expression and folds it to Int or Float64, or to
// Float32 for a single "0f" constant. It returns nil after an error.
func (p *parser) constant() Operand {
	c := p.binary(1)
	if !p.is("?") || p.err != nil {
		return c
	}
	t := p.next()
	a := p.constant()
	p.expect(":", "between the choices of \"?:\"")
	b := p.constant()
	cond, ok := c.(Int)
	if !ok {
		if p.err == nil {
			p.fail(t.pos, "the condition of \"?:\" is not an integer")
		}
		return nil
	}
	if cond.Value != 0 {
		return a
	}
	return b
}

// binary parses operators of at least the given precedence.
func (p *parser) binary(least int) Operand {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	a := p.unary()
	for {
		op := p.tok()
		prec := precedence[op.text]
		if prec < least || op.kind != punct {
			return a
		}
		p.next()
		b := p.binary(prec + 1)
		if p.err != nil {
			return nil
		}
		x, okX := a.(Int)
		y, okY := b.(Int)
		if !okX || !okY {
			p.fail(op.pos, "%q between floating-point constants is not supported; write the value", op.text)
			return nil
		}
		r, ok := fold(op.text, x, y)
		if !ok {
			p.fail(op.pos, "this constant expression divides by zero")
			return nil
		}
		a = r
	}
}

// unary parses signs, casts, parentheses and single constants.
func (p *parser) unary() Operand {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	t := p.tok()
	switch {
	case t.kind == number:
		return p.single()
	case t.text == "WARP_SZ":
		p.next()
		return Int{Value: warpSize}
	case t.text == "(":
		p.next()
		if c := p.tok().text; c == ".s64" || c == ".u64" {
			p.next()
			p.expect(")", "after the cast")
			x, ok := p.unary().(Int)
			if !ok && p.err == nil {
				p.fail(t.pos, "only an integer can be cast to %s", c)
			}
			return Int{x.Value, c == ".u64"}
		}
		c := p.constant()
		p.expect(")", "after the expression")
		return c
	case t.kind == punct && strings.Contains("-+~!", t.text) && t.text != "":
		p.next()
		return p.sign(t, p.unary())
	}
	p.expected("an operand: a register, a variable, a constant, \"[address]\" or \"{list}\"")
	return nil
}

// sign applies a unary operator.
func (p *parser) sign(op token, x Operand) Operand {
	switch x := x.(type) {
	case Int:
		switch op.text {
		case "-":
			return Int{-x.Value, x.Unsigned}
		case "~":
			return Int{^x.Value, x.Unsigned}
		case "!":
			return truth(x.Value == 0)
		}
		return x
	case Float64:
		switch op.text {
		case "-":
			return Float64{x.Bits ^ 1<<63}
		case "+":
			return x
		}
	case Float32:
		switch op.text {
		case "-":
			return Float32{x.Bits ^ 1<<31}
		case "+":
			return x
		}
	}
	if p.err == nil {
		p.fail(op.pos, "%q does not apply to a floating-point constant", op.text)
	}
	return nil
}

func truth(b bool) Int {
	if b {
		return Int{Value: 1}
	}
	return Int{}
}

// fold computes one operator on 64-bit integers; the result is unsigned if an
// operand is, and shifts and comparisons go by their left operand (PTX 4.5.5).
func fold(op string, a, b Int) (r Int, ok bool) {
	x, y := a.Value, b.Value
	ux, uy := uint64(x), uint64(y)
	unsigned := a.Unsigned || b.Unsigned
	r.Unsigned = unsigned
	switch op {
	case "+":
		r.Value = x + y
	case "-":
		r.Value = x - y
	case "*":
		r.Value = x * y
	case "/", "%":
		if y == 0 {
			return r, false
		}
		switch {
		case op == "/" && unsigned:
			r.Value = int64(ux / uy)
		case op == "/":
			r.Value = x / y
		case unsigned:
			r.Value = int64(ux % uy)
		default:
			r.Value = x % y
		}
	case "<<":
		r = Int{x << min(uy, 64), a.Unsigned}
	case ">>":
		if r = (Int{x >> min(uy, 64), a.Unsigned}); a.Unsigned {
			r.Value = int64(ux >> min(uy, 64))
		}
	case "&":
		r.Value = x & y
	case "|":
		r.Value = x | y
	case "^":
		r.Value = x ^ y
	case "&&":
		return truth(x != 0 && y != 0), true
	case "||":
		return truth(x != 0 || y != 0), true
	case "==":
		return truth(x == y), true
	case "!=":
		return truth(x != y), true
	default:
		less := x < y
		if unsigned {
			less = ux < uy
		}
		switch op {
		case "<":
			return truth(less), true
		case "<=":
			return truth(less || x == y), true
		case ">":
			return truth(!less && x != y), true
		default: // ">="
			return truth(!less), true
		}
	}
	return r, true
}

// single decodes a number token.
func (p *parser) single() Operand {
	t := p.tok()
	if c := decodeNumber(t.text); c != nil {
		p.next()
		return c
	}
	p.fail(t.pos, "found the malformed constant %q; write 12, 0x1F, 5U, 1.5, 0f3F800000 or 0d3FF0000000000000 (8 and 16 hexadecimal digits, at most 64 bits)", t.text)
	return nil
}

// decodeNumber decodes an integer or floating-point constant (PTX 4.5.1,
// 4.5.2), or returns nil.
func decodeNumber(s string) Operand {
	if len(s) > 2 && s[0] == '0' {
		switch s[1] {
		case 'f', 'F':
			if v, err := strconv.ParseUint(s[2:], 16, 32); err == nil && len(s) == 10 {
				return Float32{uint32(v)}
			}
			return nil
		case 'd', 'D':
			if v, err := strconv.ParseUint(s[2:], 16, 64); err == nil && len(s) == 18 {
				return Float64{v}
			}
			return nil
		}
	}
	if v, ok := decodeInt(s); ok {
		return v
	}
	if strings.ContainsAny(s, "_xXpPnNiI") || !strings.ContainsAny(s, ".eE") {
		return nil
	}
	if v, err := strconv.ParseFloat(s, 64); err == nil {
		return Float64{math.Float64bits(v)}
	}
	return nil
}

// decodeInt decodes a decimal, hexadecimal, octal or binary integer with an
// optional U. One that needs the 64th bit is unsigned.
func decodeInt(s string) (Int, bool) {
	digits, unsigned := strings.CutSuffix(s, "U")
	base := 10
	if len(digits) > 1 && digits[0] == '0' {
		switch digits[1] {
		case 'x', 'X':
			base, digits = 16, digits[2:]
		case 'b', 'B':
			base, digits = 2, digits[2:]
		default:
			base, digits = 8, digits[1:]
		}
	}
	v, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		return Int{}, false
	}
	return Int{int64(v), unsigned || v > math.MaxInt64}, true
}
