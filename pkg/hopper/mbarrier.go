package hopper

import (
	"fmt"

	"gohopper/pkg/hopper/ptx"
)

const (
	mbarrierBytes = 8
	mbarrierLimit = 1<<20 - 1 // most arrivals, and most bytes, of one phase (PTX 9.7.13.15.2)
)

// Mbarrier is an 8-byte barrier object in shared memory. It counts arrivals
// and bytes; when both are satisfied its phase completes and the next begins
// (PTX 9.7.13.15). Init, arrive and wait are executed by each thread for
// itself, so that a word which is to count once is used by one thread.
type Mbarrier struct{ place }

// Mbarriers is one barrier for each stage of a pipeline.
type Mbarriers struct {
	Mbarrier // of stage 0
	Stages   int
}

// Mbarrier sets a barrier aside in dynamic shared memory. It must be given
// Init before its first use. It records nothing.
func (k *Kernel) Mbarrier() Mbarrier { return k.Mbarriers(1).Mbarrier }

// Mbarriers sets a barrier for each stage aside, as Mbarrier does.
func (k *Kernel) Mbarriers(stages int) Mbarriers {
	if stages < 1 {
		k.mistake("%d mbarriers: there must be at least 1", stages)
	}
	p := k.allocate(fmt.Sprintf("%d x mbarrier", stages), mbarrierBytes*max(stages, 0), mbarrierBytes)
	return Mbarriers{Mbarrier{p}, stages}
}

// Stage is the barrier of a stage, 0 to Stages-1: nothing for a Go int, one
// mad.lo.s32 for an Int.
func (b Mbarriers) Stage(stage Number) Mbarrier {
	if c, ok := stage.(int); ok && (c < 0 || c >= b.Stages) {
		b.k.mistake("stage %d of %d mbarriers: stages are 0 to %d", c, b.Stages, b.Stages-1)
	}
	return Mbarrier{b.plus(stage, mbarrierBytes)}
}

// Init sets the barrier up for a number of arrivals per phase, in one thread
// (mbarrier.init, PTX 9.7.13.15.9). Others may use it after FenceMbarrierInit
// and a barrier.
func (b Mbarrier) Init(arrivals int) {
	if arrivals < 1 || arrivals > mbarrierLimit {
		b.k.mistake("Init(%d): an mbarrier counts 1 to %d arrivals", arrivals, mbarrierLimit)
	}
	b.k.emit("mbarrier.init.shared::cta.b64", b.addr(), intOp(arrivals))
}

// ArriveExpectTx arrives once and adds bytes to what the phase waits for, by
// each executing thread (mbarrier.arrive.expect_tx, PTX 9.7.13.15.13). To put
// it before the copies that bring the bytes is a habit, not a rule: the phase
// cannot complete without this arrival, and bytes that land before it, as a
// peer's multicast may, are counted all the same.
func (b Mbarrier) ArriveExpectTx(bytes int) {
	if bytes < 0 || bytes > mbarrierLimit {
		b.k.mistake("ArriveExpectTx(%d): a phase waits for 0 to %d bytes; spread the copies over more barriers", bytes, mbarrierLimit)
	}
	b.k.emit("mbarrier.arrive.expect_tx.shared::cta.b64", ptx.Sink{}, b.addr(), intOp(bytes))
}

// Arrive arrives once, by each executing thread, with release semantics at CTA
// scope (mbarrier.arrive, PTX 9.7.13.15.13).
func (b Mbarrier) Arrive() {
	b.k.emit("mbarrier.arrive.shared::cta.b64", ptx.Sink{}, b.addr())
}

// Order is what a remote arrive promises about the memory accesses before it
// (PTX 9.7.13.15.13).
type Order string

// Orders of a remote arrive.
const (
	Relaxed        Order = "relaxed.cluster" // nothing; PTX ISA 8.6
	ReleaseCTA     Order = ""                // earlier accesses are ordered before it for this CTA; the default of PTX
	ReleaseCluster Order = "release.cluster" // for the whole cluster, which waits until they are visible there
)

// ArriveRemote arrives once at the barrier at the same place in the CTA of the
// given rank, by each executing thread: the barrier's address (add.s32), mapa
// for the one over there (PTX 9.7.9.23), then mbarrier.arrive. The rank may be
// the CTA's own.
func (b Mbarrier) ArriveRemote(rank Number, order Order) {
	k := b.k
	k.inCluster("ArriveRemote")
	if c, ok := rank.(int); ok && (c < 0 || c >= k.cluster) {
		k.mistake("ArriveRemote to rank %d: the cluster has ranks 0 to %d", c, k.cluster-1)
	}
	name := "mbarrier.arrive."
	switch order {
	case Relaxed:
		k.needs(8, 6)
		name += "relaxed.cluster."
	case ReleaseCluster:
		name += "release.cluster."
	case ReleaseCTA:
	default:
		k.mistake("ArriveRemote with order %q: use hopper.Relaxed, hopper.ReleaseCTA or hopper.ReleaseCluster", order)
	}
	remote := k.int32()
	k.emit("mapa.shared::cluster.u32", remote.op(), b.value().op(), k.number(rank))
	k.emit(name+"shared::cluster.b64", ptx.Sink{}, ptx.Addr{Base: remote.op()})
}

// Wait holds each executing thread until the phase with the given parity, 0 or
// 1, has completed: mbarrier.try_wait.parity in a loop with bra, since one try
// may give up (PTX 9.7.13.15.16). A fresh barrier is in phase 0, so waiting
// for parity 1 falls through. Acquire semantics at CTA scope.
func (b Mbarrier) Wait(parity Number) {
	k := b.k
	if c, ok := parity.(int); ok && c != 0 && c != 1 {
		k.mistake("Wait(%d): a parity is 0 or 1, the phase's number modulo 2", c)
	}
	again := k.label("wait")
	p := k.pred()
	k.place(again)
	k.emit("mbarrier.try_wait.parity.shared::cta.b64", p.op(), b.addr(), k.number(parity))
	k.emitGuarded(&ptx.Guard{Reg: p.reg, Not: true}, "bra", ptx.Sym{Name: again})
}

// FenceMbarrierInit makes the executing thread's mbarrier inits visible to the
// cluster and to the asynchronous proxy (fence.mbarrier_init.release.cluster,
// PTX 9.7.13.4). Others still need a barrier after it.
func (k *Kernel) FenceMbarrierInit() { k.emit("fence.mbarrier_init.release.cluster") }
