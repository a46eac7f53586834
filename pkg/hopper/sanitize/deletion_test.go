package sanitize_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper"
)

// whole is a small kernel with everything that a Hopper product has: a cluster
// of two that shares operands by multicast, a producer warp, two consumer
// warpgroups with a group in flight, several tiles for each CTA, and an epilogue
// through shared memory.
func whole(k *hopper.Kernel, _ bool) {
	const stages, tiles, turns, consumers, cluster = 2, 3, 5, 2, 2
	in, out := k.TensorMap("in"), k.TensorMap("out")
	sa, sb := k.SharedRing(stages, hopper.F16, consumers*box, box, hopper.Swizzle128B), k.SharedRing(stages, hopper.F16, box, box, hopper.Swizzle128B)
	sc := k.SharedRing(consumers, hopper.F16, box, box, hopper.Swizzle128B)
	pipe := k.Pipeline(stages)
	start(k, func() { pipe.Init(1, consumers*cluster) })
	consume := func() {
		k.SetMaxRegInc(232)
		me := k.WarpgroupIdx()
		acc := k.Accumulator(box, box)
		at := pipe.Consumer()
		release := func(stage hopper.Int) {
			k.OneOfWarpgroup(func() {
				for peer := range cluster {
					pipe.Empty.Stage(stage).ArriveRemote(peer, hopper.Relaxed)
				}
			})
		}
		for tile := range k.Range(0, tiles, 1) {
			acc.Zero()
			for x := range k.Range(0, turns, 1) {
				at.Acquire()
				multiply(k, acc, sa.Stage(at.Stage).From(me.Mul(box), box), sb.Stage(at.Stage))
				k.WgmmaWait(1)
				k.If(x.AtLeast(1), func() { release(at.Previous()) })
				at.Advance()
			}
			k.WgmmaWait(0)
			release(at.Previous())
			k.OneOfWarpgroup(func() { k.TMAWaitRead(0) })
			k.SyncThreads(me.Add(1), 128)
			k.Stmatrix(sc.Stage(me), acc, 0, 0)
			k.FenceProxyAsync()
			k.SyncThreads(me.Add(1), 128)
			k.OneOfWarpgroup(func() {
				k.TMAStore(out.At(tile.Mul(box), me.Mul(box)), sc.Stage(me))
				k.TMACommit()
			})
		}
		k.OneOfWarpgroup(func() { k.TMAWait(0) })
	}
	produce := func() {
		at := pipe.Producer()
		rank := k.ClusterRank()
		for range k.Range(0, tiles*turns, 1) {
			at.Acquire()
			at.Full().ArriveExpectTx(sa.Bytes() + cluster*sb.Bytes()/cluster)
			for i := range consumers {
				k.TMALoad(sa.Stage(at.Stage).From(i*box, box), in.At(0, i*box), at.Full())
			}
			k.If(rank.Equal(0), func() {
				k.TMALoadMulticast(sb.Stage(at.Stage), in.At(0, 0), at.Full(), 1<<cluster-1)
			})
			at.Advance()
		}
	}
	k.IfElse(k.WarpgroupIdx().Less(consumers), consume, func() {
		k.SetMaxRegDec(40)
		k.If(k.WarpIdx().Equal(consumers*4), func() { k.ElectOne(produce) })
	})
	k.ClusterSync()
}

// synchronising is the instructions that order something.
var synchronising = regexp.MustCompile(`^\t(@!?%p\d+ )?(bar\.|barrier\.|mbarrier|fence|wgmma\.[fcw]|cp\.async\.bulk\.[cw]|setmaxnreg)`)

// TestDeletions deletes each instruction of whole that orders something: what
// is left must be reported under every schedule.
func TestDeletions(t *testing.T) {
	k := mutant{record: whole, threads: 384, cluster: 2}.check(t, false)
	lines := strings.Split(k.Text, "\n")
	deleted := 0
	for i, line := range lines {
		if !synchronising.MatchString(line) {
			continue
		}
		deleted++
		kernel := k
		rest := slices.Clone(lines)
		rest[i] = ""
		if strings.Contains(line, "try_wait") {
			rest[i+1] = "" // the branch back to it
		}
		kernel.Text = strings.Join(rest, "\n")
		t.Run(strings.TrimSpace(line), func(t *testing.T) {
			t.Parallel()
			for seed := range int64(schedules / 4) {
				found, err := kernel.Run(seed)
				require.NoError(t, err)
				if strings.Contains(line, "setmaxnreg.inc") {
					require.Empty(t, found, "the machine has the registers that an instruction names; this asks for speed")
					continue
				}
				require.NotEmpty(t, found, "seed %d", seed)
			}
		})
	}
	assert.Greater(t, deleted, 25)
}
