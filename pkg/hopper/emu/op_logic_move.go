package emu

import "gohopper/pkg/hopper/ptx"

// moveForms is mov, with its packing and unpacking (PTX 9.7.9.1, 9.7.9.2).
// Which register a special register or a variable's address is in is the
// compiler's matter.
var moveForms = map[string][]form{
	"mov": {
		{"b16", move[uint32](16)},
		{"u16|s16", copy16},
		{"b32", move[uint32](32)},
		{"u32|s32|f32", copyRow[uint32]},
		{"b64", move[uint64](64)},
		{"u64|s64|f64", copyRow[uint64]},
		{"b128", move128},
		{"pred", predicate1(func(a mask) mask { return a })},
	},
}

// copy16 compiles d = a in 16 bits: a constant may have more.
var copy16 = each1[uint32](func(a uint16) uint16 { return a })

// copyRow compiles d = a.
func copyRow[T word](c *compiler, _ *ptx.Instr) op {
	args := c.args(2, 2)
	d, a := dst[T](c, args[0]), src[T](c, args[1])
	return func(w *warp, m mask) *wait {
		if m == allLanes {
			*rowOf[T](w, d) = *rowOf[T](w, a)
			return nil
		}
		keep(rowOf[T](w, d), rowOf[T](w, a), m)
		return nil
	}
}

// move compiles "mov.b32 d, a", "mov.b32 d, {a, b}" and "mov.b32 {d, e}, a",
// and the same for other widths. The first element is the lowest.
func move[T word](width int) family {
	return func(c *compiler, in *ptx.Instr) op {
		args := c.args(2, 2)
		to, from := c.elements(args[0]), c.elements(args[1])
		n := max(len(to), len(from))
		switch {
		case n == 1 && width == 16:
			return copy16(c, in)
		case n == 1:
			return copyRow[T](c, in)
		case min(len(to), len(from)) > 1:
			return c.failf("%s packs a vector or unpacks one, not both", in.Name())
		case n != 2 && n != 4 || width/n < 8:
			return c.failf("%s cannot have a vector of %d elements", in.Name(), n)
		case len(to) > 1:
			return unpack[T](c, to, from[0], width/n)
		}
		return pack[T](c, to[0], from, width/n)
	}
}

func pack[T word](c *compiler, to ptx.Operand, from []ptx.Operand, width int) op {
	d := dst[T](c, to)
	var rows []int
	for _, e := range from {
		rows = append(rows, c.src32(e))
	}
	low := uint32(1)<<width - 1
	return func(w *warp, m mask) *wait {
		var t row[T]
		for k, r := range rows {
			for i, x := range w.r[r] {
				t[i] |= T(x&low) << (k * width)
			}
		}
		keep(rowOf[T](w, d), &t, m)
		return nil
	}
}

func unpack[T word](c *compiler, to []ptx.Operand, from ptx.Operand, width int) op {
	a := src[T](c, from)
	var rows []int
	for _, e := range to {
		rows = append(rows, c.dst32(e))
	}
	low := uint32(1)<<width - 1
	return func(w *warp, m mask) *wait {
		whole := *rowOf[T](w, a)
		var t row[uint32]
		for k, r := range rows {
			for i, x := range whole {
				t[i] = uint32(x>>(k*width)) & low
			}
			keep((*row[uint32])(&w.r[r]), &t, m)
		}
		return nil
	}
}

// move128 compiles the same for 128 bits, of which two 64-bit registers are
// the halves.
func move128(c *compiler, in *ptx.Instr) op {
	args := c.args(2, 2)
	to, from := c.halves(args[0], c.dst64, c.dst128), c.halves(args[1], c.src64, c.src128)
	return func(w *warp, m mask) *wait {
		low, high := row[uint64](w.d[from[0]]), row[uint64](w.d[from[1]])
		keep((*row[uint64])(&w.d[to[0]]), &low, m)
		keep((*row[uint64])(&w.d[to[1]]), &high, m)
		return nil
	}
}

// halves is the rows of the two halves of a 128-bit operand.
func (c *compiler) halves(o ptx.Operand, single, whole func(ptx.Operand) int) [2]int {
	es := c.elements(o)
	switch len(es) {
	case 1:
		r := whole(o)
		return [2]int{r, r + 1}
	case 2:
		return [2]int{single(es[0]), single(es[1])}
	}
	c.failf("%s takes a vector of 2 elements, not %d", c.in.Name(), len(es))
	return [2]int{}
}
