package sanitize_test

import (
	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/sanitize"
)

// shared records a cluster of two in which rank 0 loads a tile for both. Each
// CTA's threads read it and tell whom they must; at the end all meet.
func shared(k *hopper.Kernel, meet bool, tell func(empty hopper.Mbarrier), end func()) {
	in := k.TensorMap("in")
	tile, full, empty := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Mbarrier(), k.Mbarrier()
	k.OneThread(func() {
		full.Init(1)  // other B11 relaxed cluster barrier
		empty.Init(2) // other B11 relaxed cluster barrier
		k.FenceMbarrierInit()
	})
	if meet {
		k.ClusterSync()
	} else {
		k.Sync()
	}
	phase := k.Var(0)
	for x := range k.Range(0, side, box) { // other B10 no barrier at the end
		k.OneThread(func() {
			full.ArriveExpectTx(tile.Bytes())
			k.If(k.ClusterRank().Equal(0), func() {
				empty.Wait(phase.Xor(1))
				k.TMALoadMulticast(tile, in.At(x, 0), full, 3) // at B9 peer still reads, at B11 peer not initialised, at B11 relaxed cluster barrier
			})
		})
		full.Wait(phase)
		k.Ldmatrix4(tile.Addr().Add(k.LaneIdx().Shl(4)), 0) // other B9 peer still reads
		k.Sync()
		k.OneThread(func() { tell(empty) })
		phase.Set(phase.Xor(1))
	}
	end()
}

// clusterMutants break what CTAs of a cluster owe each other.
func clusterMutants() []mutant {
	both := func(k *hopper.Kernel) func(hopper.Mbarrier) {
		return func(empty hopper.Mbarrier) {
			empty.ArriveRemote(0, hopper.ReleaseCluster) // at B10 no barrier at the end, at B11 peer not initialised, at B11 relaxed cluster barrier, at B11 local form
		}
	}
	return []mutant{
		{name: "B9 peer still reads", rules: []string{sanitize.PeerReuse}, cluster: 2, record: func(k *hopper.Kernel, wrong bool) {
			shared(k, true, func(empty hopper.Mbarrier) {
				if wrong { // rank 0 counts its own arrival twice instead of waiting for the peer's
					k.If(k.ClusterRank().Equal(0), func() {
						empty.Arrive()
						empty.Arrive()
					})
					return
				}
				both(k)(empty)
			}, func() { k.ClusterSync() })
		}},
		{name: "B10 no barrier at the end", rules: []string{sanitize.PeerExit}, cluster: 2, record: func(k *hopper.Kernel, wrong bool) {
			shared(k, true, both(k), func() {
				if !wrong {
					k.ClusterSync()
				}
			})
		}},
		{name: "B11 peer not initialised", rules: []string{sanitize.PeerStart}, cluster: 2, noOther: true, record: func(k *hopper.Kernel, wrong bool) {
			shared(k, !wrong, both(k), func() { k.ClusterSync() })
		}},
		{name: "B11 relaxed cluster barrier", rules: []string{sanitize.PeerStart}, cluster: 2, record: func(k *hopper.Kernel, wrong bool) {
			shared(k, true, both(k), func() { k.ClusterSync() })
		}, edit: replaced("barrier.cluster.arrive;", "barrier.cluster.arrive.relaxed;")},
		{name: "B11 local form", rules: []string{sanitize.PeerForm}, cluster: 2, noOther: true, record: func(k *hopper.Kernel, wrong bool) {
			shared(k, true, both(k), func() { k.ClusterSync() })
		}, edit: replaced("mbarrier.arrive.release.cluster.shared::cluster.b64", "mbarrier.arrive.shared::cta.b64")},
	}
}
