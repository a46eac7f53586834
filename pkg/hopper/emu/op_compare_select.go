package emu

import (
	"math"

	"gohopper/pkg/hopper/ptx"
)

// selectForms chooses by a condition (PTX 9.7.6) and tests classes of
// floating-point values (PTX 9.7.3). The 16-bit forms cut off what a constant
// has above bit 15.
var selectForms = map[string][]form{
	"selp": {
		{"b32|u32|s32|f32", choose[uint32](math.MaxUint32)},
		{"b64|u64|s64|f64", choose[uint64](math.MaxUint64)},
		{"b16|u16|s16", choose[uint32](math.MaxUint16)},
	},
	"slct": {
		{"b32|u32|s32|f32 s32", chooseBySign[uint32](math.MaxUint32)},
		{"b64|u64|s64|f64 s32", chooseBySign[uint64](math.MaxUint64)},
		{"b16|u16|s16 s32", chooseBySign[uint32](math.MaxUint16)},
		{"?ftz b32|u32|s32|f32 f32", chooseByFloat[uint32](math.MaxUint32)},
		{"?ftz b64|u64|s64|f64 f32", chooseByFloat[uint64](math.MaxUint64)},
		{"?ftz b16|u16|s16 f32", chooseByFloat[uint32](math.MaxUint16)},
	},
	"testp": {
		{"finite|infinite|number|notanumber|normal|subnormal f32", class[uint32](0x7f800000)},
		{"finite|infinite|number|notanumber|normal|subnormal f64", class[uint64](0x7ff0000000000000)},
	},
}

// choose compiles d = p ? a : b.
func choose[T word](low T) family {
	return func(c *compiler, _ *ptx.Instr) op {
		args := c.args(4, 4)
		d, a, b := dst[T](c, args[0]), src[T](c, args[1]), src[T](c, args[2])
		p := c.predicate(args[3])
		return func(w *warp, m mask) *wait {
			if m == allLanes {
				chooseRow(rowOf[T](w, d), rowOf[T](w, a), rowOf[T](w, b), p.of(w), low)
				return nil
			}
			var t row[T]
			chooseRow(&t, rowOf[T](w, a), rowOf[T](w, b), p.of(w), low)
			keep(rowOf[T](w, d), &t, m)
			return nil
		}
	}
}

func chooseRow[T word](d, a, b *row[T], p mask, low T) {
	_, _, _ = d[0], a[0], b[0]
	for i := range d {
		x := b[i]
		if p&1 != 0 {
			x = a[i]
		}
		d[i] = x & low
		p >>= 1
	}
}

// chooseBySign compiles d = x >= 0 ? a : b.
func chooseBySign[T word](low T) family {
	return rows3(func(d, a, b *row[T], x *row[uint32]) {
		var p mask
		for i := range x {
			p |= mask(^x[i]>>31) << i
		}
		chooseRow(d, a, b, p, low)
	})
}

// chooseByFloat is the same for a float32 x. NaN chooses b; -0 is not below 0,
// nor with .ftz is a subnormal.
func chooseByFloat[T word](low T) family {
	return func(c *compiler, in *ptx.Instr) op {
		k := floatModeOf(in)
		return rows3(func(d, a, b *row[T], x *row[uint32]) {
			var p mask
			for i := range x {
				if k.in(x[i]) >= 0 {
					p |= 1 << i
				}
			}
			chooseRow(d, a, b, p, low)
		})(c, in)
	}
}

// class compiles testp. The exponent bits, a mask of ones, tell the classes
// apart, with the fraction below them; a zero is normal (PTX 9.7.3.1).
func class[T word](exponent T) family {
	magnitude := ^T(0) >> 1
	tests := map[string]func(a T) bool{
		"finite":     func(a T) bool { return a&exponent != exponent },
		"infinite":   func(a T) bool { return a&magnitude == exponent },
		"number":     func(a T) bool { return a&magnitude <= exponent },
		"notanumber": func(a T) bool { return a&magnitude > exponent },
		"normal":     func(a T) bool { return a&exponent != exponent && (a&exponent != 0 || a&magnitude == 0) },
		"subnormal":  func(a T) bool { return a&exponent == 0 && a&magnitude != 0 },
	}
	return func(c *compiler, in *ptx.Instr) op {
		args := c.args(2, 2)
		p, a, test := c.dstPred(args[0]), src[T](c, args[1]), tests[in.Mods[0]]
		return func(w *warp, m mask) *wait {
			var t mask
			for i, x := range rowOf[T](w, a) {
				if test(x) {
					t |= 1 << i
				}
			}
			w.p[p] = w.p[p]&^m | t&m
			return nil
		}
	}
}
