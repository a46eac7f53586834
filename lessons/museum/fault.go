package main

// Fault is one change to a kernel of the museum. An exhibit's breaks one rule,
// though what follows may break others.
type Fault int

// The faults, by the exhibit that shows each. None is the repaired kernel.
const (
	None             Fault = iota
	NoStoreFence           // b01: no fence between the ordinary stores and the TMA store
	ReadsUnmet             // b02: the next load is issued while warps still read
	NoOperandFence         // b03: wgmma reads what ordinary stores wrote, without a fence
	ReleaseUnread          // b04: the stage is given back before its product is waited for
	OwnWaitOnly            // b05: one warpgroup's wait is taken for all
	WaitByAll              // b06: every thread waits for a store that one has issued
	WaitOneLess            // b07: the wait leaves one store too many in flight
	NoStoreWait            // b08: the staging buffer is refilled without any wait
	OwnRelease             // b09: a tile's last stage is given back to the own CTA only
	EarlyEnd               // b10: a CTA ends with neither a drain nor a barrier of the cluster
	EarlyStart             // b11: a CTA goes on without knowing that its peer has begun
	ExpectOnly             // b12: bytes are expected and nobody arrives
	ParityOfTile           // b13: the parity follows the slice of the tile, not the turn of the ring
	TurnUnmet              // b14: the next phase may complete before all have seen this one
	OneBarrierForAll       // b15: two warpgroups share a named barrier
	GreedyRegisters        // b16: setmaxnreg asks for more than there is
	ReadBeforeWait         // b17: the accumulator is read while the last product runs
	PlainMap               // b18: the tensor map does not swizzle, the descriptor does
	LoadsInDrain           // b19: the producer goes on loading after the last slice
	ShortRing              // b20: the ring has a stage less than the loop uses
	BytesTooMany           // r01: more bytes are expected than the copies bring
	NoWgmmaFence           // r02: no wgmma.fence before the products

	// Two that break nothing: each takes away one of two precautions, where b10
	// takes both.
	NoDrain
	NoLastBarrier
)
