package main

import "gohopper/pkg/hopper"

// Kernel records C = A Bᵀ, with A m x k, B n x k and C m x n, all row-major.
func Kernel(t Tile, e hopper.Elem) *hopper.Kernel {
	k := hopper.New("matmul_v7", hopper.Threads((consumers+1)*128), hopper.Cluster(t.Cluster))
	a, b, c := k.TensorMap("a"), k.TensorMap("b"), k.TensorMap("c")
	m, n, kk := k.Int32("m"), k.Int32("n"), k.Int32("k")

	k.Require(t.N%64 == 0 && t.N <= 320, "a tile of %d columns: it is a multiple of 64, at most 320", t.N)
	k.Require(t.Raster == byColumns || t.Raster == byRows, "raster %d: it is %d for groups of columns or %d for groups of rows", t.Raster, byColumns, byRows)
	sa := k.SharedRing(t.Stages, e, consumers*rows, depth, hopper.Swizzle128B)
	sb := k.SharedRing(t.Stages, e, t.N, depth, hopper.Swizzle128B)
	sc := k.SharedRing(consumers*t.slots(), e, rows, column, hopper.Swizzle64B)
	pipe := k.Pipeline(t.Stages)
	together := k.Sync
	if t.Cluster > 1 {
		together = k.ClusterSync
	}

	k.OneThread(func() {
		pipe.Init(1, consumers*t.Cluster)
		k.FenceMbarrierInit()
	})
	together()
	//region overlap
	k.GridWait()
	k.GridRelease()
	//endregion overlap

	//region tiles
	rank := k.ClusterRank()
	groups, columns := m.CeilDiv(t.Cluster*consumers*rows), n.CeilDiv(t.N)
	tiles := func(body func(row, col hopper.Int)) {
		for tile := range k.Range(k.BlockIdx(0).Div(t.Cluster), groups.Mul(columns), k.GridDim(0).Div(t.Cluster)) {
			var group, col hopper.Int
			if t.Raster == byRows {
				col, group = k.GroupedRaster(tile, columns, groups, t.Group)
			} else {
				group, col = k.GroupedRaster(tile, groups, columns, t.Group)
			}
			body(group.Mul(t.Cluster).Add(rank).Mul(consumers*rows), col.Mul(t.N))
		}
	}
	//endregion tiles

	consume := func() {
		k.SetMaxRegInc(consumerRegs)
		me := k.WarpgroupIdx()
		var parts []*hopper.Accumulator
		for range t.N / t.width() {
			parts = append(parts, k.Accumulator(rows, t.width()))
		}
		at := pipe.Consumer()
		release := func(stage hopper.Int) {
			k.OneOfWarpgroup(func() {
				if t.Cluster == 1 {
					pipe.Empty.Stage(stage).Arrive()
					return
				}
				for peer := range t.Cluster {
					pipe.Empty.Stage(stage).ArriveRemote(peer, hopper.Relaxed)
				}
			})
		}

		//region epilogue
		store := func(row, col hopper.Int) {
			for i := range t.N / column {
				slot := sc.Stage(me.Mul(t.slots()).Add(i % t.slots()))
				k.OneOfWarpgroup(func() { k.TMAWaitRead(t.slots() - 1) })
				k.SyncThreads(me.Add(1), 128)
				k.Stmatrix(slot, parts[i*column/t.width()], 0, i*column%t.width())
				k.FenceProxyAsync()
				k.SyncThreads(me.Add(1), 128)
				k.OneOfWarpgroup(func() {
					k.TMAStore(c.At(col.Add(i*column), row), slot)
					k.TMACommit()
				})
			}
		}
		//endregion epilogue

		tiles(func(row, col hopper.Int) {
			for _, acc := range parts {
				acc.Zero()
			}
			for x := range k.Range(0, kk, depth) {
				at.Acquire()
				k.WgmmaFence()
				mine := sa.Stage(at.Stage).From(me.Mul(rows), rows)
				for i, acc := range parts {
					k.Wgmma(acc, mine, sb.Stage(at.Stage).From(i*t.width(), t.width()))
				}
				k.WgmmaCommit()
				k.WgmmaWait(1)
				k.If(x.AtLeast(1), func() { release(at.Previous()) })
				at.Advance()
			}
			k.WgmmaWait(0)
			release(at.Previous())
			store(row.Add(me.Mul(rows)), col)
		})
		k.OneOfWarpgroup(func() { k.TMAWait(0) })
	}

	produce := func() {
		at := pipe.Producer()
		last := kk.CeilDiv(depth).Sub(1).Mul(depth)
		turned := k.Var(0)
		tiles(func(row, col hopper.Int) {
			for x := range k.Range(0, kk, depth) {
				//region turn
				x = turned.Equal(1).Select(last.Sub(x), x)
				//endregion turn
				at.Acquire()
				at.Full().ArriveExpectTx(sa.Bytes() + sb.Bytes())
				k.TMALoad(sa.Stage(at.Stage), a.At(x, row), at.Full())
				if t.Cluster == 1 {
					k.TMALoad(sb.Stage(at.Stage), b.At(x, col), at.Full())
				} else {
					part := t.N / t.Cluster
					mine := rank.Mul(part)
					k.TMALoadMulticast(sb.Stage(at.Stage).From(mine, part), b.At(x, col.Add(mine)), at.Full(), 1<<t.Cluster-1)
				}
				at.Advance()
			}
			turned.Set(turned.Xor(1))
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
	together()
	return k
}
