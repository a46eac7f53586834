package sanitize_test

import (
	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/sanitize"
)

// steps of K that the pipelines take.
const steps = 6

// pipeline records a producer warp and a consumer warpgroup around a ring of
// two stages; consume is one step of the consumer, and last what follows.
func pipeline(k *hopper.Kernel, produce func(r ringOf, at hopper.Cursor, x hopper.Int), consume func(r ringOf, at hopper.Cursor, x hopper.Int), last func(r ringOf, at hopper.Cursor)) {
	const stages = 2
	r := ringOf{in: k.TensorMap("in"), tiles: k.SharedRing(stages, hopper.F16, box, box, hopper.Swizzle128B), pipe: k.Pipeline(stages), acc: k.Accumulator(box, box)}
	start(k, func() { r.pipe.Init(1, 1) })
	k.IfElse(k.WarpIdx().Less(4), func() {
		r.acc.Zero()
		at := r.pipe.Consumer()
		for x := range k.Range(0, steps, 1) {
			consume(r, at, x)
			at.Advance()
		}
		if last != nil {
			last(r, at)
		}
	}, func() {
		k.ElectOne(func() {
			at := r.pipe.Producer()
			for x := range k.Range(0, steps, 1) {
				at.Acquire()
				produce(r, at, x)
				at.Advance()
			}
		})
	})
}

type ringOf struct {
	in    hopper.TensorMap
	tiles hopper.Ring
	pipe  hopper.Pipeline
	acc   *hopper.Accumulator
}

func (r ringOf) load(k *hopper.Kernel, at hopper.Cursor, x hopper.Int) {
	at.Full().ArriveExpectTx(r.tiles.Stage(0).Bytes())           // other B13 parity never flips, other B13 parity flips each step
	k.TMALoad(r.tiles.Stage(at.Stage), r.in.At(0, 0), at.Full()) // at B4 released before the wait, at B4 newest group still reads, other B13 parity never flips, other B13 parity flips each step, at no empty barrier, other no wait for full
}

func pipelineMutants() []mutant {
	return []mutant{
		{name: "B4 released before the wait", rules: []string{sanitize.ReleasedEarly}, threads: 160, record: func(k *hopper.Kernel, wrong bool) {
			pipeline(k, func(r ringOf, at hopper.Cursor, x hopper.Int) { r.load(k, at, x) }, func(r ringOf, at hopper.Cursor, x hopper.Int) {
				at.Acquire()
				k.WgmmaFence()
				k.Wgmma(r.acc, r.tiles.Stage(at.Stage), r.tiles.Stage(at.Stage)) // other B4 released before the wait
				k.WgmmaCommit()
				if !wrong {
					k.WgmmaWait(0)
				}
				k.OneOfWarpgroup(func() { at.Empty().Arrive() })
				if wrong {
					k.WgmmaWait(0)
				}
			}, nil)
		}},
		{name: "B4 newest group still reads", rules: []string{sanitize.ReleasedEarly}, threads: 160, record: func(k *hopper.Kernel, wrong bool) {
			pipeline(k, func(r ringOf, at hopper.Cursor, x hopper.Int) { r.load(k, at, x) }, func(r ringOf, at hopper.Cursor, x hopper.Int) {
				at.Acquire()
				k.WgmmaFence()
				k.Wgmma(r.acc, r.tiles.Stage(at.Stage), r.tiles.Stage(at.Stage)) // other B4 newest group still reads
				k.WgmmaCommit()
				k.WgmmaWait(1)
				if wrong {
					k.OneOfWarpgroup(func() { at.Empty().Arrive() })
				} else {
					k.If(x.AtLeast(1), func() {
						k.OneOfWarpgroup(func() { r.pipe.Empty.Stage(at.Previous()).Arrive() })
					})
				}
			}, func(r ringOf, at hopper.Cursor) { k.WgmmaWait(0) })
		}},
		{name: "B13 parity never flips", rules: []string{sanitize.StalePhase}, threads: 160, record: func(k *hopper.Kernel, wrong bool) {
			pipeline(k, func(r ringOf, at hopper.Cursor, x hopper.Int) { r.load(k, at, x) }, func(r ringOf, at hopper.Cursor, x hopper.Int) {
				if wrong {
					at.Full().Wait(0) // at B13 parity never flips
				} else {
					at.Acquire()
				}
				k.WgmmaFence()
				k.Wgmma(r.acc, r.tiles.Stage(at.Stage), r.tiles.Stage(at.Stage)) // at B13 parity never flips
				k.WgmmaCommit()
				k.WgmmaWait(0)
				k.OneOfWarpgroup(func() { at.Empty().Arrive() })
			}, nil)
		}},
		{name: "B13 parity flips each step", rules: []string{sanitize.StalePhase}, threads: 160, record: func(k *hopper.Kernel, wrong bool) {
			pipeline(k, func(r ringOf, at hopper.Cursor, x hopper.Int) { r.load(k, at, x) }, func(r ringOf, at hopper.Cursor, x hopper.Int) {
				if wrong {
					at.Full().Wait(x.And(1)) // at B13 parity flips each step
				} else {
					at.Acquire()
				}
				k.WgmmaFence()
				k.Wgmma(r.acc, r.tiles.Stage(at.Stage), r.tiles.Stage(at.Stage)) // at B13 parity flips each step
				k.WgmmaCommit()
				k.WgmmaWait(0)
				k.OneOfWarpgroup(func() { at.Empty().Arrive() })
			}, nil)
		}},
		{name: "no wait for full", rules: []string{sanitize.MissingWait}, threads: 160, record: func(k *hopper.Kernel, wrong bool) {
			pipeline(k, func(r ringOf, at hopper.Cursor, x hopper.Int) { r.load(k, at, x) }, func(r ringOf, at hopper.Cursor, x hopper.Int) {
				if !wrong {
					at.Acquire()
				}
				k.WgmmaFence()
				k.Wgmma(r.acc, r.tiles.Stage(at.Stage), r.tiles.Stage(at.Stage)) // at no wait for full
				k.WgmmaCommit()
				k.WgmmaWait(0)
				k.OneOfWarpgroup(func() { at.Empty().Arrive() })
			}, nil)
		}},
		{name: "B5 the other warpgroup reads", rules: []string{sanitize.WaitWarpgroup}, threads: 256, record: func(k *hopper.Kernel, wrong bool) {
			in := k.TensorMap("in")
			tile, full, acc := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Mbarrier(), k.Accumulator(box, box)
			acc.Zero()
			start(k, func() { full.Init(1) })
			k.OneThread(func() {
				full.ArriveExpectTx(tile.Bytes())
				k.TMALoad(tile, in.At(0, 0), full)
			})
			full.Wait(0)
			k.WgmmaFence()
			k.Wgmma(acc, tile, tile) // other B5 the other warpgroup reads
			k.WgmmaCommit()
			k.WgmmaWait(0)
			if !wrong {
				k.Sync()
			}
			k.If(k.WarpgroupIdx().Equal(0), func() {
				k.Stmatrix(tile, acc, 0, 0) // at B5 the other warpgroup reads
			})
		}},
	}
}
