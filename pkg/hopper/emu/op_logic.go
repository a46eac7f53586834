package emu

import (
	"gohopper/pkg/hopper/ptx"
)

// logicForms is logic and shifts (PTX 9.7.8). A shift by the width or more
// leaves zeros, or copies of the sign, as Go's shifts do.
var logicForms = map[string][]form{
	"and": {
		{"b32", rows2(andRow[uint32])},
		{"b64", rows2(andRow[uint64])},
		{"b16", each2[uint32](func(a, b uint16) uint16 { return a & b })},
		{"pred", predicate2(func(a, b mask) mask { return a & b })},
	},
	"or": {
		{"b32", rows2(orRow[uint32])},
		{"b64", rows2(orRow[uint64])},
		{"b16", each2[uint32](func(a, b uint16) uint16 { return a | b })},
		{"pred", predicate2(func(a, b mask) mask { return a | b })},
	},
	"xor": {
		{"b32", rows2(xorRow[uint32])},
		{"b64", rows2(xorRow[uint64])},
		{"b16", each2[uint32](func(a, b uint16) uint16 { return a ^ b })},
		{"pred", predicate2(func(a, b mask) mask { return a ^ b })},
	},
	"not": {
		{"b32", rows1(notRow[uint32])},
		{"b64", rows1(notRow[uint64])},
		{"b16", each1[uint32](func(a uint16) uint16 { return ^a })},
		{"pred", predicate1(func(a mask) mask { return ^a })},
	},
	"cnot": {
		{"b16", each1[uint32](isZero[uint16])},
		{"b32", each1[uint32](isZero[uint32])},
		{"b64", each1[uint64](isZero[uint64])},
	},
	"shl": {
		{"b32", rows2(shlRow[uint32, uint32])},
		{"b64", rows2(shlRow[uint64, uint64])},
		{"b16", rows2(shlRow[uint32, uint16])},
	},
	"shr": {
		{"b32|u32", rows2(shrRow[uint32, uint32])},
		{"s32", rows2(shrRow[uint32, int32])},
		{"b64|u64", rows2(shrRow[uint64, uint64])},
		{"s64", rows2(shrRow[uint64, int64])},
		{"b16|u16", rows2(shrRow[uint32, uint16])},
		{"s16", rows2(shrNarrowRow)},
	},
	"shf": {
		{"l clamp b32", each3[uint32](func(a, b, n uint32) uint32 { return funnelLeft(a, b, min(n, 32)) })},
		{"l wrap b32", each3[uint32](func(a, b, n uint32) uint32 { return funnelLeft(a, b, n%32) })},
		{"r clamp b32", each3[uint32](func(a, b, n uint32) uint32 { return funnelRight(a, b, min(n, 32)) })},
		{"r wrap b32", each3[uint32](func(a, b, n uint32) uint32 { return funnelRight(a, b, n%32) })},
	},
	"lop3": {
		{"b32", lop3},
		{"and|or b32", lop3},
	},
	"prmt": {
		{"b32", each3[uint32](permute)},
		{"b32 f4e", permuteBy(func(k, n uint32) uint32 { return n + k })},
		{"b32 b4e", permuteBy(func(k, n uint32) uint32 { return n - k })},
		{"b32 rc8", permuteBy(func(_, n uint32) uint32 { return n })},
		{"b32 ecl", permuteBy(func(k, n uint32) uint32 { return max(k, n) })},
		{"b32 ecr", permuteBy(func(k, n uint32) uint32 { return min(k, n) })},
		{"b32 rc16", permuteBy(func(k, n uint32) uint32 { return n%2*2 + k%2 })},
	},
}

func andRow[T word](d, a, b *row[T]) {
	_, _, _ = d[0], a[0], b[0]
	for i := range d {
		d[i] = a[i] & b[i]
	}
}

func orRow[T word](d, a, b *row[T]) {
	_, _, _ = d[0], a[0], b[0]
	for i := range d {
		d[i] = a[i] | b[i]
	}
}

func xorRow[T word](d, a, b *row[T]) {
	_, _, _ = d[0], a[0], b[0]
	for i := range d {
		d[i] = a[i] ^ b[i]
	}
}

func notRow[T word](d, a *row[T]) {
	_, _ = d[0], a[0]
	for i := range d {
		d[i] = ^a[i]
	}
}

// shlRow shifts a T; the count is a u32 whatever the type.
func shlRow[W word, T uint16 | uint32 | uint64](d, a *row[W], n *row[uint32]) {
	_, _, _ = d[0], a[0], n[0]
	for i := range d {
		d[i] = W(T(a[i]) << n[i])
	}
}

func shrRow[W word, T uint16 | int32 | uint32 | int64 | uint64](d, a *row[W], n *row[uint32]) {
	_, _, _ = d[0], a[0], n[0]
	for i := range d {
		d[i] = W(T(a[i]) >> n[i])
	}
}

func shrNarrowRow(d, a, n *row[uint32]) {
	_, _, _ = d[0], a[0], n[0]
	for i := range d {
		d[i] = uint32(uint16(int16(a[i]) >> n[i]))
	}
}

// isZero is cnot: logical negation as in C.
func isZero[T integer](a T) T {
	if a == 0 {
		return 1
	}
	return 0
}

// funnelLeft is the upper word of b:a shifted left, funnelRight the lower word
// of b:a shifted right.
func funnelLeft(a, b, n uint32) uint32  { return uint32((uint64(b)<<32 | uint64(a)) << n >> 32) }
func funnelRight(a, b, n uint32) uint32 { return uint32((uint64(b)<<32 | uint64(a)) >> n) }

// predicate1 and predicate2 compile a form on predicates, which are masks.
func predicate1(f func(a mask) mask) family {
	return func(c *compiler, _ *ptx.Instr) op {
		args := c.args(2, 2)
		d := c.dstPred(args[0])
		a := c.predicate(args[1])
		return func(w *warp, m mask) *wait {
			w.p[d] = w.p[d]&^m | f(a.of(w))&m
			return nil
		}
	}
}

func predicate2(f func(a, b mask) mask) family {
	return func(c *compiler, _ *ptx.Instr) op {
		args := c.args(3, 3)
		d := c.dstPred(args[0])
		a, b := c.predicate(args[1]), c.predicate(args[2])
		return func(w *warp, m mask) *wait {
			w.p[d] = w.p[d]&^m | f(a.of(w), b.of(w))&m
			return nil
		}
	}
}

// predicateSource is a predicate operand with its negation.
type predicateSource struct {
	row  int
	flip mask
}

func (c *compiler) predicate(o ptx.Operand) (s predicateSource) {
	row, not := c.srcPred(o)
	if not {
		s.flip = allLanes
	}
	s.row = row
	return s
}

func (s predicateSource) of(w *warp) mask { return w.p[s.row] ^ s.flip }

// lop3 compiles an arbitrary function of three inputs: bit 4a+2b+c of the
// table is the result for bits a, b, c. With .and or .or, "d|p" also has the
// predicate (d != 0) combined with the last operand.
func lop3(c *compiler, in *ptx.Instr) op {
	combine := combiner(in)
	n := 5
	if combine != nil {
		n = 6
	}
	args := c.args(n, n)
	d, p := args[0], -1
	var q predicateSource
	if combine != nil {
		pair, ok := d.(ptx.Pair)
		if !ok {
			return c.failf("%s writes a register and a predicate: d|p", in.Name())
		}
		d, p, q = pair.A, c.dstPred(pair.B), c.predicate(args[5])
	}
	x := c.dst32(d)
	a, b, e := c.src32(args[1]), c.src32(args[2]), c.src32(args[3])
	var table [8]uint32 // all ones or all zeros for each case
	for k := range table {
		table[k] = -(uint32(c.immediate(args[4])) >> k & 1)
	}
	return func(w *warp, m mask) *wait {
		var t row[uint32]
		ra, rb, re := &w.r[a], &w.r[b], &w.r[e]
		var nonzero mask
		for i := range t {
			t[i] = lookup(&table, ra[i], rb[i], re[i])
			if t[i] != 0 {
				nonzero |= 1 << i
			}
		}
		if combine != nil {
			w.p[p] = w.p[p]&^m | combine(nonzero, q.of(w))&m
		}
		keep((*row[uint32])(&w.r[x]), &t, m)
		return nil
	}
}

// lookup chooses by c, then by b, then by a.
func lookup(table *[8]uint32, a, b, c uint32) uint32 {
	choose := func(zero, one, by uint32) uint32 { return zero ^ (zero^one)&by }
	low := choose(choose(table[0], table[1], c), choose(table[2], table[3], c), b)
	high := choose(choose(table[4], table[5], c), choose(table[6], table[7], c), b)
	return choose(low, high, a)
}

// permute picks four of the eight bytes of b:a, one by each nibble of the
// selector; the top bit of a nibble asks for the byte's sign in all its bits.
func permute(a, b, selector uint32) uint32 {
	var d uint32
	for k := range 4 {
		s := selector >> (4 * k)
		x := uint32((uint64(b)<<32 | uint64(a)) >> (8 * (s % 8)) & 0xff)
		if s&8 != 0 {
			x = uint32(int8(x)>>7) & 0xff
		}
		d |= x << (8 * k)
	}
	return d
}

// permuteBy compiles a mode of prmt: byte k of the result is byte pick(k, n),
// modulo 8, of b:a, n being the low two bits of the selector.
func permuteBy(pick func(k, n uint32) uint32) family {
	return each3[uint32](func(a, b, n uint32) uint32 {
		var d uint64
		for k := range uint32(4) {
			d |= (uint64(b)<<32 | uint64(a)) >> (8 * (pick(k, n%4) % 8)) & 0xff << (8 * k)
		}
		return uint32(d)
	})
}
