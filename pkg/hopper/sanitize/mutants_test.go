package sanitize_test

import (
	"strings"

	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/sanitize"
)

// replaced edits a text.
func replaced(old, new string) func(string) string {
	return func(text string) string { return strings.ReplaceAll(text, old, new) }
}

// start initialises mbarriers in one thread and lets the CTA, or the cluster,
// pass a barrier.
func start(k *hopper.Kernel, inits func()) {
	k.OneThread(func() {
		inits()
		k.FenceMbarrierInit()
	})
	if k.ClusterSize() > 1 {
		k.ClusterSync()
	} else {
		k.Sync()
	}
}

// multiply is one product of two tiles by a warpgroup.
func multiply(k *hopper.Kernel, acc *hopper.Accumulator, a, b hopper.Tile) {
	k.WgmmaFence()
	k.Wgmma(acc, a, b) // at B17 no wgmma.fence, other B17 accumulator touched, at B18 two modes, at B18 off the atom
	k.WgmmaCommit()    // at B17 accumulator touched
}

func mutants() []mutant {
	return slicesOf(proxyMutants(), pipelineMutants(), storeMutants(), clusterMutants(), ledgerMutants(), textMutants())
}

func slicesOf(lists ...[]mutant) (all []mutant) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// proxyMutants break the order between ordinary accesses and the engines.
func proxyMutants() []mutant {
	return []mutant{
		{name: "B1 store without fence", rules: []string{sanitize.ProxyFence}, record: func(k *hopper.Kernel, wrong bool) {
			out := k.TensorMap("out")
			tile, acc := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Accumulator(box, box)
			acc.Zero()
			k.Stmatrix(tile, acc, 0, 0) // other B1 store without fence
			if !wrong {
				k.FenceProxyAsync()
			}
			k.Sync()
			k.OneThread(func() {
				k.TMAStore(out.At(0, 0), tile) // at B1 store without fence
				k.TMACommit()
				k.TMAWait(0)
			})
		}},
		{name: "B1 fence behind the barrier", rules: []string{sanitize.ProxyFence}, record: func(k *hopper.Kernel, wrong bool) {
			out := k.TensorMap("out")
			tile, acc := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Accumulator(box, box)
			acc.Zero()
			k.Stmatrix(tile, acc, 0, 0) // other B1 fence behind the barrier
			if wrong {                  // in a thread that knows nothing of the others' stores yet
				k.OneThread(func() { k.FenceProxyAsync() })
			}
			k.Sync()
			k.OneThread(func() {
				if !wrong {
					k.FenceProxyAsync()
				}
				k.TMAStore(out.At(0, 0), tile) // at B1 fence behind the barrier
				k.TMACommit()
				k.TMAWait(0)
			})
		}},
		{name: "B1 store without barrier", rules: []string{sanitize.Race}, record: func(k *hopper.Kernel, wrong bool) {
			out := k.TensorMap("out")
			tile, acc := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Accumulator(box, box)
			acc.Zero()
			k.Stmatrix(tile, acc, 0, 0) // other B1 store without barrier
			k.FenceProxyAsync()
			if !wrong {
				k.Sync()
			}
			k.OneThread(func() {
				k.TMAStore(out.At(0, 0), tile) // at B1 store without barrier
				k.TMACommit()
				k.TMAWait(0)
			})
		}},
		{name: "B1b init without fence", rules: []string{sanitize.MbarrierInit}, record: func(k *hopper.Kernel, wrong bool) {
			in := k.TensorMap("in")
			tile, full := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Mbarrier()
			k.OneThread(func() {
				full.Init(1) // other B1b init without fence
				if !wrong {
					k.FenceMbarrierInit()
				}
			})
			k.Sync()
			k.OneThread(func() {
				full.ArriveExpectTx(tile.Bytes())
				k.TMALoad(tile, in.At(0, 0), full) // at B1b init without fence
			})
			full.Wait(0)
		}},
		{name: "B1b init without barrier", rules: []string{sanitize.MbarrierInit}, record: func(k *hopper.Kernel, wrong bool) {
			full := k.Mbarrier()
			k.OneThread(func() {
				full.Init(128) // other B1b init without barrier
				k.FenceMbarrierInit()
			})
			if !wrong {
				k.Sync()
			}
			full.Arrive() // at B1b init without barrier
		}},
		{name: "B2 ordinary reads of a stage", rules: []string{sanitize.StageReuse}, record: func(k *hopper.Kernel, wrong bool) {
			in := k.TensorMap("in")
			tile, full := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Mbarrier()
			start(k, func() { full.Init(1) })
			phase := k.Var(0)
			for x := range k.Range(0, side, box) {
				k.OneThread(func() {
					full.ArriveExpectTx(tile.Bytes())
					k.TMALoad(tile, in.At(x, 0), full) // at B2 ordinary reads of a stage
				})
				full.Wait(phase)
				k.Ldmatrix4(tile.Addr().Add(k.LaneIdx().Shl(4)), 0) // other B2 ordinary reads of a stage
				if !wrong {
					k.Sync()
				}
				phase.Set(phase.Xor(1))
			}
		}},
		{name: "B3 operand without fence", rules: []string{sanitize.ProxyFence}, record: func(k *hopper.Kernel, wrong bool) {
			tile, acc := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Accumulator(box, box)
			acc.Zero()
			k.Stmatrix(tile, acc, 0, 0) // other B3 operand without fence
			if !wrong {
				k.FenceProxyAsync()
			}
			k.Sync()
			k.WgmmaFence()
			k.Wgmma(acc, tile, tile) // at B3 operand without fence
			k.WgmmaCommit()
			k.WgmmaWait(0)
		}},
		{name: "race within a warp", rules: []string{sanitize.Race}, record: func(k *hopper.Kernel, wrong bool) {
			tile, acc := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Accumulator(box, box)
			acc.Zero()
			k.Stmatrix(tile, acc, 0, 0) // other race within a warp
			if !wrong {
				k.Sync()
			}
			k.Ldmatrix4(tile.Addr().Add(k.LaneIdx().Xor(1).Shl(4)), 0) // at race within a warp
		}},
	}
}
