package hopper

// special reads a special register into an Int (mov.u32).
func (k *Kernel) special(name string) Int {
	out := k.int32()
	k.emit("mov.u32", out.op(), regOp(name))
	return out
}

func (k *Kernel) dim(register string, d int) Int {
	if d < 0 || d > 2 {
		k.mistake("dimension %d: a grid has dimensions 0, 1 and 2", d)
		d = 0
	}
	return k.special(register + "." + "xyz"[d:d+1])
}

// BlockIdx is the CTA's index in dimension d of the grid, 0 to 2 (mov.u32 from
// %ctaid, PTX 10).
func (k *Kernel) BlockIdx(d int) Int { return k.dim("%ctaid", d) }

// GridDim is the number of CTAs in dimension d of the grid (%nctaid).
func (k *Kernel) GridDim(d int) Int { return k.dim("%nctaid", d) }

// ThreadIdx is the thread's index in its CTA (%tid.x).
func (k *Kernel) ThreadIdx() Int { return k.special("%tid.x") }

// LaneIdx is the thread's index in its warp, 0 to 31 (%laneid).
func (k *Kernel) LaneIdx() Int { return k.special("%laneid") }

// ClusterRank is the CTA's index in its cluster (%cluster_ctarank), 0 where
// there is none.
func (k *Kernel) ClusterRank() Int { return k.special("%cluster_ctarank") }

// WarpIdx is the warp's index in its CTA: tid.x / 32 taken from lane 0 by
// shfl.sync (PTX 9.7.9.6), so that the assembler knows that the whole warp
// agrees and a branch on it does not count as divergent. All 32 lanes execute
// it together.
func (k *Kernel) WarpIdx() Int {
	k.byAll("WarpIdx", "warp")
	return k.warpIdx()
}

func (k *Kernel) warpIdx() Int {
	mine := k.ThreadIdx().Shr(5)
	out := k.int32()
	k.emit("shfl.sync.idx.b32", out.op(), mine.op(), intOp(0), intOp(31), intOp(-1))
	return out
}

// WarpgroupIdx is the warpgroup's index in its CTA: WarpIdx / 4, as WarpIdx
// executed by a whole warp.
func (k *Kernel) WarpgroupIdx() Int {
	k.byAll("WarpgroupIdx", "warp")
	return k.warpIdx().Shr(2)
}
