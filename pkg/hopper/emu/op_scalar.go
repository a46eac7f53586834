package emu

import (
	"math"
	"slices"
	"strings"

	"gohopper/pkg/hopper/ptx"
)

// A scalar instruction is a function over whole rows: all 32 lanes are
// computed, and under a partial mask the other lanes get back what they had. So
// a form needs no loop over a mask, and its function must be defined for the
// garbage of the other lanes too. A destination may be one of the sources.
//
// A row function first touches element 0 of each row: that takes the nil
// checks out of its loop, which are half its time.

// scalarFamilies compiles PTX 9.7.1 to 9.7.9 without the memory instructions.
// An opcode such as add has integer, float and half forms, so the tables, one
// a data type, are joined here.
var scalarFamilies = join(scalarTables...)

var scalarTables = []map[string][]form{
	integerForms, carryForms, bitForms, logicForms, moveForms, floatForms, approxForms, doubleForms, halfForms,
	compareForms, selectForms, convertForms, packForms, videoForms,
}

// form is one line of the instruction table: the modifiers of an opcode and
// what compiles it. Words of mods stand for one modifier each: "s32|u32" is a
// choice, a leading "?" makes it optional, as braces do in the PTX manual.
type form struct {
	mods    string
	compile family
}

// matches reports whether an opcode's modifiers are those of the form.
func (f form) matches(mods []string) bool {
	for word := range strings.FieldsSeq(f.mods) {
		choice, optional := strings.CutPrefix(word, "?")
		switch {
		case len(mods) > 0 && slices.Contains(strings.Split(choice, "|"), mods[0]):
			mods = mods[1:]
		case !optional:
			return false
		}
	}
	return len(mods) == 0
}

// hasAll is matches for modifiers in any order.
func (f form) hasAll(mods []string) bool {
	mods = slices.Clone(mods)
	for word := range strings.FieldsSeq(f.mods) {
		choice, optional := strings.CutPrefix(word, "?")
		alternatives := strings.Split(choice, "|")
		at := slices.IndexFunc(mods, func(m string) bool { return slices.Contains(alternatives, m) })
		switch {
		case at >= 0:
			mods = slices.Delete(mods, at, at+1)
		case !optional:
			return false
		}
	}
	return len(mods) == 0
}

// join makes a family of every opcode: the first form that matches compiles
// an instruction.
func join(tables ...map[string][]form) map[string]family {
	all := map[string][]form{}
	for _, t := range tables {
		for name, forms := range t {
			all[name] = append(all[name], forms...)
		}
	}
	families := map[string]family{}
	for name, forms := range all {
		families[name] = func(c *compiler, in *ptx.Instr) op {
			for _, f := range forms {
				if f.matches(in.Mods) {
					return f.compile(c, in)
				}
			}
			return c.unsupported()
		}
	}
	return families
}

// word is the type of a register in one lane.
type word interface{ uint32 | uint64 }

// row is a register in every lane.
type row[T word] = [lanes]T

// rowOf is row i of the warp's 32-bit or 64-bit registers.
func rowOf[T word](w *warp, i int) *row[T] {
	if uint64(^T(0)) == math.MaxUint32 {
		return any((*row[uint32])(&w.r[i])).(*row[T])
	}
	return any((*row[uint64])(&w.d[i])).(*row[T])
}

// src is the row of a source operand of T's width.
func src[T word](c *compiler, o ptx.Operand) int {
	if uint64(^T(0)) == math.MaxUint32 {
		return c.src32(o)
	}
	return c.src64(o)
}

// dst is the row of a destination of T's width.
func dst[T word](c *compiler, o ptx.Operand) int {
	if uint64(^T(0)) == math.MaxUint32 {
		return c.dst32(o)
	}
	return c.dst64(o)
}

// keep copies the lanes of m.
func keep[T word](d, from *row[T], m mask) {
	for ; m != 0; m &= m - 1 {
		i := m.first() % lanes
		d[i] = from[i]
	}
}

// rows1 compiles d = f(a).
func rows1[D, A word](f func(d *row[D], a *row[A])) family {
	return func(c *compiler, _ *ptx.Instr) op {
		args := c.args(2, 2)
		d, a := dst[D](c, args[0]), src[A](c, args[1])
		return func(w *warp, m mask) *wait {
			to := rowOf[D](w, d)
			if m == allLanes {
				f(to, rowOf[A](w, a))
				return nil
			}
			old := *to
			f(to, rowOf[A](w, a))
			keep(&old, to, m)
			*to = old
			return nil
		}
	}
}

// rows2 compiles d = f(a, b).
func rows2[D, A, B word](f func(d *row[D], a *row[A], b *row[B])) family {
	return func(c *compiler, _ *ptx.Instr) op {
		args := c.args(3, 3)
		d, a, b := dst[D](c, args[0]), src[A](c, args[1]), src[B](c, args[2])
		return func(w *warp, m mask) *wait {
			to := rowOf[D](w, d)
			if m == allLanes {
				f(to, rowOf[A](w, a), rowOf[B](w, b))
				return nil
			}
			old := *to
			f(to, rowOf[A](w, a), rowOf[B](w, b))
			keep(&old, to, m)
			*to = old
			return nil
		}
	}
}

// rows3 compiles d = f(a, b, x).
func rows3[D, A, B, X word](f func(d *row[D], a *row[A], b *row[B], x *row[X])) family {
	return func(c *compiler, _ *ptx.Instr) op {
		args := c.args(4, 4)
		d, a := dst[D](c, args[0]), src[A](c, args[1])
		b, x := src[B](c, args[2]), src[X](c, args[3])
		return func(w *warp, m mask) *wait {
			to := rowOf[D](w, d)
			if m == allLanes {
				f(to, rowOf[A](w, a), rowOf[B](w, b), rowOf[X](w, x))
				return nil
			}
			old := *to
			f(to, rowOf[A](w, a), rowOf[B](w, b), rowOf[X](w, x))
			keep(&old, to, m)
			*to = old
			return nil
		}
	}
}

// integer is a type an integer instruction computes in.
type integer interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64
}

// each1, each2 and each3 compile a form from its function on one lane, in
// rows of W; T gives width and sign. They are for forms that need no speed:
// a call for each lane costs about 2 ns.
func each1[W word, T integer](f func(a T) T) family {
	low := ones[W, T]()
	return rows1(func(d, a *row[W]) {
		for i := range d {
			d[i] = W(f(T(a[i]))) & low
		}
	})
}

func each2[W word, T integer](f func(a, b T) T) family {
	low := ones[W, T]()
	return rows2(func(d, a, b *row[W]) {
		for i := range d {
			d[i] = W(f(T(a[i]), T(b[i]))) & low
		}
	})
}

func each3[W word, T integer](f func(a, b, x T) T) family {
	low := ones[W, T]()
	return rows3(func(d, a, b, x *row[W]) {
		for i := range d {
			d[i] = W(f(T(a[i]), T(b[i]), T(x[i]))) & low
		}
	})
}

// ones is the low bits of a register that a T occupies. A result is kept
// zero-extended, so the sign extension of a narrow T is cut off.
func ones[W word, T integer]() W {
	var low W
	for bit := T(1); bit != 0; bit <<= 1 {
		low = low<<1 | 1
	}
	return low
}
