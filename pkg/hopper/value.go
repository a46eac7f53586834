package hopper

import (
	"math"

	"gohopper/pkg/hopper/ptx"
)

// Int is a signed 32-bit integer, one for each thread, held in a register.
// Its methods are executed by each thread for itself; arithmetic makes a new
// Int and never changes its operands. Where a method takes a Number, it takes
// an Int or a Go int; a Go int becomes an immediate (PTX 9.7.1, 9.7.8).
type Int struct {
	k   *Kernel
	reg string
}

// Number is an Int, a Var or a Go int of at most 32 bits.
type Number any

func (a Int) op() ptx.Operand { return regOp(a.reg) }

// number makes an operand of a Number.
func (k *Kernel) number(n Number) ptx.Operand {
	switch n := n.(type) {
	case int:
		if n < math.MinInt32 || n > math.MaxUint32 {
			k.mistake("the number %d does not fit in 32 bits", n)
			return intOp(0)
		}
		return intOp(n)
	case Int:
		if k.owns("a word", n) {
			return n.op()
		}
	case Var:
		return k.number(n.Int)
	default:
		k.mistake("a number must be an Int, a Var or a Go int, not %T", n)
	}
	return intOp(0)
}

func (a Int) binary(name string, b Number) Int {
	out := a.k.int32()
	a.k.emit(name, out.op(), a.op(), a.k.number(b))
	return out
}

// Add is a + b (add.s32).
func (a Int) Add(b Number) Int { return a.binary("add.s32", b) }

// Sub is a - b (sub.s32).
func (a Int) Sub(b Number) Int { return a.binary("sub.s32", b) }

// Mul is the low 32 bits of a * b (mul.lo.s32).
func (a Int) Mul(b Number) Int { return a.binary("mul.lo.s32", b) }

// Div is a / b, rounded towards zero (div.s32).
func (a Int) Div(b Number) Int { return a.divide("Div", "div.s32", b) }

// Rem is the remainder of Div (rem.s32).
func (a Int) Rem(b Number) Int { return a.divide("Rem", "rem.s32", b) }

func (a Int) divide(word, name string, b Number) Int {
	if b == 0 {
		a.k.mistake("%s by 0; a divisor is not 0", word)
	}
	return a.binary(name, b)
}

// Min is the smaller of both (min.s32).
func (a Int) Min(b Number) Int { return a.binary("min.s32", b) }

// And is the bitwise and (and.b32).
func (a Int) And(b Number) Int { return a.binary("and.b32", b) }

// Or is the bitwise or (or.b32).
func (a Int) Or(b Number) Int { return a.binary("or.b32", b) }

// Xor is the bitwise exclusive or (xor.b32).
func (a Int) Xor(b Number) Int { return a.binary("xor.b32", b) }

// Shl shifts left by 0 to 31 bits (shl.b32).
func (a Int) Shl(bits Number) Int { return a.shift("Shl", "shl.b32", bits) }

// Shr shifts right by 0 to 31 bits and fills with zeros (shr.u32): for
// indices, which are not negative.
func (a Int) Shr(bits Number) Int { return a.shift("Shr", "shr.u32", bits) }

func (a Int) shift(word, name string, bits Number) Int {
	if c, ok := bits.(int); ok && (c < 0 || c > 31) {
		a.k.mistake("%s by %d bits: an Int has 32, so 0 to 31", word, c)
	}
	return a.binary(name, bits)
}

// CeilDiv is the number of tiles of the given size that cover a, which is not
// negative: (a + tile - 1) / tile (add.s32, div.s32).
func (a Int) CeilDiv(tile int) Int {
	if tile < 1 {
		a.k.mistake("CeilDiv(%d): a tile has at least 1 element", tile)
		tile = 1
	}
	return a.Add(tile - 1).Div(tile)
}

// Var is an Int that can be given a new value: a loop-carried register. Var.Int
// is that register and not a copy, so it follows every Set.
type Var struct{ Int }

// Var makes a variable that starts at n (mov.b32).
func (k *Kernel) Var(n Number) Var {
	v := Var{k.int32()}
	k.emit("mov.b32", v.op(), k.number(n))
	return v
}

// Set gives the variable a new value (mov.b32).
func (v Var) Set(n Number) { v.k.emit("mov.b32", v.op(), v.k.number(n)) }

// Pred is a predicate, one for each thread.
type Pred struct {
	k   *Kernel
	reg string
}

func (p Pred) op() ptx.Operand { return regOp(p.reg) }

func (k *Kernel) pred() Pred { return Pred{k, k.reg("%p")} }

func (a Int) compare(how string, b Number) Pred {
	p := a.k.pred()
	a.k.emit("setp."+how+".s32", p.op(), a.op(), a.k.number(b))
	return p
}

// Less is a < b (setp.lt.s32, PTX 9.7.6).
func (a Int) Less(b Number) Pred { return a.compare("lt", b) }

// AtLeast is a >= b (setp.ge.s32).
func (a Int) AtLeast(b Number) Pred { return a.compare("ge", b) }

// Equal is a == b (setp.eq.s32).
func (a Int) Equal(b Number) Pred { return a.compare("eq", b) }

// NotEqual is a != b (setp.ne.s32).
func (a Int) NotEqual(b Number) Pred { return a.compare("ne", b) }

// And is true where both are (and.pred).
func (p Pred) And(q Pred) Pred {
	out := p.k.pred()
	if p.k.owns("Pred.And", q) {
		p.k.emit("and.pred", out.op(), p.op(), q.op())
	}
	return out
}

// Select is a where p is true and b elsewhere (selp.b32, PTX 9.7.6).
func (p Pred) Select(a, b Number) Int {
	out := p.k.int32()
	p.k.emit("selp.b32", out.op(), p.k.number(a), p.k.number(b), p.op())
	return out
}
