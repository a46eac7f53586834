package hopper

import "gohopper/pkg/hopper/ptx"

// Stmatrix writes columns of a warpgroup's accumulator, from column fromCol
// on, into a tile of 64 rows, rounded to the tile's type: for every 16 columns
// each thread packs four pairs (cvt.rn, PTX 9.7.9.21) and its warp stores them
// as four 8x8 matrices (stmatrix.x4, PTX 9.7.14.5.16), each lane addressing
// one row. The addresses come first; they read LaneIdx and WarpIdx. Block is
// the 64-row block of the accumulator, from 0; fromCol is a multiple of 16. A
// HalfAccumulator is packed already.
//
// The whole warpgroup executes it. These are ordinary writes: the TMA engine
// sees them only after FenceProxyAsync and a barrier.
func (k *Kernel) Stmatrix(dst Tile, acc *Accumulator, block, fromCol int) {
	if !k.fitsStmatrix(dst, acc, block, fromCol) {
		return
	}
	at := dst.lanePlace()
	regs := acc.regs[block]
	for c := 0; c < dst.Cols; c += 16 {
		v := ptx.Vec{}
		for i := range 4 {
			if acc.half {
				v.Elems = append(v.Elems, regOp(regs[(fromCol+c)/4+i]))
				continue
			}
			first := (fromCol+c)/2 + 2*i // registers run row, row+8 for 8 columns, then the next 8
			packed := k.int32()
			k.emit("cvt.rn."+string(dst.Type)+"x2.f32", packed.op(), regOp(regs[first+1]), regOp(regs[first]))
			v.Elems = append(v.Elems, packed.op())
		}
		// Two chunks on is an exclusive or within the swizzled row.
		k.emit("stmatrix.sync.aligned.m8n8.x4.shared.b16", ptx.Addr{Base: at.Xor(c * elemBytes).op()}, v)
	}
}

func (k *Kernel) fitsStmatrix(dst Tile, acc *Accumulator, block, fromCol int) bool {
	if !k.owns("Stmatrix", dst, acc) || acc.broken() {
		return false
	}
	k.byWarpgroup("Stmatrix")
	switch {
	case !acc.warpgroup:
		k.mistake("Stmatrix of a WarpAccumulator: it stores a warpgroup's block of 64 rows, so use k.Accumulator")
	case acc.half && dst.Type != F16:
		k.mistake("Stmatrix of a HalfAccumulator into a tile of %s: it holds f16 pairs", dst.Type)
	case block < 0 || block >= len(acc.regs):
		k.mistake("Stmatrix of block %d: an accumulator of %d rows has blocks 0 to %d, of 64 rows each",
			block, acc.Rows, len(acc.regs)-1)
	case dst.Rows != warpgroupRows:
		k.mistake("Stmatrix into a tile of %d rows: a warpgroup's block has 64 rows", dst.Rows)
	case dst.Swizzle != Swizzle64B && dst.Swizzle != Swizzle128B || dst.Cols*elemBytes != int(dst.Swizzle):
		k.mistake("Stmatrix into a tile of %d columns with Swizzle%dB: it writes tiles of 64 columns with Swizzle128B or 32 with Swizzle64B",
			dst.Cols, dst.Swizzle)
	case fromCol < 0 || fromCol%16 != 0 || fromCol+dst.Cols > acc.Cols:
		k.mistake("Stmatrix of columns %d to %d of an accumulator of %d columns: they must lie inside and start at a multiple of 16",
			fromCol, fromCol+dst.Cols-1, acc.Cols)
	default:
		return true
	}
	return false
}

// lanePlace is the address of the row that a lane names for stmatrix at the
// tile's first 16 columns: lanes 0-7 and 8-15 the first eight columns of 16
// rows, lanes 16-31 the next eight; each warp of the warpgroup 16 rows on.
func (t Tile) lanePlace() Int {
	k := t.k
	lane := k.LaneIdx()
	row := lane.And(15).Add(k.warpIdx().And(3).Mul(warpRows))
	span := int(t.Swizzle)
	// The pattern changes every 128 bytes of address: every row of 128 bytes,
	// every second one of 64.
	perPattern := 0
	if t.Swizzle == Swizzle64B {
		perPattern = 1
	}
	pattern := row.Shr(perPattern).And(span/16 - 1)
	return t.Addr().Add(row.Mul(span)).Add(lane.Shr(4).Xor(pattern).Shl(4))
}

// TMAStore starts the copy of a tile into a box of a tensor map, once for each
// executing thread (cp.async.bulk.tensor.2d with .bulk_group, PTX
// 9.7.9.27.1.2). What lies outside the matrix is not written; the corner is
// not negative.
func (k *Kernel) TMAStore(dst Box, src Tile) {
	if !k.fitsBox("TMAStore", src, dst) {
		return
	}
	for _, n := range []Number{dst.x, dst.y} {
		if c, ok := n.(int); ok && c < 0 {
			k.mistake("TMAStore at coordinate %d: a store's corner is not negative", c)
		}
	}
	k.emit("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group", dst.operand(), src.addr())
}

// TMACommit closes the executing thread's current group of stores
// (cp.async.bulk.commit_group, PTX 9.7.9.27.2.1).
func (k *Kernel) TMACommit() { k.emit("cp.async.bulk.commit_group") }

// TMAWaitRead waits, in the thread that committed them, until all but the
// newest pending groups have been read out of shared memory, which may then be
// written again (cp.async.bulk.wait_group.read, PTX 9.7.9.27.2.2).
func (k *Kernel) TMAWaitRead(pending int) {
	k.bulkWait("TMAWaitRead", "cp.async.bulk.wait_group.read", pending)
}

// TMAWait waits, in the thread that committed them, until all but the newest
// pending groups are complete and their writes visible to it
// (cp.async.bulk.wait_group, PTX 9.7.9.27.2.2).
func (k *Kernel) TMAWait(pending int) { k.bulkWait("TMAWait", "cp.async.bulk.wait_group", pending) }

func (k *Kernel) bulkWait(word, name string, pending int) {
	if pending < 0 {
		k.mistake("%s(%d): the number of groups that may be pending is not negative", word, pending)
	}
	k.emit(name, intOp(pending))
}
