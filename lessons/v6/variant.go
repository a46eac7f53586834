package main

import "gohopper/pkg/hopper"

// Variant changes one decision of the kernel, to measure what it is worth. The
// zero Variant is the lesson's kernel, instruction for instruction; a test
// holds the two together.
type Variant struct {
	Order          hopper.Order // of the remote arrives; "" stands for Relaxed
	ProducerFirst  bool         // in the text: the producer's branch before the consumers'
	FixedRegisters bool         // no setmaxnreg
	Alone          bool         // no cluster: every CTA loads all of its B
	DirectStore    bool         // the epilogue stores from registers
	WaitAll        bool         // wgmma.wait_group 0 in the loop
}

// arrive is the order of a variant's remote arrives.
func (v Variant) arrive() hopper.Order {
	if v.Order == "" {
		return hopper.Relaxed
	}
	return v.Order
}

func (v Variant) cluster() int {
	if v.Alone {
		return 1
	}
	return cluster
}

// Ablated records a variant of Kernel.
func Ablated(t Tile, e hopper.Elem, v Variant) *hopper.Kernel {
	ctas := v.cluster()
	k := hopper.New("matmul_v6", hopper.Threads((consumers+1)*128), hopper.Cluster(ctas))
	a, b := k.TensorMap("a"), k.TensorMap("b")
	var c hopper.TensorMap
	if !v.DirectStore {
		c = k.TensorMap("c")
	}
	m, n, kk := k.Int32("m"), k.Int32("n"), k.Int32("k")
	var direct hopper.Matrix
	if v.DirectStore {
		direct = k.Matrix("c", e, m, n)
	}

	half := t.N / 2
	sa := k.SharedRing(t.Stages, e, t.M, t.K, hopper.Swizzle128B)
	sb := k.SharedRing(t.Stages, e, t.N, t.K, hopper.Swizzle128B)
	sc := k.SharedRing(consumers*half/slab, e, rows, slab, hopper.Swizzle64B)
	pipe := k.Pipeline(t.Stages)
	together := k.ClusterSync
	if v.Alone {
		together = k.Sync
	}

	k.OneThread(func() {
		pipe.Init(1, consumers*ctas)
		k.FenceMbarrierInit()
	})
	together()

	rank := k.ClusterRank()
	pairs, columns := m.CeilDiv(ctas*t.M), n.CeilDiv(t.N)
	tiles := func(body func(row, col hopper.Int)) {
		for tile := range k.Range(k.BlockIdx(0).Div(ctas), pairs.Mul(columns), k.GridDim(0).Div(ctas)) {
			pair, column := k.GroupedRaster(tile, pairs, columns, t.Group)
			body(pair.Mul(ctas).Add(rank).Mul(t.M), column.Mul(t.N))
		}
	}

	consume := func() {
		if !v.FixedRegisters {
			k.SetMaxRegInc(consumerRegs)
		}
		me := k.WarpgroupIdx()
		left, right := k.Accumulator(rows, half), k.Accumulator(rows, half)
		at := pipe.Consumer()

		release := func(stage hopper.Int) {
			k.OneOfWarpgroup(func() {
				if v.Alone {
					pipe.Empty.Stage(stage).Arrive()
					return
				}
				for peer := range ctas {
					pipe.Empty.Stage(stage).ArriveRemote(peer, v.arrive())
				}
			})
		}

		store := func(acc *hopper.Accumulator, row, col hopper.Int) {
			if v.DirectStore {
				k.StoreGlobal(direct, row, col, acc)
				return
			}
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

		tiles(func(row, col hopper.Int) {
			left.Zero()
			right.Zero()
			for x := range k.Range(0, kk, t.K) {
				at.Acquire()
				k.WgmmaFence()
				mine := sa.Stage(at.Stage).From(me.Mul(rows), rows)
				k.Wgmma(left, mine, sb.Stage(at.Stage).From(0, half))
				k.Wgmma(right, mine, sb.Stage(at.Stage).From(half, half))
				k.WgmmaCommit()
				if v.WaitAll {
					k.WgmmaWait(0)
					release(at.Stage.Int)
					at.Advance()
					continue
				}
				k.WgmmaWait(1)
				k.If(x.AtLeast(1), func() { release(at.Previous()) })
				at.Advance()
			}
			if !v.WaitAll {
				k.WgmmaWait(0)
				release(at.Previous())
			}

			mine := row.Add(me.Mul(rows))
			store(left, mine, col)
			store(right, mine, col.Add(half))
		})
		if !v.DirectStore {
			k.OneOfWarpgroup(func() { k.TMAWait(0) })
		}
	}

	produce := func() {
		at := pipe.Producer()
		tiles(func(row, col hopper.Int) {
			for x := range k.Range(0, kk, t.K) {
				at.Acquire()
				at.Full().ArriveExpectTx(sa.Bytes() + sb.Bytes())
				k.TMALoad(sa.Stage(at.Stage), a.At(x, row), at.Full())
				if v.Alone {
					for i := range 2 {
						k.TMALoad(sb.Stage(at.Stage).From(i*half, half), b.At(x, col.Add(i*half)), at.Full())
					}
				} else {
					mine := rank.Mul(half)
					k.TMALoadMulticast(sb.Stage(at.Stage).From(mine, half), b.At(x, col.Add(mine)), at.Full(), 1<<cluster-1)
				}
				at.Advance()
			}
		})
		for range t.Stages {
			at.Acquire()
			at.Advance()
		}
	}

	producer := func() {
		if !v.FixedRegisters {
			k.SetMaxRegDec(producerRegs)
		}
		k.If(k.WarpIdx().Equal(consumers*4), func() { k.ElectOne(produce) })
	}
	if v.ProducerFirst {
		k.IfElse(k.WarpgroupIdx().AtLeast(consumers), producer, consume)
	} else {
		k.IfElse(k.WarpgroupIdx().Less(consumers), consume, producer)
	}
	together()
	return k
}
