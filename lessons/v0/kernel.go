package main

import "gohopper/pkg/hopper"

// Tile is the part of C that one CTA computes, and the slice of K it takes at
// a time. Warps is how many warps share it, as rows x columns.
type Tile struct {
	M, N, K        int
	WarpsM, WarpsN int
}

// DefaultTile won at 8192 cubed on an H200.
var DefaultTile = Tile{M: 128, N: 128, K: 64, WarpsM: 2, WarpsN: 4}

// Threads is the size of the CTA.
func (t Tile) Threads() int { return 32 * t.WarpsM * t.WarpsN }

// Kernel records C = A Bᵀ, with A m x k, B n x k and C m x n, all row-major.
func Kernel(t Tile, e hopper.Elem) *hopper.Kernel {
	//region parameters
	k := hopper.New("matmul_v0", hopper.Threads(t.Threads()))
	a, b := k.TensorMap("a"), k.TensorMap("b")
	m, n, kk := k.Int32("m"), k.Int32("n"), k.Int32("k")
	c := k.Matrix("c", e, m, n)

	sa := k.Shared(e, t.M, t.K, hopper.Swizzle128B)
	sb := k.Shared(e, t.N, t.K, hopper.Swizzle128B)
	full := k.Mbarrier()
	//endregion parameters

	//region init
	k.OneThread(func() {
		full.Init(1)
		k.FenceMbarrierInit()
	})
	k.Sync()
	//endregion init

	//region corner
	row, col := k.BlockIdx(1).Mul(t.M), k.BlockIdx(0).Mul(t.N)
	rows, cols := t.M/t.WarpsM, t.N/t.WarpsN // of one warp
	warp := k.WarpIdx()
	warpRow := warp.Div(t.WarpsN).Mul(rows)
	warpCol := warp.Rem(t.WarpsN).Mul(cols)
	acc := k.WarpAccumulator(rows, cols)
	acc.Zero()
	//endregion corner

	//region addresses
	// Where this lane's row of an 8x8 matrix lies. For A, lanes 0-15 give rows
	// 0-15 at the left half of K and lanes 16-31 the same rows at the right
	// half. For B, lanes 0-7 and 8-15 give rows 0-7, at the left half and at
	// the right, and lanes 16-31 rows 8-15 in the same way.
	lane := k.LaneIdx()
	ra := warpRow.Add(lane.And(15))
	rb := warpCol.Add(lane.And(7)).Add(lane.Shr(4).Shl(3))
	pa := sa.Addr().Add(ra.Shl(7)).Add(lane.Shr(4).Xor(ra.And(7)).Shl(4))
	pb := sb.Addr().Add(rb.Shl(7)).Add(lane.Shr(3).And(1).Xor(rb.And(7)).Shl(4))
	//endregion addresses

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

		//region mma
		for step := 0; step < t.K/16; step++ {
			// 16 elements of K are two chunks on, and the swizzle makes that
			// an exclusive or.
			pak, pbk := pa.Xor(step*32), pb.Xor(step*32)
			var fb []hopper.Fragment
			for j := 0; j < cols/16; j++ {
				f := k.Ldmatrix4(pbk, j*16*128)
				fb = append(fb, f[:2], f[2:])
			}
			for i := 0; i < rows/16; i++ {
				fa := k.Ldmatrix4(pak, i*16*128)
				for j := range fb {
					k.MmaSync(acc, i, j, e, fa, fb[j])
				}
			}
		}
		//endregion mma

		//region turn
		k.Sync() // nobody may load the next tile while a warp still reads this one
		phase.Set(phase.Xor(1))
		//endregion turn
	}
	//region store
	k.StoreGlobal(c, row.Add(warpRow), col.Add(warpCol), acc)
	//endregion store
	return k
}
