package main

import "gohopper/pkg/hopper"

// Tile is the part of C that one CTA computes, the slice of K it takes at a
// time, how many slices the ring holds, and how many tile columns make a
// raster group.
type Tile struct{ M, N, K, Stages, Group int }

// DefaultTile won at 8192 cubed on an H200.
var DefaultTile = Tile{M: 128, N: 320, K: 64, Stages: 3, Group: 8}

const (
	consumers    = 2 // warpgroups that multiply, 64 rows of the tile each
	rows         = 64
	cluster      = 2 // CTAs that share B
	consumerRegs = 232
	producerRegs = 40
	slab         = 32 // columns of one tile of the epilogue
)

// Kernel records C = A Bᵀ, with A m x k, B n x k and C m x n, all row-major.
func Kernel(t Tile, e hopper.Elem) *hopper.Kernel {
	k := hopper.New("matmul_v6", hopper.Threads((consumers+1)*128), hopper.Cluster(cluster))
	a, b, c := k.TensorMap("a"), k.TensorMap("b"), k.TensorMap("c")
	m, n, kk := k.Int32("m"), k.Int32("n"), k.Int32("k")

	//region shared
	k.Require(t.N%(2*slab) == 0, "a tile of %d columns: each half is stored in slabs of %d columns, so the width is a multiple of %d", t.N, slab, 2*slab)
	half := t.N / 2
	sa := k.SharedRing(t.Stages, e, t.M, t.K, hopper.Swizzle128B)
	sb := k.SharedRing(t.Stages, e, t.N, t.K, hopper.Swizzle128B)
	sc := k.SharedRing(consumers*half/slab, e, rows, slab, hopper.Swizzle64B)
	pipe := k.Pipeline(t.Stages)
	//endregion shared

	//region init
	k.OneThread(func() {
		pipe.Init(1, consumers*cluster)
		k.FenceMbarrierInit()
	})
	k.ClusterSync()
	//endregion init

	//region tiles
	// A tile index names a pair of tiles, one above the other: one for each CTA
	// of the cluster.
	rank := k.ClusterRank()
	pairs, columns := m.CeilDiv(cluster*t.M), n.CeilDiv(t.N)
	tiles := func(body func(row, col hopper.Int)) {
		for tile := range k.Range(k.BlockIdx(0).Div(cluster), pairs.Mul(columns), k.GridDim(0).Div(cluster)) {
			pair, column := k.GroupedRaster(tile, pairs, columns, t.Group)
			body(pair.Mul(cluster).Add(rank).Mul(t.M), column.Mul(t.N))
		}
	}
	//endregion tiles

	consume := func() {
		k.SetMaxRegInc(consumerRegs)
		me := k.WarpgroupIdx()
		left, right := k.Accumulator(rows, half), k.Accumulator(rows, half)
		at := pipe.Consumer()

		//region release
		release := func(stage hopper.Int) {
			k.OneOfWarpgroup(func() {
				for peer := range cluster {
					pipe.Empty.Stage(stage).ArriveRemote(peer, hopper.Relaxed)
				}
			})
		}
		//endregion release

		//region store
		store := func(acc *hopper.Accumulator, row, col hopper.Int) {
			slot := func(i int) hopper.Tile { return sc.Stage(me.Mul(half / slab).Add(i)) }
			k.OneOfWarpgroup(func() { k.TMAWaitRead(0) })
			k.SyncThreads(me.Add(1), 128)
			for i := range half / slab {
				k.Stmatrix(slot(i), acc, 0, i*slab)
			}
			k.FenceProxyAsync()
			k.SyncThreads(me.Add(1), 128)
			k.OneOfWarpgroup(func() {
				for i := range half / slab {
					k.TMAStore(c.At(col.Add(i*slab), row), slot(i))
				}
				k.TMACommit()
			})
		}
		//endregion store

		tiles(func(row, col hopper.Int) {
			left.Zero()
			right.Zero()
			//region mainloop
			for x := range k.Range(0, kk, t.K) {
				at.Acquire()
				k.WgmmaFence()
				mine := sa.Stage(at.Stage).From(me.Mul(rows), rows)
				k.Wgmma(left, mine, sb.Stage(at.Stage).From(0, half))
				k.Wgmma(right, mine, sb.Stage(at.Stage).From(half, half))
				k.WgmmaCommit()
				k.WgmmaWait(1)
				k.If(x.AtLeast(1), func() { release(at.Previous()) })
				at.Advance()
			}
			k.WgmmaWait(0)
			release(at.Previous())
			//endregion mainloop

			//region epilogue
			mine := row.Add(me.Mul(rows))
			store(left, mine, col)
			store(right, mine, col.Add(half))
			//endregion epilogue
		})
		//region end
		k.OneOfWarpgroup(func() { k.TMAWait(0) })
		//endregion end
	}

	produce := func() {
		//region producer
		at := pipe.Producer()
		tiles(func(row, col hopper.Int) {
			for x := range k.Range(0, kk, t.K) {
				at.Acquire()
				at.Full().ArriveExpectTx(sa.Bytes() + sb.Bytes())
				k.TMALoad(sa.Stage(at.Stage), a.At(x, row), at.Full())
				mine := rank.Mul(half)
				k.TMALoadMulticast(sb.Stage(at.Stage).From(mine, half), b.At(x, col.Add(mine)), at.Full(), 1<<cluster-1)
				at.Advance()
			}
		})
		for range t.Stages {
			at.Acquire()
			at.Advance()
		}
		//endregion producer
	}

	//region roles
	k.IfElse(k.WarpgroupIdx().Less(consumers), consume, func() {
		k.SetMaxRegDec(producerRegs)
		k.If(k.WarpIdx().Equal(consumers*4), func() { k.ElectOne(produce) })
	})
	k.ClusterSync()
	//endregion roles
	return k
}
