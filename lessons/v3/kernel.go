package main

import "gohopper/pkg/hopper"

// Tile is the part of C that one CTA computes, the slice of K it takes at a
// time, and how many slices the ring holds.
type Tile struct{ M, N, K, Stages int }

// DefaultTile won at 8192 cubed on an H200.
var DefaultTile = Tile{M: 128, N: 192, K: 64, Stages: 4}

// consumers is the number of threads that multiply: one warpgroup. The
// producer is one warp after it.
const consumers = 128

// Kernel records C = A Bᵀ, with A m x k, B n x k and C m x n, all row-major.
func Kernel(t Tile, e hopper.Elem) *hopper.Kernel {
	k := hopper.New("matmul_v3", hopper.Threads(consumers+32))
	a, b := k.TensorMap("a"), k.TensorMap("b")
	m, n, kk := k.Int32("m"), k.Int32("n"), k.Int32("k")
	c := k.Matrix("c", e, m, n)

	//region ring
	sa := k.SharedRing(t.Stages, e, t.M, t.K, hopper.Swizzle128B)
	sb := k.SharedRing(t.Stages, e, t.N, t.K, hopper.Swizzle128B)
	full, empty := k.Mbarriers(t.Stages), k.Mbarriers(t.Stages)
	//endregion ring

	//region init
	k.OneThread(func() {
		for s := range t.Stages {
			full.Stage(s).Init(1)
			empty.Stage(s).Init(1)
		}
		k.FenceMbarrierInit()
	})
	k.Sync()
	//endregion init

	row, col := k.BlockIdx(1).Mul(t.M), k.BlockIdx(0).Mul(t.N)
	stage, phase := k.Var(0), k.Var(0)
	advance := func() {
		next := stage.Add(1)
		wrapped := next.Equal(t.Stages)
		stage.Set(wrapped.Select(0, next))
		phase.Set(wrapped.Select(phase.Xor(1), phase))
	}

	consume := func() {
		//region consumer
		acc := k.Accumulator(t.M, t.N)
		acc.Zero()
		for range k.Range(0, kk, t.K) {
			full.Stage(stage).Wait(phase)
			k.WgmmaFence()
			k.Wgmma(acc, sa.Stage(stage), sb.Stage(stage))
			k.WgmmaCommit()
			k.WgmmaWait(0)
			k.OneThread(func() { empty.Stage(stage).Arrive() })
			advance()
		}
		//endregion consumer
		k.StoreGlobal(c, row, col, acc)
	}

	produce := func() {
		//region producer
		phase.Set(1) // a fresh empty barrier counts as already released
		for x := range k.Range(0, kk, t.K) {
			empty.Stage(stage).Wait(phase)
			full.Stage(stage).ArriveExpectTx(sa.Bytes() + sb.Bytes())
			k.TMALoad(sa.Stage(stage), a.At(x, row), full.Stage(stage))
			k.TMALoad(sb.Stage(stage), b.At(x, col), full.Stage(stage))
			advance()
		}
		//endregion producer

		//region drain
		for range t.Stages {
			empty.Stage(stage).Wait(phase)
			advance()
		}
		//endregion drain
	}

	//region roles
	k.IfElse(k.WarpIdx().Less(consumers/32), consume, func() { k.ElectOne(produce) })
	//endregion roles
	return k
}
