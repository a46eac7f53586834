package sanitize_test

import (
	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/sanitize"
)

// storeMutants break the epilogue: copies out of shared memory.
func storeMutants() []mutant {
	return []mutant{
		{name: "B6 wait of another thread", rules: []string{sanitize.WaitThread}, record: func(k *hopper.Kernel, wrong bool) {
			out := k.TensorMap("out")
			tile, acc := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Accumulator(box, box)
			acc.Zero()
			for x := range k.Range(0, side, box) {
				k.Stmatrix(tile, acc, 0, 0) // at B6 wait of another thread
				k.FenceProxyAsync()
				k.Sync()
				k.OneThread(func() {
					k.TMAStore(out.At(x, 0), tile) // other B6 wait of another thread
					k.TMACommit()
				})
				if wrong {
					k.Sync()
				}
				k.TMAWaitRead(0)
				if !wrong {
					k.Sync()
				}
			}
			k.TMAWait(0)
		}},
		{name: "B7 one group too many", rules: []string{sanitize.WaitCount}, record: func(k *hopper.Kernel, wrong bool) {
			out := k.TensorMap("out")
			ring, acc := k.SharedRing(2, hopper.F16, box, box, hopper.Swizzle128B), k.Accumulator(box, box)
			acc.Zero()
			slot := k.Var(0)
			for x := range k.Range(0, side, box) {
				k.OneThread(func() {
					if wrong {
						k.TMAWaitRead(2)
					} else {
						k.TMAWaitRead(1)
					}
				})
				k.Sync()
				k.Stmatrix(ring.Stage(slot), acc, 0, 0) // at B7 one group too many
				k.FenceProxyAsync()
				k.Sync()
				k.OneThread(func() {
					k.TMAStore(out.At(x, 0), ring.Stage(slot)) // other B7 one group too many
					k.TMACommit()
				})
				slot.Set(slot.Xor(1))
			}
			k.OneThread(func() { k.TMAWait(0) })
		}},
		{name: "B8 refilled in flight", rules: []string{sanitize.StoreInFlight}, record: func(k *hopper.Kernel, wrong bool) {
			out := k.TensorMap("out")
			tile, acc := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Accumulator(box, box)
			acc.Zero()
			for x := range k.Range(0, side, box) {
				if !wrong {
					k.OneThread(func() { k.TMAWaitRead(0) })
				}
				k.Sync()
				k.Stmatrix(tile, acc, 0, 0) // at B8 refilled in flight
				k.FenceProxyAsync()
				k.Sync()
				k.OneThread(func() {
					k.TMAStore(out.At(x, 0), tile) // other B8 refilled in flight
					k.TMACommit()
				})
			}
			k.OneThread(func() { k.TMAWait(0) })
		}},
	}
}
