package emu

import (
	"math/bits"

	"gohopper/pkg/hopper/ptx"
)

// carryForms is extended-precision arithmetic (PTX 9.7.2): the forms with .cc
// write the carry flag, addc, subc and madc read it. Every lane has one flag.
// A subtraction adds the complement, so the flag that it leaves is set where
// nothing was borrowed. The manual speaks of a borrow; an H200 shows the
// difference to a kernel that mixes the two, as in add.cc and subc.
var carryForms = map[string][]form{
	"add":  {{"cc u32|s32", chain2(bits.Add32)}, {"cc u64|s64", chain2(bits.Add64)}},
	"addc": {{"?cc u32|s32", chain2(bits.Add32)}, {"?cc u64|s64", chain2(bits.Add64)}},
	"sub":  {{"cc u32|s32", chain2(sub32)}, {"cc u64|s64", chain2(sub64)}},
	"subc": {{"?cc u32|s32", chain2(sub32)}, {"?cc u64|s64", chain2(sub64)}},
	"mad":  madCarry("cc"),
	"madc": madCarry("?cc"),
}

// madCarry is the forms of mad.cc, and of madc with its optional .cc.
func madCarry(cc string) []form {
	return []form{
		{"lo " + cc + " u32|s32", chain3(product[uint32], bits.Add32)},
		{"hi " + cc + " u32", chain3(high[uint32, uint64], bits.Add32)},
		{"hi " + cc + " s32", chain3(unsigned[uint32](high[int32, int64]), bits.Add32)},
		{"lo " + cc + " u64|s64", chain3(product[uint64], bits.Add64)},
		{"hi " + cc + " u64", chain3(highUnsigned, bits.Add64)},
		{"hi " + cc + " s64", chain3(unsigned[uint64](highSigned), bits.Add64)},
	}
}

func sub32(a, b, flag uint32) (d, out uint32) { return bits.Add32(a, ^b, flag) }
func sub64(a, b, flag uint64) (d, out uint64) { return bits.Add64(a, ^b, flag) }

// unsigned makes a function on the bits of a signed one.
func unsigned[U word, S int32 | int64](f func(a, b S) S) func(a, b U) U {
	return func(a, b U) U { return U(f(S(a), S(b))) }
}

// chain2 compiles d, flag = f(a, b, flag).
func chain2[T word](f func(a, b, flag T) (d, out T)) family {
	return func(c *compiler, in *ptx.Instr) op {
		args, flag := c.args(3, 3), flagUse(in)
		d, a, b := dst[T](c, args[0]), src[T](c, args[1]), src[T](c, args[2])
		return func(w *warp, m mask) *wait {
			step(flag, w, m, rowOf[T](w, d), rowOf[T](w, a), rowOf[T](w, b), f)
			return nil
		}
	}
}

// chain3 compiles d, flag = add(f(a, b), x, flag).
func chain3[T word](f func(a, b T) T, add func(a, b, flag T) (d, out T)) family {
	return func(c *compiler, in *ptx.Instr) op {
		args, flag := c.args(4, 4), flagUse(in)
		d, a := dst[T](c, args[0]), src[T](c, args[1])
		b, x := src[T](c, args[2]), src[T](c, args[3])
		return func(w *warp, m mask) *wait {
			var product row[T]
			ra, rb := rowOf[T](w, a), rowOf[T](w, b)
			for i := range product {
				product[i] = f(ra[i], rb[i])
			}
			step(flag, w, m, rowOf[T](w, d), &product, rowOf[T](w, x), add)
			return nil
		}
	}
}

// flags says in which lanes an instruction reads and writes the carry flag,
// all or none, and what it takes for the flag where it does not read it.
type flags struct{ read, write, other mask }

func flagUse(in *ptx.Instr) (f flags) {
	switch in.Op {
	case "addc", "subc", "madc":
		f.read = allLanes
	case "sub":
		f.other = allLanes
	}
	if in.Has("cc") {
		f.write = allLanes
	}
	return f
}

// step adds or subtracts with the flag, in the lanes of m.
func step[T word](flag flags, w *warp, m mask, d, a, b *row[T], f func(a, b, flag T) (d, out T)) {
	var t row[T]
	var out mask
	carry := w.carry&flag.read | flag.other
	for i := range t {
		r, c := f(a[i], b[i], T(carry>>i&1))
		t[i] = r
		out |= mask(c) << i
	}
	keep(d, &t, m)
	m &= flag.write
	w.carry = w.carry&^m | out&m
}
