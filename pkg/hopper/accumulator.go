package hopper

import (
	"gohopper/pkg/hopper/ptx"
)

// Accumulator is a float32 tile spread over the registers of a warpgroup or of
// a warp. Its rows come in blocks: 64 for a warpgroup, of which each warp holds
// 16, or 16 for a warp.
//
// In a block, lane l of a warp holds rows l/4 and l/4 + 8, and of every 8
// columns the pair 2*(l%4), 2*(l%4)+1: four registers for 8 columns, in the
// order (row, even), (row, odd), (row+8, even), (row+8, odd). WGMMA and
// mma.sync agree on this (PTX 9.7.15.5.1.1, 9.7.14.5.8).
type Accumulator struct {
	k          *Kernel
	Rows, Cols int
	warpgroup  bool
	half       bool       // f16: a register holds a pair of columns
	regs       [][]string // [block][register]; nil if its size was a mistake
}

const (
	warpgroupRows  = 64
	warpRows       = 16
	maxAccumulator = 240 // registers of a thread, which has 255
)

// Accumulator sets rows*cols/128 registers aside in every thread of a
// warpgroup, 240 at most. Rows are a multiple of 64, columns of 8. It records
// nothing.
func (k *Kernel) Accumulator(rows, cols int) *Accumulator {
	k.hasWarpgroup("Accumulator")
	return k.accumulator(rows, cols, warpgroupRows, true, false)
}

// HalfAccumulator is Accumulator in f16, half as many registers: rows*cols/256
// in every thread. Every sum is rounded to 11 bits, so what it saves in
// registers it costs in accuracy. Wgmma, for tiles of f16, and Stmatrix take it.
func (k *Kernel) HalfAccumulator(rows, cols int) *Accumulator {
	k.hasWarpgroup("HalfAccumulator")
	return k.accumulator(rows, cols, warpgroupRows, true, true)
}

// WarpAccumulator sets rows*cols/32 registers aside in every thread of a warp,
// 240 at most. Rows are a multiple of 16, columns of 8. It records nothing.
func (k *Kernel) WarpAccumulator(rows, cols int) *Accumulator {
	return k.accumulator(rows, cols, warpRows, false, false)
}

func (k *Kernel) accumulator(rows, cols, block int, warpgroup, half bool) *Accumulator {
	a := &Accumulator{k: k, Rows: rows, Cols: cols, warpgroup: warpgroup, half: half}
	class, pack := "%f", 1
	if half {
		class, pack = "%r", 2
	}
	if rows < block || rows%block != 0 || cols < 8 || cols%8 != 0 {
		k.mistake("an accumulator of %d x %d: rows come in blocks of %d, columns in eights", rows, cols, block)
		return a
	}
	if perThread := rows / block * cols / 2 / pack; perThread > maxAccumulator {
		k.mistake("an accumulator of %d x %d takes %d registers of each thread, which has 255 in all and needs some for addresses; use a smaller tile or more warps",
			rows, cols, perThread)
		return a
	}
	for range rows / block {
		regs := make([]string, cols/2/pack)
		for i := range regs {
			regs[i] = k.reg(class)
		}
		a.regs = append(a.regs, regs)
	}
	return a
}

// dtype is the type of the accumulator's elements, as PTX names it.
func (a *Accumulator) dtype() string {
	if a.half {
		return "f16"
	}
	return "f32"
}

// broken reports that the accumulator's size was a mistake, so that words on
// it have nothing to add.
func (a *Accumulator) broken() bool { return a.regs == nil }

// Zero clears the accumulator, by every thread that holds a share (mov.f32 for
// each register, mov.b32 for one of a HalfAccumulator).
func (a *Accumulator) Zero() {
	for _, block := range a.regs {
		for _, r := range block {
			if a.half {
				a.k.emit("mov.b32", regOp(r), intOp(0))
				continue
			}
			a.k.emit("mov.f32", regOp(r), ptx.Float32{})
		}
	}
}
