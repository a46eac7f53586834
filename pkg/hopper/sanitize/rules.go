package sanitize

import "gohopper/pkg/hopper/event"

// Rule is one thing that a kernel can do wrong. Its name is in every finding of
// it and names the page that explains it.
type Rule struct {
	Name     string
	Severity event.Severity // of most of its findings
	Doc      string         // what is wrong, why it goes wrong, how to repair it
}

// The names of the rules.
const (
	ProxyFence    = "proxy-fence"
	MbarrierInit  = "mbarrier-init"
	StageReuse    = "stage-reuse"
	ReleasedEarly = "released-early"
	WaitWarpgroup = "wait-warpgroup"
	WaitThread    = "wait-thread"
	WaitCount     = "wait-count"
	StoreInFlight = "store-in-flight"
	PeerReuse     = "peer-reuse"
	PeerExit      = "peer-exit"
	PeerStart     = "peer-start"
	PeerForm      = "peer-form"
	MissingWait   = "missing-wait"
	StalePhase    = "stale-phase"
	Lapped        = "lapped"
	MbarrierBytes = "mbarrier-bytes"
	MbarrierCount = "mbarrier-count"
	NamedBarrier  = "named-barrier"
	RegisterPool  = "register-pool"
	Accumulator   = "accumulator"
	WgmmaFence    = "wgmma-fence"
	Swizzle       = "swizzle"
	OutsideTensor = "outside-tensor"
	Overlap       = "overlap"
	Race          = "race"
)

// Rules is every rule, in the order in which the course meets them.
var Rules = []Rule{
	{Race, event.Error, `Two threads touch the same bytes of shared or global memory, one of them writes, and no barrier
lies between. Hardware runs warps in any order, and the lanes of a warp too: which access is first is luck. Put bar.sync
between them, or bar.warp.sync if both are in one warp. A shuffle is no barrier for memory. No barrier reaches from one
cluster to another: in global memory only an atomic operation, or a load and a store with an order, lets one know of
the other. Two that write the same value to global memory are not reported.`},
	{ProxyFence, event.Error, `Ordinary stores reach shared memory through the generic proxy; TMA and WGMMA read it through
the asynchronous proxy. A barrier orders threads, not proxies: without fence.proxy.async the engine may read what was
there before. The fence may stand in each writing thread before the barrier, or in the issuing thread after it. Where a
barrier is there and WGMMA reads, today's chips hide the mistake and the finding is latent; a copy that reads old bytes is an error.`},
	{MbarrierInit, event.Error, `An mbarrier is used by a thread, or given to a copy, when nothing makes its
initialisation visible there. One thread runs mbarrier.init and fence.mbarrier_init.release.cluster, then everybody
passes a barrier. With the barrier but no fence, only the asynchronous proxy may miss it, and the finding is latent.`},
	{MissingWait, event.Error, `Somebody reads, or overwrites, bytes that an asynchronous copy is still bringing, without
having waited for it: on the copy's mbarrier for TMA, with cp.async.wait_group and a barrier for cp.async.`},
	{StalePhase, event.Error, `A wait on an mbarrier returned at once because an older phase was complete, and what is then
read belongs to a later one. A wait names a parity; it cannot tell a phase from the one two before. The parity of stage
s in its n-th use is n mod 2: it flips each time the ring comes round, not each step of K.`},
	{StageReuse, event.Error, `The next copy into a stage is issued while threads may still read, or write, the stage. What
hands a stage back must come after the last access of every reader: a barrier of all, or an arrival of each at the
stage's empty mbarrier, with release, on which the producer waits. A relaxed arrival orders no ordinary access.`},
	{ReleasedEarly, event.Error, `A stage was handed back while wgmma still reads it. wgmma.mma_async only starts a
product; its operands are free after wgmma.wait_group has covered it. With wait_group N the newest N groups still
read: release the stage of the group before them, not this one's.`},
	{WaitWarpgroup, event.Error, `wgmma.wait_group covers the products of the waiting warpgroup only. A buffer that
several warpgroups multiply from is free when each of them has waited and said so at a barrier.`},
	{WaitThread, event.Error, `A group of asynchronous copies belongs to the thread that committed it. In any other thread
the same wait returns at once. Let the issuing thread wait, and then pass a barrier with all who use the bytes.`},
	{WaitCount, event.Error, `The wait leaves one group too many in flight: wait_group N lets the newest N go on. For a ring
of D buffers refilled in turn, the wait before refilling is N = D - 1.`},
	{StoreInFlight, event.Error, `A buffer is written while the copy out of it, issued for the last tile, may still read it.
Before refilling, the issuing thread runs cp.async.bulk.wait_group.read and all writers pass a barrier.`},
	{PeerReuse, event.Error, `A CTA of the cluster overwrites, by multicast or another remote copy, shared memory of a
peer that the peer's threads may still use. Each CTA's consumers must release the stage to every CTA that writes it.`},
	{PeerExit, event.Error, `A CTA may end, and its shared memory with it, while a peer's access, arrival or copy, or a copy
of its own, is still to come. End with barrier.cluster.arrive and .wait in every CTA, or wait for the last phases.`},
	{PeerStart, event.Error, `A CTA touches the shared memory of a peer that may not have started, or not have initialised
it. Between initialisation and the first remote access, every thread of the cluster passes barrier.cluster.arrive and .wait,
not in the relaxed form.`},
	{PeerForm, event.Error, `An instruction with .shared or .shared::cta, which mean the executing CTA, is given the address of
another CTA's shared memory (mapa). Write .shared::cluster.`},
	{Lapped, event.Error, `A phase of an mbarrier can complete before a thread has seen that the phase before it did. The
thread then looks for a parity that has come round again, and waits for ever. Every waiter must arrive, or be waited
for, before the next phase can complete.`},
	{MbarrierBytes, event.Error, `The bytes that a phase expects are not the bytes that its copies bring. Too few: the phase
completes while a copy is in flight. Too many: it never completes. Expect the full bytes of every box, what lies outside of the tensor included.`},
	{MbarrierCount, event.Stuck, `A phase has all its bytes and lacks arrivals, and nobody is left to give them. expect_tx
alone is not an arrival; mbarrier.arrive.expect_tx is.`},
	{NamedBarrier, event.Error, `Two sets of warps use one named barrier, and nothing keeps a warp of one set out of the
phase of the other. Give each set its own number, 1 to 15.`},
	{RegisterPool, event.Stuck, `The registers asked for with setmaxnreg are more than the CTA was launched with, so some warps
wait for ever. Over all warps, the sum may not exceed registers at launch times threads.`},
	{Accumulator, event.Error, `An instruction touches registers of a wgmma between its issue and the wgmma.wait_group that
covers it. The product is written there at some time in between; the assembler may also serialise all wgmma to be safe.`},
	{WgmmaFence, event.Latent, `wgmma.fence must stand before the first wgmma, and again where ordinary instructions have
written its registers. The assembler inserts one and says so (C7510 and on), at the risk of serialising all wgmma.`},
	{Swizzle, event.Error, `TMA wrote a tile with one swizzle mode and wgmma reads it with another, or the tile does not start
where the pattern does. The sum of all elements is right and their places are not. Align tiles to the swizzle atom:
1024, 512 or 256 bytes for 128, 64 or 32 byte swizzles, or set the descriptor's base offset. Reads by threads are not
judged: they may undo the pattern, or need none, as a step that treats every element alike.`},
	{OutsideTensor, event.Latent, `A copy brought a box that lies outside of its tensor altogether, and nobody read the zeros.
Zero fill at an edge is legal and free; a load that nobody wants usually means one step too many.`},
	{Overlap, event.Error, `Data is written over an mbarrier that is in use: two objects share bytes of shared memory. Check
the sum of all tiles and barriers against the size that was launched.`},
}

// severity of a rule.
func severity(name string) event.Severity {
	for _, r := range Rules {
		if r.Name == name {
			return r.Severity
		}
	}
	panic("sanitize: no rule " + name)
}
