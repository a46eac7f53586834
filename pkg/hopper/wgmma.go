package hopper

import (
	"fmt"

	"gohopper/pkg/hopper/ptx"
)

// Fields of a WGMMA matrix descriptor for a K-major tile with the 128-byte
// swizzle (PTX 9.7.15.5.1.2). Byte quantities are encoded divided by 16.
const (
	descriptorLBO   = 1 << 16   // ignored in this mode, 1 by convention
	descriptorSBO   = 1024 >> 4 // the next 8 rows are 1024 bytes on
	descriptor128B  = 1 << 30   // bits 62-63 of the whole: the swizzle mode
	descriptorKStep = 32 >> 4   // the next 16 elements of K are 32 bytes on
	wgmmaK          = 16        // elements of K that one instruction takes
)

// descriptor is a register with the matrix descriptor of a tile: its address
// divided by 16 and the constant fields.
func (t Tile) descriptor() string {
	k := t.k
	low := t.value().Shr(4).Or(descriptorLBO)
	d := k.reg("%rd")
	k.emit("mov.b64", regOp(d), ptx.Vec{Elems: []ptx.Operand{
		low.op(), intOp(descriptor128B | descriptorSBO),
	}})
	return d
}

// advance is a register with the descriptor d moved on by a constant.
func (k *Kernel) advance(d string, by int) string {
	if by == 0 {
		return d
	}
	out := k.reg("%rd")
	k.emit("add.s64", regOp(out), regOp(d), intOp(by))
	return out
}

// Wgmma adds A * Bᵀ to the accumulator, by a whole warpgroup: A is a tile of
// the accumulator's rows, B one of the accumulator's columns, both K-major
// with Swizzle128B. It is one wgmma.mma_async for every 64 rows and every 16
// columns of K (m64nNk16, PTX 9.7.15.5.2), with the descriptors before them
// (add, shr, or, mov for each tile, add.s64 for each step) and a predicate that
// is always true (setp), which says that the accumulator is added to.
//
// The warpgroup does not wait, and nothing is fenced or committed.
func (k *Kernel) Wgmma(acc *Accumulator, a, b Tile) {
	if !k.fitsWgmma(acc, a, b) {
		return
	}
	da, db := a.descriptor(), b.descriptor()
	accumulate := k.pred()
	k.emit("setp.eq.s32", accumulate.op(), intOp(0), intOp(0))
	name := fmt.Sprintf("wgmma.mma_async.sync.aligned.m64n%dk%d.%s.%s.%s", acc.Cols, wgmmaK, acc.dtype(), a.Type, a.Type)
	for step := 0; step < a.Cols/wgmmaK; step++ {
		bk := k.advance(db, step*descriptorKStep)
		for block, regs := range acc.regs {
			ak := k.advance(da, step*descriptorKStep+block*warpgroupRows*a.Cols*elemBytes>>4)
			d := make([]ptx.Operand, len(regs))
			for i, r := range regs {
				d[i] = regOp(r)
			}
			k.emit(name, ptx.Vec{Elems: d}, regOp(ak), regOp(bk), accumulate.op(),
				intOp(1), intOp(1), intOp(0), intOp(0))
		}
	}
}

func (k *Kernel) fitsWgmma(acc *Accumulator, a, b Tile) bool {
	if !k.owns("Wgmma", acc, a, b) || acc.broken() {
		return false
	}
	k.byWarpgroup("Wgmma")
	switch {
	case !acc.warpgroup:
		k.mistake("Wgmma into a WarpAccumulator: WGMMA is issued by a warpgroup, so use k.Accumulator")
	case a.Swizzle != Swizzle128B || b.Swizzle != Swizzle128B:
		k.mistake("Wgmma of tiles with Swizzle%dB and Swizzle%dB: both operands are tiles with Swizzle128B", a.Swizzle, b.Swizzle)
	case a.Rows != acc.Rows || b.Rows != acc.Cols || a.Cols != b.Cols || a.Type != b.Type:
		k.mistake("Wgmma: A is %d x %d %s and B is %d x %d %s, but an accumulator of %d x %d needs A %d x K and B %d x K of one type",
			a.Rows, a.Cols, a.Type, b.Rows, b.Cols, b.Type, acc.Rows, acc.Cols, acc.Rows, acc.Cols)
	case acc.half && a.Type != F16:
		k.mistake("Wgmma of %s tiles into a HalfAccumulator: only f16 operands can be accumulated in f16", a.Type)
	case acc.Cols > 256:
		k.mistake("Wgmma with %d columns: one instruction has at most 256; use two accumulators", acc.Cols)
	default:
		return true
	}
	return false
}

// WgmmaFence orders the warpgroup's register accesses before the WGMMAs that
// follow (wgmma.fence, PTX 9.7.15.7.1). The whole warpgroup executes it. It is
// due before the first WGMMA, and whenever ordinary instructions have touched
// the accumulator.
func (k *Kernel) WgmmaFence() {
	k.byWarpgroup("WgmmaFence")
	k.emit("wgmma.fence.sync.aligned")
}

// WgmmaCommit closes the warpgroup's current group of WGMMAs, by the whole
// warpgroup (wgmma.commit_group, PTX 9.7.15.7.2).
func (k *Kernel) WgmmaCommit() {
	k.byWarpgroup("WgmmaCommit")
	k.emit("wgmma.commit_group.sync.aligned")
}

// WgmmaWait holds the warpgroup until at most pending of its latest groups, 0
// to 7, are unfinished (wgmma.wait_group, PTX 9.7.15.7.3). The whole warpgroup
// executes it. Before it, nobody may touch the accumulator.
func (k *Kernel) WgmmaWait(pending int) {
	k.byWarpgroup("WgmmaWait")
	if pending < 0 || pending > 7 {
		k.mistake("WgmmaWait(%d): 0 to 7 groups may stay in flight", pending)
	}
	k.emit("wgmma.wait_group.sync.aligned", intOp(pending))
}
