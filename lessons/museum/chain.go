package main

import "gohopper/pkg/hopper"

// resident is the slices of K that the chain kernel holds, all at once.
const resident = 4

// chain records C = (A Bᵀ) B₀ᵀ, where B₀ is the first 64 columns of B: two
// products one after the other, as attention has them. Two warpgroups take 64
// rows each. The first product goes back to shared memory as an operand of the
// second, and the operands' memory is used again for the result.
func chain(f Fault) *hopper.Kernel {
	k := hopper.New("museum_chain", hopper.Threads(consumers*128))
	a, b, c := k.TensorMap("a"), k.TensorMap("b"), k.TensorMap("c")
	k.Int32("m")
	k.Int32("n")
	kk := k.Int32("k")

	sa := k.SharedRing(resident, hopper.F16, consumers*rows, depth, hopper.Swizzle128B)
	sb := k.SharedRing(resident, hopper.F16, width, depth, hopper.Swizzle128B)
	sp := k.Shared(hopper.F16, consumers*rows, width, hopper.Swizzle128B)
	full := k.Mbarrier()
	k.OneThread(func() {
		full.Init(1)
		k.FenceMbarrierInit()
	})
	k.Sync()

	me := k.WarpgroupIdx()
	first, second := k.Accumulator(rows, width), k.Accumulator(rows, width)
	first.Zero()
	second.Zero()

	//region slices
	slice, phase := k.Var(0), k.Var(0)
	for x := range k.Range(0, kk, depth) {
		k.OneThread(func() {
			full.ArriveExpectTx(sa.Bytes() + sb.Bytes())
			k.TMALoad(sa.Stage(slice), a.At(x, 0), full)
			k.TMALoad(sb.Stage(slice), b.At(x, 0), full)
		})
		full.Wait(phase) // blame b14
		k.WgmmaFence()
		k.Wgmma(first, sa.Stage(slice).From(me.Mul(rows), rows), sb.Stage(slice))
		k.WgmmaCommit()
		k.WgmmaWait(0)
		if f != TurnUnmet {
			k.Sync()
		}
		slice.Set(slice.Add(1))
		phase.Set(phase.Xor(1))
	}
	//endregion slices

	//region second
	mine := sp.From(me.Mul(rows), rows)
	k.Stmatrix(mine, first, 0, 0) // blame b03
	if f != NoOperandFence {
		k.FenceProxyAsync()
	}
	k.SyncThreads(me.Add(1), 128)
	k.WgmmaFence()
	k.Wgmma(second, mine, sb.Stage(0)) // blame b03, b05
	k.WgmmaCommit()
	k.WgmmaWait(0)
	//endregion second

	//region result
	if f != OwnWaitOnly {
		k.Sync()
	}
	out := sb.Stage(me)
	k.Stmatrix(out, second, 0, 0) // blame b05
	k.FenceProxyAsync()
	k.SyncThreads(me.Add(1), 128)
	k.OneOfWarpgroup(func() {
		k.TMAStore(c.At(0, me.Mul(rows)), out)
		k.TMACommit()
		k.TMAWait(0)
	})
	//endregion result
	return k
}
