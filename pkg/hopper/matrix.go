package hopper

import "gohopper/pkg/hopper/ptx"

// Matrix is a row-major matrix in global memory.
type Matrix struct {
	k          *Kernel
	base       string // register with its address
	Type       Elem
	Rows, Cols Int
}

// Matrix declares a .u64 pointer parameter to a dense row-major matrix of the
// given size in elements, loads it and makes it a global address (ld.param.u64,
// cvta.to.global.u64; PTX 9.7.9.20). The address is a multiple of 4 bytes.
func (k *Kernel) Matrix(name string, e Elem, rows, cols Int) Matrix {
	k.checkElem("a matrix", e)
	k.owns("Matrix", rows, cols)
	k.param(&ptx.Var{Space: ptx.Param, Type: "u64", Name: name})
	generic, global := k.reg("%rd"), k.reg("%rd")
	k.emit("ld.param.u64", regOp(generic), ptx.Addr{Base: ptx.Sym{Name: name}})
	k.emit("cvta.to.global.u64", regOp(global), regOp(generic))
	return Matrix{k, global, e, rows, cols}
}

// StoreGlobal writes the accumulator to the matrix with its corner at (row,
// col), rounded to the matrix's type, straight from registers, by every thread
// that holds a share: a whole warp, or a whole warpgroup. Each thread packs
// its pairs of columns (cvt.rn, PTX 9.7.9.21) and stores each in 32 bits
// (st.global.b32), after the addresses (from LaneIdx and WarpIdx) and a
// comparison with the matrix's size: what falls outside is left out. The
// corner's column and the matrix's width are multiples of 8, so a pair never
// straddles the edge.
func (k *Kernel) StoreGlobal(m Matrix, row, col Int, a *Accumulator) {
	if !k.owns("StoreGlobal", m, row, col, a) || a.broken() {
		return
	}
	if a.half {
		k.mistake("StoreGlobal of a HalfAccumulator: only Stmatrix takes one")
		return
	}
	lane := k.LaneIdx()
	stride := warpRows
	if a.warpgroup {
		k.byWarpgroup("StoreGlobal")
		stride = warpgroupRows
		row = row.Add(k.warpIdx().And(3).Mul(warpRows))
	} else {
		k.byAll("StoreGlobal", "warp")
	}
	row = row.Add(lane.Shr(2))
	first := col.Add(lane.And(3).Shl(1))
	for b, regs := range a.regs {
		for half := range 2 {
			r := row.Add(b*stride + half*8)
			inside := r.Less(m.Rows)
			at := m.element(r, first)
			for j := range a.Cols / 8 {
				k.storePair(m, at, j, inside, col, regs[4*j+2*half], regs[4*j+2*half+1])
			}
		}
	}
}

// storePair packs two neighbouring columns of group j and stores them.
func (k *Kernel) storePair(m Matrix, at string, j int, inside Pred, col Int, even, odd string) {
	packed := k.int32()
	k.emit("cvt.rn."+string(m.Type)+"x2.f32", packed.op(), regOp(odd), regOp(even))
	p := inside.And(col.Add(8 * j).Less(m.Cols))
	k.emitGuarded(&ptx.Guard{Reg: p.reg}, "st.global.b32",
		ptx.Addr{Base: regOp(at), Offset: int64(j * 8 * elemBytes)}, packed.op())
}

// element is a register with the address of element (row, col).
func (m Matrix) element(row, col Int) string {
	k := m.k
	index, wide, at := k.reg("%rd"), k.reg("%rd"), k.reg("%rd")
	k.emit("mul.wide.s32", regOp(index), row.op(), m.Cols.op())
	k.emit("mad.wide.s32", regOp(wide), col.op(), intOp(elemBytes), regOp(m.base))
	bytes := k.reg("%rd")
	k.emit("shl.b64", regOp(bytes), regOp(index), intOp(1))
	k.emit("add.s64", regOp(at), regOp(wide), regOp(bytes))
	return at
}
