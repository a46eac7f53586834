package main

import "gohopper/pkg/hopper"

// The sizes of the ring kernel: V6's structure with tiles that a CTA gets
// through in no time.
const (
	consumers = 2 // warpgroups that multiply, 64 rows of the tile each
	rows      = 64
	width     = 64 // columns of a tile of C
	depth     = 64 // elements of K in a stage
	stages    = 3
	cluster   = 2  // CTAs that share B
	slab      = 32 // columns of one store
	slots     = 2  // slabs of each consumer's staging ring
)

// ring records C = A Bᵀ as V6 does: a producer warp, two consumer warpgroups, a
// cluster of two with B by multicast, persistent tiles, an epilogue that
// stores through TMA.
func ring(f Fault) *hopper.Kernel {
	k := hopper.New("museum_ring", hopper.Threads((consumers+1)*128), hopper.Cluster(cluster))
	a, b, c := k.TensorMap("a"), k.TensorMap("b"), k.TensorMap("c")
	m, n, kk := k.Int32("m"), k.Int32("n"), k.Int32("k")

	//region shared
	sc := k.SharedRing(consumers*slots, hopper.F16, rows, slab, hopper.Swizzle64B)
	sa := k.SharedRing(stages, hopper.F16, consumers*rows, depth, hopper.Swizzle128B)
	stagesOfB := stages
	if f == ShortRing {
		stagesOfB--
	}
	sb := k.SharedRing(stagesOfB, hopper.F16, width, depth, hopper.Swizzle128B)
	pipe := k.Pipeline(stages)
	//endregion shared

	//region start
	k.OneThread(func() {
		pipe.Init(1, consumers*cluster) // blame b11, b20
		k.FenceMbarrierInit()
	})
	if f == EarlyStart {
		k.Sync()
	} else {
		k.ClusterSync()
	}
	//endregion start

	rank := k.ClusterRank()
	pairs, columns := m.CeilDiv(cluster*consumers*rows), n.CeilDiv(width)
	tiles := func(body func(row, col hopper.Int)) {
		for tile := range k.Range(k.BlockIdx(0).Div(cluster), pairs.Mul(columns), k.GridDim(0).Div(cluster)) {
			body(tile.Div(columns).Mul(cluster).Add(rank).Mul(consumers*rows), tile.Rem(columns).Mul(width))
		}
	}

	consume := func() {
		//region registers
		if f == GreedyRegisters {
			k.SetMaxRegInc(248) // blame b16
		} else {
			k.SetMaxRegInc(232)
		}
		//endregion registers
		me := k.WarpgroupIdx()
		acc := k.Accumulator(rows, width)
		at := pipe.Consumer()

		//region release
		release := func(stage hopper.Int) {
			k.OneOfWarpgroup(func() {
				for peer := range cluster {
					pipe.Empty.Stage(stage).ArriveRemote(peer, hopper.Relaxed) // blame b10, b11
				}
			})
		}
		releaseLast := func(stage hopper.Int) { // the last one of a tile
			if f != OwnRelease {
				release(stage)
				return
			}
			k.OneOfWarpgroup(func() {
				for range cluster {
					pipe.Empty.Stage(stage).Arrive()
				}
			})
		}
		//endregion release

		//region barrier
		meet := func() {
			if f == OneBarrierForAll {
				k.SyncThreads(1, 128) // blame b15
			} else {
				k.SyncThreads(me.Add(1), 128)
			}
		}
		//endregion barrier

		//region reuse
		reuse := func() { // returns when the oldest slab of the staging ring is free
			switch f {
			case NoStoreWait:
				meet()
			case WaitByAll:
				meet()
				k.TMAWaitRead(slots - 1)
			case WaitOneLess:
				k.OneOfWarpgroup(func() { k.TMAWaitRead(slots) })
				meet()
			default:
				k.OneOfWarpgroup(func() { k.TMAWaitRead(slots - 1) })
				meet()
			}
		}
		//endregion reuse

		//region store
		store := func(row, col hopper.Int) {
			for i := range width / slab {
				slot := sc.Stage(me.Mul(slots).Add(i % slots))
				reuse()
				k.Stmatrix(slot, acc, 0, i*slab) // blame b01, b06, b07, b08, b17
				if f != NoStoreFence {
					k.FenceProxyAsync()
				}
				meet()
				k.OneOfWarpgroup(func() {
					k.TMAStore(c.At(col.Add(i*slab), row), slot) // blame b01, b06, b07, b08
					k.TMACommit()
				})
			}
		}
		//endregion store

		//region mainloop
		tiles(func(row, col hopper.Int) {
			acc.Zero()
			for x := range k.Range(0, kk, depth) {
				if f == ParityOfTile {
					at.Full().Wait(x.Div(depth * stages).And(1)) // blame b13
				} else {
					at.Acquire()
				}
				if f != NoWgmmaFence {
					k.WgmmaFence()
				}
				k.Wgmma(acc, sa.Stage(at.Stage).From(me.Mul(rows), rows), sb.Stage(at.Stage)) // blame b04, b09, b17, b18, r02
				k.WgmmaCommit()
				if f == ReleaseUnread {
					release(at.Stage.Int)
				} else {
					k.WgmmaWait(1)
					k.If(x.AtLeast(1), func() { release(at.Previous()) })
				}
				at.Advance()
			}
			if f == ReadBeforeWait {
				store(row.Add(me.Mul(rows)), col)
			}
			k.WgmmaWait(0)
			if f != ReleaseUnread {
				releaseLast(at.Previous())
			}
			if f != ReadBeforeWait {
				store(row.Add(me.Mul(rows)), col)
			}
		})
		//endregion mainloop
		k.OneOfWarpgroup(func() { k.TMAWait(0) })
	}

	produce := func() {
		at := pipe.Producer()
		bytes := sa.Bytes() + sb.Bytes()
		if f == BytesTooMany {
			bytes += 16
		}
		//region producer
		tiles(func(row, col hopper.Int) {
			for x := range k.Range(0, kk, depth) {
				at.Acquire()
				at.Full().ArriveExpectTx(bytes)                        // blame b12, b13, r01
				k.TMALoad(sa.Stage(at.Stage), a.At(x, row), at.Full()) // blame b04, b18
				half := width / cluster
				mine := rank.Mul(half)
				k.TMALoadMulticast(sb.Stage(at.Stage).From(mine, half), b.At(x, col.Add(mine)), at.Full(), 1<<cluster-1) // blame b09, b20
				at.Advance()
			}
		})
		//endregion producer

		//region drain
		for s := range stages {
			if f == EarlyEnd || f == NoDrain {
				break
			}
			at.Acquire()
			if f == LoadsInDrain {
				at.Full().ArriveExpectTx(sa.Bytes())
				k.TMALoad(sa.Stage(at.Stage), a.At(kk.Add((s+1)*depth), 0), at.Full()) // blame b19
			}
			at.Advance()
		}
		//endregion drain
	}

	k.IfElse(k.WarpgroupIdx().Less(consumers), consume, func() {
		k.SetMaxRegDec(40)
		k.If(k.WarpIdx().Equal(consumers*4), func() { k.ElectOne(produce) })
	})
	//region end
	if f != EarlyEnd && f != NoLastBarrier {
		k.ClusterSync()
	}
	//endregion end
	return k
}
