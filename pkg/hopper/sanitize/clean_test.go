package sanitize_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper"
)

// TestClean holds the sanitizer to its gate: correct kernels that a simpler
// checker would accuse leave no finding under any schedule.
func TestClean(t *testing.T) {
	for _, m := range []mutant{
		{name: "one thread may run the proxy fence for all writers, behind a barrier that they passed", record: func(k *hopper.Kernel, _ bool) {
			out := k.TensorMap("out")
			tile, acc := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Accumulator(box, box)
			acc.Zero()
			k.Stmatrix(tile, acc, 0, 0)
			k.Sync()
			k.OneThread(func() {
				k.FenceProxyAsync()
				k.TMAStore(out.At(0, 0), tile)
				k.TMACommit()
				k.TMAWait(0)
			})
		}},
		{name: "a producer may run a phase ahead", threads: 160, record: ahead},
		{name: "two warps may each bring one operand of a stage, of which one announces the bytes of both", threads: 192, record: twoProducers},
		{name: "a copy may be issued before its bytes are expected, while an arrival is pending", record: func(k *hopper.Kernel, _ bool) {
			in := k.TensorMap("in")
			tile, full, acc := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Mbarrier(), k.Accumulator(box, box)
			start(k, func() { full.Init(1) })
			acc.Zero()
			k.OneThread(func() {
				k.TMALoad(tile, in.At(0, 0), full)
				full.ArriveExpectTx(tileBytes)
			})
			full.Wait(0)
			multiply(k, acc, tile, tile)
			k.WgmmaWait(0)
		}},
		{name: "a box may lie partly outside of its tensor", record: func(k *hopper.Kernel, _ bool) { one(k, tileBytes, side-box/2) }},
		{name: "a box may lie outside altogether if its zeros are used", record: func(k *hopper.Kernel, _ bool) { one(k, tileBytes, side) }},
		{name: "threads may read a swizzled tile in any order", record: func(k *hopper.Kernel, _ bool) {
			in := k.TensorMap("in")
			tile, full := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Mbarrier()
			start(k, func() { full.Init(1) })
			k.OneThread(func() {
				full.ArriveExpectTx(tileBytes)
				k.TMALoad(tile, in.At(0, 0), full)
			})
			full.Wait(0)
			k.Ldmatrix4(tile.Addr().Add(k.LaneIdx().Shl(7)), 0) // a column of 16 bytes, which the pattern tears apart
			row := k.LaneIdx().And(7)
			k.Ldmatrix4(tile.Addr().Add(k.LaneIdx().Shl(7)).Add(row.Xor(3).Shl(4)), 0) // a column of elements
		}},
		{name: "a relaxed arrival may follow a wait for the products", cluster: 2, record: func(k *hopper.Kernel, _ bool) {
			acc := k.Accumulator(box, box)
			acc.Zero()
			multicast(k, acc, func(empty hopper.Mbarrier) { empty.ArriveRemote(0, hopper.Relaxed) })
		}},
		{name: "a cluster with everything", threads: 384, cluster: 2, record: whole},
		{name: "two warpgroups may take turns at one ring", threads: 288, record: pingPong},
		{name: "a barrier that is used once may be waited for again and again", record: func(k *hopper.Kernel, _ bool) {
			in := k.TensorMap("in")
			once, tile, ready, full, acc := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Mbarrier(), k.Mbarrier(), k.Accumulator(box, box)
			start(k, func() {
				ready.Init(1)
				full.Init(1)
			})
			acc.Zero()
			k.OneThread(func() {
				ready.ArriveExpectTx(tileBytes)
				k.TMALoad(once, in.At(0, 0), ready)
			})
			phase := k.Var(0)
			for x := range k.Range(0, side, box) {
				k.OneThread(func() {
					full.ArriveExpectTx(tileBytes)
					k.TMALoad(tile, in.At(x, 0), full)
				})
				ready.Wait(0)
				full.Wait(phase)
				multiply(k, acc, once, tile)
				k.WgmmaWait(0)
				k.Sync()
				phase.Set(phase.Xor(1))
			}
		}},
		{name: "threads may rewrite what a copy brought, and wgmma may read it", record: func(k *hopper.Kernel, _ bool) {
			in := k.TensorMap("in")
			tile, full, acc := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Mbarrier(), k.Accumulator(box, box)
			start(k, func() { full.Init(1) })
			acc.Zero()
			phase := k.Var(0)
			for x := range k.Range(0, side, box) {
				k.OneThread(func() {
					full.ArriveExpectTx(tileBytes)
					k.TMALoad(tile, in.At(x, 0), full)
				})
				full.Wait(phase)
				k.Stmatrix(tile, acc, 0, 0)
				k.FenceProxyAsync()
				k.Sync()
				multiply(k, acc, tile, tile)
				k.WgmmaWait(0)
				k.Sync()
				phase.Set(phase.Xor(1))
			}
		}},
	} {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			kernel := m.check(t, false)
			for seed := range int64(schedules) {
				found, err := kernel.Run(seed)
				require.NoError(t, err)
				require.Empty(t, found, "seed %d: %v", seed, found)
			}
		})
	}
}

// ahead is a producer that has filled every stage of its ring, and announced
// the bytes of them, before anybody waits for the first. From then on it is as
// far ahead as the ring lets it.
func ahead(k *hopper.Kernel, _ bool) {
	const stages, turns = 3, 12
	in := k.TensorMap("in")
	tiles, full, empty := k.SharedRing(stages, hopper.F16, box, box, hopper.Swizzle128B), k.Mbarriers(stages), k.Mbarriers(stages)
	acc := k.Accumulator(box, box)
	start(k, func() {
		for s := range stages {
			full.Stage(s).Init(1)
			empty.Stage(s).Init(1)
		}
	})
	load := func(stage hopper.Number) {
		full.Stage(stage).ArriveExpectTx(tileBytes)
		k.TMALoad(tiles.Stage(stage), in.At(0, 0), full.Stage(stage))
	}
	k.IfElse(k.WarpIdx().Less(4), func() {
		acc.Zero()
		k.SyncThreads(1, 160)
		for i := range k.Range(0, turns, 1) {
			stage := i.Rem(stages)
			full.Stage(stage).Wait(i.Div(stages).And(1))
			multiply(k, acc, tiles.Stage(stage), tiles.Stage(stage))
			k.WgmmaWait(0)
			k.OneOfWarpgroup(func() { empty.Stage(stage).Arrive() })
		}
	}, func() {
		k.ElectOne(func() {
			for s := range stages {
				load(s)
			}
		})
		k.SyncThreads(1, 160)
		k.ElectOne(func() {
			for i := range k.Range(stages, turns, 1) {
				stage := i.Rem(stages)
				empty.Stage(stage).Wait(i.Div(stages).Sub(1).And(1))
				load(stage)
			}
		})
	})
}

// twoProducers has a warp for A and one for B. The second arrives nowhere: that
// it has seen a stage released is known only from the copy that it then issues.
func twoProducers(k *hopper.Kernel, _ bool) {
	const stages, turns = 2, 8
	in := k.TensorMap("in")
	left, right := k.SharedRing(stages, hopper.F16, box, box, hopper.Swizzle128B), k.SharedRing(stages, hopper.F16, box, box, hopper.Swizzle128B)
	pipe, acc := k.Pipeline(stages), k.Accumulator(box, box)
	start(k, func() { pipe.Init(1, 1) })
	produce := func(ring hopper.Ring, announces bool) {
		at := pipe.Producer()
		for range k.Range(0, turns, 1) {
			at.Acquire()
			if announces {
				at.Full().ArriveExpectTx(2 * tileBytes)
			}
			k.TMALoad(ring.Stage(at.Stage), in.At(0, 0), at.Full())
			at.Advance()
		}
	}
	k.IfElse(k.WarpIdx().Less(4), func() {
		acc.Zero()
		at := pipe.Consumer()
		for range k.Range(0, turns, 1) {
			at.Acquire()
			multiply(k, acc, left.Stage(at.Stage), right.Stage(at.Stage))
			k.WgmmaWait(0)
			k.OneOfWarpgroup(func() { at.Empty().Arrive() })
			at.Advance()
		}
	}, func() {
		k.IfElse(k.WarpIdx().Equal(4),
			func() { k.ElectOne(func() { produce(left, true) }) },
			func() { k.ElectOne(func() { produce(right, false) }) })
	})
}

// multicast is shared with products instead of ordinary reads.
func multicast(k *hopper.Kernel, acc *hopper.Accumulator, tell func(empty hopper.Mbarrier)) {
	in := k.TensorMap("in")
	tile, full, empty := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Mbarrier(), k.Mbarrier()
	start(k, func() {
		full.Init(1)
		empty.Init(2)
	})
	phase := k.Var(0)
	for x := range k.Range(0, side, box) {
		k.OneThread(func() {
			full.ArriveExpectTx(tileBytes)
			k.If(k.ClusterRank().Equal(0), func() {
				empty.Wait(phase.Xor(1))
				k.TMALoadMulticast(tile, in.At(x, 0), full, 3)
			})
		})
		full.Wait(phase)
		multiply(k, acc, tile, tile)
		k.WgmmaWait(0)
		k.OneThread(func() { tell(empty) })
		phase.Set(phase.Xor(1))
	}
	k.ClusterSync()
}

// pingPong is a producer warp and two warpgroups that take turns at a ring of
// three stages, so that each waits for every second phase only.
func pingPong(k *hopper.Kernel, _ bool) {
	const stages, turns = 3, 12
	in := k.TensorMap("in")
	tiles, full, empty := k.SharedRing(stages, hopper.F16, box, box, hopper.Swizzle128B), k.Mbarriers(stages), k.Mbarriers(stages)
	acc := k.Accumulator(box, box)
	start(k, func() {
		for s := range stages {
			full.Stage(s).Init(1)
			empty.Stage(s).Init(1)
		}
	})
	k.IfElse(k.WarpgroupIdx().Less(2), func() {
		acc.Zero()
		for i := range k.Range(0, turns, 1) {
			k.If(i.And(1).Equal(k.WarpgroupIdx()), func() {
				stage, phase := i.Rem(stages), i.Div(stages).And(1)
				full.Stage(stage).Wait(phase)
				multiply(k, acc, tiles.Stage(stage), tiles.Stage(stage))
				k.WgmmaWait(0)
				k.OneOfWarpgroup(func() { empty.Stage(stage).Arrive() })
			})
			k.SyncThreads(1, 256)
		}
	}, func() {
		k.ElectOne(func() {
			for i := range k.Range(0, turns, 1) {
				stage, phase := i.Rem(stages), i.Div(stages).And(1)
				empty.Stage(stage).Wait(phase.Xor(1))
				full.Stage(stage).ArriveExpectTx(tileBytes)
				k.TMALoad(tiles.Stage(stage), in.At(0, 0), full.Stage(stage))
			}
		})
	})
}
