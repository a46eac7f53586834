package main

import "gohopper/pkg/hopper"

// Tile is the part of C that one CTA computes, and the slice of K it takes at
// a time.
type Tile struct{ M, N, K int }

// DefaultTile won at 8192 cubed on an H200.
var DefaultTile = Tile{M: 128, N: 128, K: 64}

// Kernel records C = A Bᵀ, with A m x k, B n x k and C m x n, all row-major.
func Kernel(t Tile, e hopper.Elem) *hopper.Kernel {
	k := hopper.New("matmul_v1", hopper.Threads(128))
	a, b := k.TensorMap("a"), k.TensorMap("b")
	m, n, kk := k.Int32("m"), k.Int32("n"), k.Int32("k")
	c := k.Matrix("c", e, m, n)

	sa := k.Shared(e, t.M, t.K, hopper.Swizzle128B)
	sb := k.Shared(e, t.N, t.K, hopper.Swizzle128B)
	full := k.Mbarrier()

	k.OneThread(func() {
		full.Init(1)
		k.FenceMbarrierInit()
	})
	k.Sync()

	row, col := k.BlockIdx(1).Mul(t.M), k.BlockIdx(0).Mul(t.N)
	//region accumulator
	acc := k.Accumulator(t.M, t.N)
	acc.Zero()
	//endregion accumulator

	phase := k.Var(0)
	for x := range k.Range(0, kk, t.K) {
		//region load
		k.OneThread(func() {
			full.ArriveExpectTx(sa.Bytes() + sb.Bytes())
			k.TMALoad(sa, a.At(x, row), full)
			k.TMALoad(sb, b.At(x, col), full)
		})
		full.Wait(phase)
		//endregion load

		//region wgmma
		k.WgmmaFence()
		k.Wgmma(acc, sa, sb)
		k.WgmmaCommit()
		k.WgmmaWait(0)
		//endregion wgmma

		//region turn
		k.Sync()
		phase.Set(phase.Xor(1))
		//endregion turn
	}
	k.StoreGlobal(c, row, col, acc)
	return k
}
