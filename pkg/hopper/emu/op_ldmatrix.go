package emu

import (
	"encoding/binary"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// An 8x8 matrix of 16-bit elements is 8 rows of 16 bytes. In registers, lane
// 4r+i holds bytes 4i to 4i+3 of row r (tensor.MatrixAt), so a register row is
// the matrix, row by row.

// ldmatrixForms is the matrix loads and stores (PTX 9.7.14.5.15 to .17).
var ldmatrixForms = map[string][]form{
	"ldmatrix":  {{"sync aligned m8n8 x1|x2|x4 ?trans ?shared|shared::cta b16", compileLdmatrix}},
	"stmatrix":  {{"sync aligned m8n8 x1|x2|x4 ?trans ?shared|shared::cta b16", compileStmatrix}},
	"movmatrix": {{"sync aligned m8n8 trans b16", compileMovmatrix}},
}

func compileLdmatrix(c *compiler, in *ptx.Instr) op {
	args := c.args(2, 2)
	to, from := c.fragmentTo(args[0]), c.address(args[1])
	s, trans := c.space(), in.Has("trans")
	return func(w *warp, m mask) *wait {
		var got [4]row32 // a destination may hold the addresses
		w.tellAccess(matrixRows(len(to)), s, from, 16, event.Read, false)
		for i := range to {
			for row := range 8 {
				lane := 8*i + row // that has the address
				b := w.quick(s, from.at(w, lane), 16, 16)
				if b == nil {
					b = w.cta.cluster.bytes(w.agent(1<<lane), s, from.at(w, lane), 16, 16, read)
				}
				for part := range 4 {
					v := uint32(poison32)
					if b != nil {
						v = binary.LittleEndian.Uint32(b[4*part:])
					}
					got[i][4*row+part] = v
				}
			}
			if trans {
				got[i] = transposed(&got[i])
			}
		}
		for i, r := range to {
			w.writeRow(r, &got[i], m)
		}
		return nil
	}
}

func compileStmatrix(c *compiler, in *ptx.Instr) op {
	args := c.args(2, 2)
	to, from := c.address(args[0]), c.fragment(args[1])
	s, trans := c.space(), in.Has("trans")
	return func(w *warp, _ mask) *wait {
		c := w.cta.cluster
		c.stores++
		w.tellAccess(matrixRows(len(from)), s, to, 16, event.Write, false)
		for i, r := range from {
			v := w.r[r]
			if trans {
				v = transposed(&v)
			}
			for row := range 8 {
				lane := 8*i + row // that has the address
				b := c.bytes(w.agent(1<<lane), s, to.at(w, lane), 16, 16, write)
				for part := 0; b != nil && part < 4; part++ {
					word := b[4*part:]
					if c.watching && binary.LittleEndian.Uint32(word) != v[4*row+part] {
						c.progress++
					}
					binary.LittleEndian.PutUint32(word, v[4*row+part])
				}
			}
		}
		return nil
	}
}

// matrixRows is the lanes whose addresses a move of n matrices takes.
func matrixRows(n int) mask { return 1<<(8*n) - 1 }

func compileMovmatrix(c *compiler, _ *ptx.Instr) op {
	args := c.args(2, 2)
	to, from := c.dst32(args[0]), c.src32(args[1])
	return func(w *warp, m mask) *wait {
		v := transposed(&w.r[from])
		w.writeRow(to, &v, m)
		return nil
	}
}

// transposed exchanges the rows and columns of a matrix in registers.
func transposed(v *row32) (t row32) {
	for lane := range t {
		row, pair := lane/4, lane%4
		shift := row % 2 * 16
		low := v[8*pair+row/2] >> shift & 0xffff
		high := v[8*pair+4+row/2] >> shift << 16
		t[lane] = low | high
	}
	return t
}
