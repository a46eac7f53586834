package main

import "gohopper/pkg/hopper"

// Tile is the part of C that one CTA computes, the slice of K it takes at a
// time, how many slices the ring holds, and how many tile columns make a
// raster group.
type Tile struct{ M, N, K, Stages, Group int }

// DefaultTile won at 8192 cubed on an H200.
var DefaultTile = Tile{M: 128, N: 256, K: 64, Stages: 4, Group: 4}

// consumers is the number of warpgroups that multiply; each takes its share of
// the tile's rows. The producer is one warp after them.
const consumers = 2

// Kernel records C = A Bᵀ, with A m x k, B n x k and C m x n, all row-major.
func Kernel(t Tile, e hopper.Elem) *hopper.Kernel {
	k := hopper.New("matmul_v5", hopper.Threads(consumers*128+32))
	a, b := k.TensorMap("a"), k.TensorMap("b")
	m, n, kk := k.Int32("m"), k.Int32("n"), k.Int32("k")
	c := k.Matrix("c", e, m, n)

	sa := k.SharedRing(t.Stages, e, t.M, t.K, hopper.Swizzle128B)
	sb := k.SharedRing(t.Stages, e, t.N, t.K, hopper.Swizzle128B)
	pipe := k.Pipeline(t.Stages)

	k.OneThread(func() {
		pipe.Init(1, consumers)
		k.FenceMbarrierInit()
	})
	k.Sync()

	//region raster
	rowTile, colTile := k.GroupedRaster(k.BlockIdx(0), m.CeilDiv(t.M), n.CeilDiv(t.N), t.Group)
	row, col := rowTile.Mul(t.M), colTile.Mul(t.N)
	//endregion raster

	consume := func() {
		//region consumer
		rows := t.M / consumers
		first := k.WarpgroupIdx().Mul(rows)
		acc := k.Accumulator(rows, t.N)
		acc.Zero()
		at := pipe.Consumer()
		for x := range k.Range(0, kk, t.K) {
			at.Acquire()
			k.WgmmaFence()
			k.Wgmma(acc, sa.Stage(at.Stage).From(first, rows), sb.Stage(at.Stage))
			k.WgmmaCommit()
			// This turn's group stays in flight. The one before it is done, so
			// the stage it read can go.
			k.WgmmaWait(1)
			k.If(x.AtLeast(1), func() {
				k.OneOfWarpgroup(func() { pipe.Empty.Stage(at.Previous()).Arrive() })
			})
			at.Advance()
		}
		k.WgmmaWait(0)
		k.OneOfWarpgroup(func() { pipe.Empty.Stage(at.Previous()).Arrive() })
		//endregion consumer
		k.StoreGlobal(c, row.Add(first), col, acc)
	}

	produce := func() {
		//region producer
		at := pipe.Producer()
		for x := range k.Range(0, kk, t.K) {
			at.Acquire()
			at.Full().ArriveExpectTx(sa.Bytes() + sb.Bytes())
			k.TMALoad(sa.Stage(at.Stage), a.At(x, row), at.Full())
			k.TMALoad(sb.Stage(at.Stage), b.At(x, col), at.Full())
			at.Advance()
		}
		for range t.Stages {
			at.Acquire()
			at.Advance()
		}
		//endregion producer
	}

	k.IfElse(k.WarpIdx().Less(consumers*4), consume, func() { k.ElectOne(produce) })
	return k
}
