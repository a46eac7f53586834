package main

import "gohopper/pkg/hopper"

// Tile is the part of C that one CTA computes, the slice of K it takes at a
// time, and how many slices the ring holds.
type Tile struct{ M, N, K, Stages int }

// DefaultTile won at 8192 cubed on an H200.
var DefaultTile = Tile{M: 128, N: 192, K: 64, Stages: 2}

// Kernel records C = A Bᵀ, with A m x k, B n x k and C m x n, all row-major.
func Kernel(t Tile, e hopper.Elem) *hopper.Kernel {
	k := hopper.New("matmul_v2", hopper.Threads(128))
	a, b := k.TensorMap("a"), k.TensorMap("b")
	m, n, kk := k.Int32("m"), k.Int32("n"), k.Int32("k")
	c := k.Matrix("c", e, m, n)

	//region ring
	sa := k.SharedRing(t.Stages, e, t.M, t.K, hopper.Swizzle128B)
	sb := k.SharedRing(t.Stages, e, t.N, t.K, hopper.Swizzle128B)
	full := k.Mbarriers(t.Stages)
	//endregion ring

	k.OneThread(func() {
		for s := range t.Stages {
			full.Stage(s).Init(1)
		}
		k.FenceMbarrierInit()
	})
	k.Sync()

	row, col := k.BlockIdx(1).Mul(t.M), k.BlockIdx(0).Mul(t.N)
	//region load
	load := func(stage hopper.Number, x hopper.Number) {
		full.Stage(stage).ArriveExpectTx(sa.Bytes() + sb.Bytes())
		k.TMALoad(sa.Stage(stage), a.At(x, row), full.Stage(stage))
		k.TMALoad(sb.Stage(stage), b.At(x, col), full.Stage(stage))
	}
	//endregion load

	//region prologue
	first := k.ThreadIdx().Equal(0)
	for s := range t.Stages - 1 {
		k.If(first.And(kk.AtLeast(s*t.K+1)), func() { load(s, s*t.K) })
	}
	//endregion prologue

	acc := k.Accumulator(t.M, t.N)
	acc.Zero()
	stage, phase := k.Var(0), k.Var(0)
	for x := range k.Range(0, kk, t.K) {
		//region refill
		// The last turn finished with the stage before this one: it takes the
		// tile that lies Stages-1 turns ahead.
		ahead := x.Add((t.Stages - 1) * t.K)
		free := stage.Equal(0).Select(t.Stages-1, stage.Sub(1))
		k.If(first.And(ahead.Less(kk)), func() { load(free, ahead) })
		//endregion refill

		//region multiply
		full.Stage(stage).Wait(phase)
		k.WgmmaFence()
		k.Wgmma(acc, sa.Stage(stage), sb.Stage(stage))
		k.WgmmaCommit()
		k.WgmmaWait(0)
		k.Sync()
		//endregion multiply

		//region advance
		next := stage.Add(1)
		wrapped := next.Equal(t.Stages)
		stage.Set(wrapped.Select(0, next))
		phase.Set(wrapped.Select(phase.Xor(1), phase))
		//endregion advance
	}
	k.StoreGlobal(c, row, col, acc)
	return k
}
