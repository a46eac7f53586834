package main

import "gohopper/pkg/hopper"

// halfTile is the tile of the half-precision variant: with f16 accumulators a
// thread holds 128 x 256 in 128 registers, so two consumers make 256 x 256.
var halfTile = Tile{M: 256, N: 256, K: 64, Stages: 3, Group: 8}

// halfStore is the columns of C that a consumer stages at a time.
const halfStore = 128

// HalfKernel is V6 with f16 accumulation and a tile of 256 x 256: fast, and
// less exact.
func HalfKernel(t Tile, e hopper.Elem) *hopper.Kernel {
	k := hopper.New("matmul_v6_half", hopper.Threads((consumers+1)*128), hopper.Cluster(cluster))
	a, b, c := k.TensorMap("a"), k.TensorMap("b"), k.TensorMap("c")
	m, n, kk := k.Int32("m"), k.Int32("n"), k.Int32("k")

	mine := t.M / consumers // rows of a consumer
	sa := k.SharedRing(t.Stages, e, t.M, t.K, hopper.Swizzle128B)
	sb := k.SharedRing(t.Stages, e, t.N, t.K, hopper.Swizzle128B)
	sc := k.SharedRing(consumers*halfStore/slab, e, rows, slab, hopper.Swizzle64B)
	pipe := k.Pipeline(t.Stages)

	k.OneThread(func() {
		pipe.Init(1, consumers*cluster)
		k.FenceMbarrierInit()
	})
	k.ClusterSync()

	rank := k.ClusterRank()
	pairs, columns := m.CeilDiv(cluster*t.M), n.CeilDiv(t.N)
	tiles := func(body func(row, col hopper.Int)) {
		for tile := range k.Range(k.BlockIdx(0).Div(cluster), pairs.Mul(columns), k.GridDim(0).Div(cluster)) {
			pair, column := k.GroupedRaster(tile, pairs, columns, t.Group)
			body(pair.Mul(cluster).Add(rank).Mul(t.M), column.Mul(t.N))
		}
	}

	consume := func() {
		k.SetMaxRegInc(consumerRegs)
		me := k.WarpgroupIdx()
		acc := k.HalfAccumulator(mine, t.N)
		at := pipe.Consumer()
		release := func(stage hopper.Int) {
			k.OneOfWarpgroup(func() {
				for peer := range cluster {
					pipe.Empty.Stage(stage).ArriveRemote(peer, hopper.Relaxed)
				}
			})
		}
		store := func(block, from int, row, col hopper.Int) {
			slot := func(i int) hopper.Tile { return sc.Stage(me.Mul(halfStore / slab).Add(i)) }
			k.OneOfWarpgroup(func() { k.TMAWaitRead(0) })
			k.SyncThreads(me.Add(1), 128)
			for i := range halfStore / slab {
				k.Stmatrix(slot(i), acc, block, from+i*slab)
			}
			k.FenceProxyAsync()
			k.SyncThreads(me.Add(1), 128)
			k.OneOfWarpgroup(func() {
				for i := range halfStore / slab {
					k.TMAStore(c.At(col.Add(i*slab), row), slot(i))
				}
				k.TMACommit()
			})
		}
		tiles(func(row, col hopper.Int) {
			acc.Zero()
			for x := range k.Range(0, kk, t.K) {
				at.Acquire()
				k.WgmmaFence()
				k.Wgmma(acc, sa.Stage(at.Stage).From(me.Mul(mine), mine), sb.Stage(at.Stage))
				k.WgmmaCommit()
				k.WgmmaWait(1)
				k.If(x.AtLeast(1), func() { release(at.Previous()) })
				at.Advance()
			}
			k.WgmmaWait(0)
			release(at.Previous())
			for block := range mine / rows {
				for from := 0; from < t.N; from += halfStore {
					store(block, from, row.Add(me.Mul(mine)).Add(block*rows), col.Add(from))
				}
			}
		})
		k.OneOfWarpgroup(func() { k.TMAWait(0) })
	}

	produce := func() {
		at := pipe.Producer()
		part := t.N / cluster
		tiles(func(row, col hopper.Int) {
			for x := range k.Range(0, kk, t.K) {
				at.Acquire()
				at.Full().ArriveExpectTx(sa.Bytes() + sb.Bytes())
				k.TMALoad(sa.Stage(at.Stage), a.At(x, row), at.Full())
				share := rank.Mul(part)
				k.TMALoadMulticast(sb.Stage(at.Stage).From(share, part), b.At(x, col.Add(share)), at.Full(), 1<<cluster-1)
				at.Advance()
			}
		})
		for range t.Stages {
			at.Acquire()
			at.Advance()
		}
	}

	k.IfElse(k.WarpgroupIdx().Less(consumers), consume, func() {
		k.SetMaxRegDec(producerRegs)
		k.If(k.WarpIdx().Equal(consumers*4), func() { k.ElectOne(produce) })
	})
	k.ClusterSync()
	return k
}
