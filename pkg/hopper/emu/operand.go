package emu

import (
	"math"

	"gohopper/pkg/hopper/ptx"
)

// src32 is the row of a source operand of up to 32 bits: a register, a special
// register, an integer or Float32 constant, the address of a variable.
// A Float64 constant is rounded to float32 (PTX 4.5.2).
func (c *compiler) src32(o ptx.Operand) (row int) {
	switch o := o.(type) {
	case ptx.Reg:
		r := c.source(o.Name)
		switch r.kind {
		case kind32:
			return r.row
		case kindPred:
			c.failf("%s is a predicate where a number is expected: use selp", o.Name)
		default:
			c.failf("%s has %d bits where at most 32 are expected", o.Name, r.bits)
		}
		return 0
	case ptx.Float64:
		return c.const32(math.Float32bits(float32(math.Float64frombits(o.Bits))))
	case ptx.Float32:
		return c.const32(o.Bits)
	}
	v, ok := c.constant(o)
	if !ok {
		c.failf("an operand of %s cannot be read as a number of up to 32 bits", c.in.Name())
	}
	return c.const32(uint32(v))
}

// src64 is the same for 64 bits; a Float64 constant keeps its bits.
func (c *compiler) src64(o ptx.Operand) (row int) {
	if o, ok := o.(ptx.Reg); ok {
		r := c.source(o.Name)
		if r.kind != kind64 {
			c.failf("%s has %d bits where 64 are expected", o.Name, r.bits)
			return 0
		}
		return r.row
	}
	v, ok := c.constant(o)
	if !ok {
		c.failf("an operand of %s cannot be read as a 64-bit number", c.in.Name())
	}
	return c.const64(v)
}

// srcPred is the row of a predicate operand and whether it is negated.
func (c *compiler) srcPred(o ptx.Operand) (row int, not bool) {
	switch o := o.(type) {
	case ptx.Not:
		row, not = c.srcPred(o.X)
		return row, !not
	case ptx.Reg:
		r := c.source(o.Name)
		if r.kind != kindPred {
			c.failf("%s is not a predicate", o.Name)
			return 0, false
		}
		return r.row, false
	case ptx.Int: // "1" and "0" stand for true and false
		p := c.prog
		p.preds = append(p.preds, 0)
		if o.Value != 0 {
			p.preds[len(p.preds)-1] = allLanes
		}
		return len(p.preds) - 1, false
	}
	c.failf("an operand of %s is not a predicate", c.in.Name())
	return 0, false
}

// dst32, dst64 and dstPred are the rows of a destination. The sink "_" is a
// row that nobody reads.
func (c *compiler) dst32(o ptx.Operand) (row int)   { return c.destination(o, kind32) }
func (c *compiler) dst64(o ptx.Operand) (row int)   { return c.destination(o, kind64) }
func (c *compiler) dstPred(o ptx.Operand) (row int) { return c.destination(o, kindPred) }

// src128 and dst128 are the first of the two 64-bit rows of a b128 register,
// its low half.
func (c *compiler) src128(o ptx.Operand) (row int) { return c.destination(o, kind128) }
func (c *compiler) dst128(o ptx.Operand) (row int) { return c.destination(o, kind128) }

func (c *compiler) destination(o ptx.Operand, k regKind) int {
	switch o := o.(type) {
	case ptx.Reg:
		r, ok := c.register(o.Name)
		switch {
		case !ok:
			c.failf("%s is not declared, or cannot be written", o.Name)
		case r.kind != k && k == kindPred:
			c.failf("%s is not a predicate", o.Name)
		case r.kind != k:
			c.failf("%s has %d bits, which does not fit %s here", o.Name, r.bits, c.in.Name())
		}
		return r.row
	case ptx.Sink:
		if c.sinks[k] == 0 {
			c.sinks[k] = c.newRegister([]ptx.Type{"b32", "b64", "b128", "pred"}[k]).row + 1
		}
		return c.sinks[k] - 1
	}
	c.failf("the destination of %s is not a register", c.in.Name())
	return 0
}

// width is the bits of a register operand, 1 for a predicate, and 0 for
// anything else.
func (c *compiler) width(o ptx.Operand) int {
	if r, ok := o.(ptx.Reg); ok {
		return c.source(r.Name).bits
	}
	return 0
}

// elements are the members of a vector operand: "{a, b}" or the name of a
// vector register. A scalar is its own only element.
func (c *compiler) elements(o ptx.Operand) []ptx.Operand {
	switch o := o.(type) {
	case ptx.Vec:
		return o.Elems
	case ptx.Reg:
		if decl, _ := c.scope.declaration(o.Name); decl != nil && decl.Vector > 0 && decl.Name == o.Name {
			var es []ptx.Operand
			for _, s := range []string{".x", ".y", ".z", ".w"}[:decl.Vector] {
				es = append(es, ptx.Reg{Name: o.Name + s})
			}
			return es
		}
	}
	return []ptx.Operand{o}
}

// constant is the value of an integer, floating-point or address operand.
func (c *compiler) constant(o ptx.Operand) (uint64, bool) {
	switch o := o.(type) {
	case ptx.Int:
		return uint64(o.Value), true
	case ptx.Float32:
		return uint64(o.Bits), true
	case ptx.Float64:
		return o.Bits, true
	case ptx.Sym:
		if o.Name == "WARP_SZ" {
			return lanes, true
		}
		if v, ok := c.scope.variable(o.Name); ok {
			return v.addr + uint64(o.Offset), true
		}
		if fn := c.mod.function(o.Name); fn != nil {
			return c.mod.codeAddress(fn), true
		}
		c.failf("%s is not declared, or is a function without a body", o.Name)
		return 0, true
	}
	return 0, false
}

// immediate is the value of an operand that must be a constant.
func (c *compiler) immediate(o ptx.Operand) int64 {
	v, ok := o.(ptx.Int)
	if !ok {
		c.failf("an operand of %s must be an integer constant", c.in.Name())
	}
	return v.Value
}

// args checks the number of operands and returns them.
func (c *compiler) args(atLeast, atMost int) []ptx.Operand {
	if n := len(c.in.Args); n < atLeast || n > atMost {
		c.failf("%s has %d operands", c.in.Name(), n)
		return append(append([]ptx.Operand(nil), c.in.Args...), make([]ptx.Operand, atMost)...)
	}
	return c.in.Args
}

// source finds a register to read, special ones included.
func (c *compiler) source(name string) register {
	if r, ok := c.register(name); ok {
		return r
	}
	return c.specialRegister(name)
}

func (c *compiler) const32(v uint32) int {
	if row, ok := c.words32[v]; ok {
		return row
	}
	p := c.prog
	p.rows32 = append(p.rows32, filled32(v))
	c.words32[v] = len(p.rows32) - 1
	return c.words32[v]
}

func (c *compiler) const64(v uint64) int {
	if row, ok := c.words64[v]; ok {
		return row
	}
	p := c.prog
	p.rows64 = append(p.rows64, filled64(v))
	c.words64[v] = len(p.rows64) - 1
	return c.words64[v]
}
