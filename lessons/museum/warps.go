package main

import "gohopper/pkg/hopper"

// warps records C = A Bᵀ as V0 does, with one CTA of four warps: TMA into
// shared memory, ordinary reads of it with ldmatrix, mma.sync.
func warps(f Fault) *hopper.Kernel {
	k := hopper.New("museum_warps", hopper.Threads(128))
	a, b := k.TensorMap("a"), k.TensorMap("b")
	m, n, kk := k.Int32("m"), k.Int32("n"), k.Int32("k")
	c := k.Matrix("c", hopper.F16, m, n)

	sa := k.Shared(hopper.F16, rows, depth, hopper.Swizzle128B)
	sb := k.Shared(hopper.F16, width, depth, hopper.Swizzle128B)
	full := k.Mbarrier()
	k.OneThread(func() {
		full.Init(1)
		k.FenceMbarrierInit()
	})
	k.Sync()

	// Each warp takes 32 x 32 elements of the tile; V0 explains the addresses.
	const share = 32
	warpRow, warpCol := k.WarpIdx().Div(2).Mul(share), k.WarpIdx().Rem(2).Mul(share)
	acc := k.WarpAccumulator(share, share)
	acc.Zero()
	lane := k.LaneIdx()
	ra := warpRow.Add(lane.And(15))
	rb := warpCol.Add(lane.And(7)).Add(lane.Shr(4).Shl(3))
	pa := sa.Addr().Add(ra.Shl(7)).Add(lane.Shr(4).Xor(ra.And(7)).Shl(4))
	pb := sb.Addr().Add(rb.Shl(7)).Add(lane.Shr(3).And(1).Xor(rb.And(7)).Shl(4))

	//region loop
	phase := k.Var(0)
	for x := range k.Range(0, kk, depth) {
		k.OneThread(func() {
			full.ArriveExpectTx(sa.Bytes() + sb.Bytes())
			k.TMALoad(sa, a.At(x, 0), full) // blame b02
			k.TMALoad(sb, b.At(x, 0), full)
		})
		full.Wait(phase)
		for step := range depth / 16 {
			var fb []hopper.Fragment
			for j := range share / 16 {
				four := k.Ldmatrix4(pb.Xor(step*32), j*16*128)
				fb = append(fb, four[:2], four[2:])
			}
			for i := range share / 16 {
				fa := k.Ldmatrix4(pa.Xor(step*32), i*16*128) // blame b02
				for j := range fb {
					k.MmaSync(acc, i, j, hopper.F16, fa, fb[j])
				}
			}
		}
		if f != ReadsUnmet {
			k.Sync()
		}
		phase.Set(phase.Xor(1))
	}
	//endregion loop
	k.StoreGlobal(c, warpRow, warpCol, acc)
	return k
}
