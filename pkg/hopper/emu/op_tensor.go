package emu

import (
	"gohopper/pkg/hopper/emu/tensor"
	"gohopper/pkg/hopper/ptx"
)

// tensorFamilies compiles the instructions of the tensor cores and the matrix
// moves that feed them (PTX 9.7.14 and 9.7.15).
var tensorFamilies = matrixFamilies()

func matrixFamilies() map[string]family {
	all := join(ldmatrixForms, mmaForms, wmmaForms)
	all["wgmma"] = wgmmaFamily
	return all
}

// tensorTypes are the operand types that PTX names.
var tensorTypes = map[string]tensor.Type{
	"f16": tensor.F16, "bf16": tensor.BF16, "tf32": tensor.TF32,
	"e4m3": tensor.E4M3, "e5m2": tensor.E5M2, "s8": tensor.S8, "u8": tensor.U8,
	"f32": tensor.F32, "s32": tensor.S32,
}

// fragment compiles a list of registers that together hold part of a matrix
// and are read; ptx.Verify has counted them.
func (c *compiler) fragment(o ptx.Operand) (rows []int) {
	for _, e := range c.elements(o) {
		rows = append(rows, c.src32(e))
	}
	return rows
}

// fragmentTo is fragment for registers that are written.
func (c *compiler) fragmentTo(o ptx.Operand) (rows []int) {
	for _, e := range c.elements(o) {
		rows = append(rows, c.dst32(e))
	}
	return rows
}

// writeRow writes a register in the lanes of m.
func (w *warp) writeRow(r int, v *row32, m mask) {
	if m == allLanes {
		w.r[r] = *v
		return
	}
	keep((*row[uint32])(&w.r[r]), (*row[uint32])(v), m)
}

// lanesOf is a register row as package tensor takes it.
func lanesOf(r *row32) *tensor.Register { return (*tensor.Register)(r) }
