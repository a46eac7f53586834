package emu

import (
	"bytes"
	"encoding/binary"

	"gohopper/pkg/hopper/emu/tensor"
	"gohopper/pkg/hopper/ptx"
)

// wmmaMove is a load or store of a fragment.
type wmmaMove struct {
	shape  wmmaShape
	matrix string
	typ    tensor.Type
	space  space
	at     address
	stride int  // row of the leading dimension's size in elements
	along  bool // consecutive elements of memory run along the inner dimension
	regs   []int
}

// wmmaMove reads "[address], {registers}, stride" of either order.
func (c *compiler) wmmaMove(in *ptx.Instr, memory, list ptx.Operand, rest []ptx.Operand) *wmmaMove {
	x := &wmmaMove{
		shape: wmmaShapes[in.Mods[5]], matrix: in.Mods[1], typ: tensorTypes[in.Mods[len(in.Mods)-1]],
		space: c.space(), at: c.address(memory),
		along: (in.Mods[4] == "row") != (in.Mods[1] == "b"),
	}
	inner := x.shape.k
	if x.matrix == "c" || x.matrix == "d" {
		inner = 8 * x.shape.tiles
		if x.shape.swapped {
			inner = tensor.StripRows * x.shape.strips
		}
	}
	switch {
	case len(rest) > 0:
		x.stride = c.src32(rest[0])
	case x.along:
		x.stride = c.const32(uint32(inner))
	default:
		x.stride = c.const32(uint32(x.shape.rowsOf(x.matrix)))
	}
	if need, have := x.shape.registers(x.matrix, x.typ), len(c.elements(list)); have < need || have%need != 0 {
		c.failf("a fragment of %s has %d registers, or a multiple of that; found %d", in.Name(), need, have)
	}
	return x
}

// bytes is the memory of element e of a register in a lane.
func (x *wmmaMove) bytes(w *warp, lane, reg, e int, a access) []byte {
	outer, inner := x.shape.element(x.matrix, x.typ, lane, reg, e)
	if !x.along {
		outer, inner = inner, outer
	}
	n := x.typ.Bytes()
	offset := (outer*int(w.r[x.stride][lane]) + inner) * n
	at := x.at.at(w, lane) + uint64(offset)
	w.tellOne(lane, x.space, at, n, a)
	return w.cta.cluster.bytes(w.agent(1<<lane), x.space, at, n, n, a)
}

func compileWmmaLoad(c *compiler, in *ptx.Instr) op {
	args := c.args(2, 3)
	x := c.wmmaMove(in, args[1], args[0], in.Args[2:])
	x.regs = c.fragmentTo(args[0])
	need, n := x.shape.registers(x.matrix, x.typ), x.typ.Bytes()
	return func(w *warp, m mask) *wait {
		got := make([]row32, need)
		for reg := range got {
			for lane := range lanes {
				var word [4]byte
				for e := range 4 / n {
					b := x.bytes(w, lane, reg, e, read)
					if b == nil {
						binary.LittleEndian.PutUint32(word[:], poison32)
						break
					}
					copy(word[e*n:], b)
				}
				got[reg][lane] = binary.LittleEndian.Uint32(word[:])
			}
		}
		for i, r := range x.regs {
			w.writeRow(r, &got[i%need], m)
		}
		return nil
	}
}

func compileWmmaStore(c *compiler, in *ptx.Instr) op {
	args := c.args(2, 3)
	x := c.wmmaMove(in, args[0], args[1], in.Args[2:])
	x.regs = c.fragment(args[1])
	n := x.typ.Bytes()
	return func(w *warp, _ mask) *wait {
		c := w.cta.cluster
		c.stores++
		for i, r := range x.regs {
			for lane := range lanes {
				var word [4]byte
				binary.LittleEndian.PutUint32(word[:], w.r[r][lane])
				for e := range 4 / n {
					to, v := x.bytes(w, lane, i, e, write), word[e*n:][:n]
					if c.watching && to != nil && !bytes.Equal(to, v) {
						c.progress++
					}
					copy(to, v)
				}
			}
		}
		return nil
	}
}
