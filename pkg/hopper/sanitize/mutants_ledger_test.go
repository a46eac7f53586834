package sanitize_test

import (
	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/sanitize"
)

// one loads a tile once and waits for it.
func one(k *hopper.Kernel, bytes int, x int) {
	in := k.TensorMap("in")
	tile, full, acc := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Mbarrier(), k.Accumulator(box, box)
	start(k, func() { full.Init(1) }) // other B20 barrier inside a tile, other B12 expected and not arrived
	acc.Zero()                        // other B17 no wgmma.fence
	k.OneThread(func() {
		full.ArriveExpectTx(bytes)         // at B12 too many bytes, at B12 expected and not arrived
		k.TMALoad(tile, in.At(x, 0), full) // at B20 barrier inside a tile, other B12 too many bytes, other B18 two modes, other B18 off the atom
	})
	full.Wait(0)
	multiply(k, acc, tile, tile)
	k.WgmmaWait(0)
}

const tileBytes = 2 * box * box

// ledgerMutants misuse the barriers themselves, and registers.
func ledgerMutants() []mutant {
	return []mutant{
		{name: "B12 expected and not arrived", rules: []string{sanitize.MbarrierCount}, record: func(k *hopper.Kernel, wrong bool) {
			one(k, tileBytes, 0)
		}, edit: replaced("mbarrier.arrive.expect_tx.shared::cta.b64 _,", "mbarrier.expect_tx.relaxed.cta.shared::cta.b64")},
		{name: "B12 too many bytes", rules: []string{sanitize.MbarrierBytes}, record: func(k *hopper.Kernel, wrong bool) {
			if wrong {
				one(k, tileBytes+16, 0)
			} else {
				one(k, tileBytes, 0)
			}
		}},
		{name: "B12 too few bytes", rules: []string{sanitize.MbarrierBytes}, record: func(k *hopper.Kernel, wrong bool) {
			in := k.TensorMap("in")
			tiles, full, acc := k.SharedRing(2, hopper.F16, box, box, hopper.Swizzle128B), k.Mbarrier(), k.Accumulator(box, box)
			acc.Zero()
			start(k, func() { full.Init(1) })
			k.OneThread(func() {
				if wrong {
					full.ArriveExpectTx(tileBytes) // at B12 too few bytes
				} else {
					full.ArriveExpectTx(2 * tileBytes)
				}
				k.TMALoad(tiles.Stage(0), in.At(0, 0), full)   // other B12 too few bytes
				k.TMALoad(tiles.Stage(1), in.At(0, box), full) // other B12 too few bytes
			})
			full.Wait(0)
			multiply(k, acc, tiles.Stage(0), tiles.Stage(1))
			k.WgmmaWait(0)
		}},
		{name: "B14 lapped", rules: []string{sanitize.Lapped}, record: func(k *hopper.Kernel, wrong bool) {
			full, back := k.Mbarrier(), k.Mbarrier()
			start(k, func() {
				full.Init(1)
				back.Init(96)
			})
			phase := k.Var(0)
			for range k.Range(0, 5, 1) {
				k.IfElse(k.WarpIdx().Equal(0), func() {
					k.OneThread(func() {
						if !wrong {
							back.Wait(phase.Xor(1))
						}
						full.Arrive() // other B14 lapped
					})
				}, func() {
					full.Wait(phase) // at B14 lapped
					back.Arrive()
				})
				phase.Set(phase.Xor(1))
			}
		}},
		{name: "B15 one barrier for two", rules: []string{sanitize.NamedBarrier}, threads: 256, record: func(k *hopper.Kernel, wrong bool) {
			me := k.WarpgroupIdx()
			for range k.Range(0, 3, 1) {
				if wrong {
					k.SyncThreads(1, 128) // at B15 one barrier for two, other B15 one barrier for two
				} else {
					k.SyncThreads(me.Add(1), 128)
				}
			}
		}},
		{name: "B16 too many registers", rules: []string{sanitize.RegisterPool}, threads: 384, record: func(k *hopper.Kernel, wrong bool) {
			k.IfElse(k.WarpgroupIdx().Less(2), func() {
				if wrong {
					k.SetMaxRegInc(248) // at B16 too many registers
				} else {
					k.SetMaxRegInc(232)
				}
			}, func() { k.SetMaxRegDec(40) }) // other B16 too many registers
		}},
		{name: "B19 nobody wants it", rules: []string{sanitize.OutsideTensor}, noOther: true, record: func(k *hopper.Kernel, wrong bool) {
			in := k.TensorMap("in")
			tile, full := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Mbarrier()
			start(k, func() { full.Init(1) })
			k.OneThread(func() {
				full.ArriveExpectTx(tile.Bytes())
				x := 0
				if wrong {
					x = side
				}
				k.TMALoad(tile, in.At(x, 0), full) // at B19 nobody wants it
			})
			full.Wait(0)
		}},
		{name: "B20 barrier inside a tile", rules: []string{sanitize.Overlap}, record: func(k *hopper.Kernel, wrong bool) {
			one(k, tileBytes, 0)
		}, edit: replaced("[%smem+8192]", "[%smem+4096]")},
	}
}
