package emu

import (
	"strings"

	"gohopper/pkg/hopper/ptx"
)

// compareForms is setp and set (PTX 9.7.6, 9.7.7). An ordered comparison
// with a NaN is false, an unordered one (equ, ltu, …) true.
var compareForms = map[string][]form{
	"setp": {
		{integerCompare + " ?and|or|xor u16|s16|u32|s32|u64|s64", setp},
		{"lo|ls|hi|hs ?and|or|xor u16|u32|u64", setp},
		{"eq|ne ?and|or|xor b16|b32|b64", setp},
		{floatCompare + " ?and|or|xor ?ftz f16|f32", setp},
		{floatCompare + " ?and|or|xor bf16|f64", setp},
		{floatCompare + " ?and|or|xor ?ftz f16x2", setpHalves},
		{floatCompare + " ?and|or|xor bf16x2", setpHalves},
	},
	"set": {
		{integerCompare + " ?and|or|xor u32|s32|f32|f16|bf16 u16|s16|u32|s32|u64|s64", set},
		{"lo|ls|hi|hs ?and|or|xor u32|s32|f32|f16|bf16 u16|u32|u64", set},
		{"eq|ne ?and|or|xor u32|s32|f32|f16|bf16 b16|b32|b64", set},
		{floatCompare + " ?and|or|xor ?ftz u32|s32|f32 f32|f64", set},
		{floatCompare + " ?and|or|xor ?ftz f16|bf16|u16|s16|u32|s32 f16|bf16|f32|f64", set},
		{floatCompare + " ?and|or|xor ?ftz f16x2|u32|s32 f16x2", setHalves},
		{floatCompare + " ?and|or|xor bf16x2|u32|s32 bf16x2", setHalves},
	},
}

const (
	integerCompare = "eq|ne|lt|le|gt|ge"
	floatCompare   = "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"
)

// combiner is the Boolean operator of an instruction, nil where it has none.
func combiner(in *ptx.Instr) func(a, b mask) mask {
	switch {
	case in.Has("and"):
		return func(a, b mask) mask { return a & b }
	case in.Has("or"):
		return func(a, b mask) mask { return a | b }
	case in.Has("xor"):
		return func(a, b mask) mask { return a ^ b }
	}
	return nil
}

// combined makes a function that combines a result with the predicate that is
// the operand after the compared ones; it is the identity without .and, .or
// and .xor.
func (c *compiler) combined(in *ptx.Instr) func(w *warp, t mask) mask {
	combine := combiner(in)
	if combine == nil {
		c.args(3, 3)
		return func(_ *warp, t mask) mask { return t }
	}
	q := c.predicate(c.args(4, 4)[3])
	return func(w *warp, t mask) mask { return combine(t, q.of(w)) }
}

// setp compiles p|q = a op b: q gets the opposite, combined likewise.
func setp(c *compiler, in *ptx.Instr) op {
	args := c.args(3, 4)
	p, q := c.pairOf(args[0])
	test := c.comparison(in, args[1], args[2])
	if combiner(in) == nil && q < 0 {
		c.args(3, 3)
		return func(w *warp, m mask) *wait {
			w.p[p] = w.p[p]&^m | test(w)&m
			return nil
		}
	}
	combine := c.combined(in)
	return func(w *warp, m mask) *wait {
		t := test(w)
		yes, no := combine(w, t), combine(w, ^t)
		w.p[p] = w.p[p]&^m | yes&m
		if q >= 0 {
			w.p[q] = w.p[q]&^m | no&m
		}
		return nil
	}
}

// pairOf is the rows of "p|q" or "p"; q is -1 where there is none.
func (c *compiler) pairOf(o ptx.Operand) (p, q int) {
	if pair, ok := o.(ptx.Pair); ok {
		return c.dstPred(pair.A), c.dstPred(pair.B)
	}
	return c.dstPred(o), -1
}

// setpHalves compiles the packed forms: p is for the low halves, q for the
// high ones.
func setpHalves(c *compiler, in *ptx.Instr) op {
	args := c.args(3, 4)
	p, q := c.pairOf(args[0])
	low, high := c.halfComparisons(in, args[1], args[2])
	combine := c.combined(in)
	return func(w *warp, m mask) *wait {
		yes, no := combine(w, low(w)), combine(w, high(w))
		w.p[p] = w.p[p]&^m | yes&m
		if q >= 0 {
			w.p[q] = w.p[q]&^m | no&m
		}
		return nil
	}
}

// set compiles d = a op b as a number: all ones, or 1.0 for a float.
func set(c *compiler, in *ptx.Instr) op {
	args := c.args(3, 4)
	d := c.dst32(args[0])
	test, combine := c.comparison(in, args[1], args[2]), c.combined(in)
	yes := trueOf(in.Mods[len(in.Mods)-2])
	return func(w *warp, m mask) *wait {
		t := spread(combine(w, test(w)), yes)
		keep((*row[uint32])(&w.r[d]), &t, m)
		return nil
	}
}

func setHalves(c *compiler, in *ptx.Instr) op {
	args := c.args(3, 4)
	d := c.dst32(args[0])
	low, high := c.halfComparisons(in, args[1], args[2])
	combine := c.combined(in)
	yes := trueOf(strings.TrimSuffix(in.Mods[len(in.Mods)-2], "x2")) & 0xffff
	return func(w *warp, m mask) *wait {
		t, u := spread(combine(w, low(w)), yes), spread(combine(w, high(w)), yes<<16)
		for i := range t {
			t[i] |= u[i]
		}
		keep((*row[uint32])(&w.r[d]), &t, m)
		return nil
	}
}

// trueOf is what set writes for true.
func trueOf(kind string) uint32 {
	switch kind {
	case "f32":
		return 0x3f800000
	case "f16":
		return 0x3c00
	case "bf16":
		return 0x3f80
	case "u16", "s16":
		return 0xffff
	}
	return 0xffffffff
}

// spread is yes in the lanes of t and 0 in the others.
func spread(t mask, yes uint32) (d row[uint32]) {
	for i := range d {
		d[i] = -uint32(t>>i&1) & yes
	}
	return d
}

// comparison compiles a comparison by the operator and the source type of the
// instruction.
func (c *compiler) comparison(in *ptx.Instr, a, b ptx.Operand) func(w *warp) mask {
	operator := in.Mods[0]
	switch in.Mods[len(in.Mods)-1] {
	case "s16":
		return compared(c, integers[uint32, int16](operator), a, b)
	case "u16", "b16":
		return compared(c, integers[uint32, uint16](operator), a, b)
	case "s32":
		return compared(c, integers[uint32, int32](operator), a, b)
	case "u32", "b32":
		return compared(c, integers[uint32, uint32](operator), a, b)
	case "s64":
		return compared(c, integers[uint64, int64](operator), a, b)
	case "u64", "b64":
		return compared(c, integers[uint64, uint64](operator), a, b)
	case "f64":
		return compared(c, func(a, b *row[uint64]) mask {
			var x, y [lanes]float64
			for i := range x {
				x[i], y[i] = double(a[i]), double(b[i])
			}
			return ordered(operator, &x, &y)
		}, a, b)
	case "f32":
		k := floatModeOf(in)
		return compared(c, func(a, b *row[uint32]) mask {
			var x, y floats32
			k.decode(&x, a)
			k.decode(&y, b)
			return ordered(operator, &x, &y)
		}, a, b)
	}
	low, _ := c.halfComparisons(in, a, b)
	return low
}

// halfComparisons compiles the comparisons of the low and of the high halves.
func (c *compiler) halfComparisons(in *ptx.Instr, a, b ptx.Operand) (low, high func(w *warp) mask) {
	h, operator := halfModeOf(in), in.Mods[0]
	half := func(shift int) func(w *warp) mask {
		return compared(c, func(a, b *row[uint32]) mask {
			var x, y floats32
			h.decode(&x, a, shift)
			h.decode(&y, b, shift)
			return ordered(operator, &x, &y)
		}, a, b)
	}
	return half(0), half(16)
}

// compared binds a comparison of rows to two operands.
func compared[W word](c *compiler, order func(a, b *row[W]) mask, a, b ptx.Operand) func(w *warp) mask {
	x, y := src[W](c, a), src[W](c, b)
	return func(w *warp) mask { return order(rowOf[W](w, x), rowOf[W](w, y)) }
}
