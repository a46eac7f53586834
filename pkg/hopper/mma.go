package hopper

import (
	"fmt"

	"gohopper/pkg/hopper/ptx"
)

// Fragment is 32-bit registers that hold a warp's share of an operand of
// mma.sync, two elements in each.
type Fragment []Int

// Ldmatrix4 loads four 8x8 matrices of two-byte elements from shared memory,
// by a whole warp (ldmatrix.x4, PTX 9.7.14.5.15): lane l gives the address of
// row l%8 of matrix l/8, a multiple of 16 bytes, and gets in register i
// elements 2*(l%4) and 2*(l%4)+1 of row l/4 of matrix i. Offset is constant
// bytes on top of the address.
func (k *Kernel) Ldmatrix4(addr Int, offset int) Fragment {
	k.byAll("Ldmatrix4", "warp")
	f := Fragment{k.int32(), k.int32(), k.int32(), k.int32()}
	if !k.owns("Ldmatrix4", addr) {
		return f
	}
	if offset%16 != 0 {
		k.mistake("Ldmatrix4 at offset %d: a row of an 8x8 matrix is 16 bytes and starts at a multiple of 16", offset)
	}
	k.emit("ldmatrix.sync.aligned.m8n8.x4.shared.b16", f.vec(),
		ptx.Addr{Base: addr.op(), Offset: int64(offset)})
	return f
}

func (f Fragment) vec() ptx.Operand {
	v := ptx.Vec{}
	for _, r := range f {
		v.Elems = append(v.Elems, r.op())
	}
	return v
}

// MmaSync adds a 16x16 by 16x8 product to rows 16*i on and columns 8*j on of a
// warp's accumulator, by the whole warp, which has the result when the
// instruction is done (mma.sync m16n8k16, PTX 9.7.14.5.14). A is four
// registers, row-major, and B two, K-major.
func (k *Kernel) MmaSync(acc *Accumulator, i, j int, e Elem, a, b Fragment) {
	if !k.owns("MmaSync", acc) || acc.broken() {
		return
	}
	k.byAll("MmaSync", "warp")
	k.checkElem("MmaSync", e)
	switch {
	case acc.warpgroup:
		k.mistake("MmaSync into a warpgroup's Accumulator: mma.sync is issued by a warp, so use k.WarpAccumulator")
		return
	case i < 0 || i >= len(acc.regs) || j < 0 || j >= acc.Cols/8:
		k.mistake("MmaSync at block (%d, %d): an accumulator of %d x %d has %d x %d blocks of 16 x 8",
			i, j, acc.Rows, acc.Cols, len(acc.regs), acc.Cols/8)
		return
	case len(a) != 4 || len(b) != 2:
		k.mistake("MmaSync with %d registers of A and %d of B: A has 4, all of a Fragment, and B has 2, half of one", len(a), len(b))
		return
	}
	for _, r := range append(a[:4:4], b...) {
		if !k.owns("MmaSync", r) {
			return
		}
	}
	d := ptx.Vec{}
	for _, r := range acc.regs[i][4*j : 4*j+4] {
		d.Elems = append(d.Elems, regOp(r))
	}
	k.emit(fmt.Sprintf("mma.sync.aligned.m16n8k16.row.col.f32.%s.%s.f32", e, e), d, a.vec(), b.vec(), d)
}
