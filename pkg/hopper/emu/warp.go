package emu

// lanes is the number of threads in a warp.
const lanes = 32

// mask has bit i set for lane i.
type mask uint32

const allLanes mask = 1<<lanes - 1

// row32 is a register of up to 32 bits in every lane. A narrower value is kept
// zero-extended, whatever its type.
type row32 [lanes]uint32

// row64 is a 64-bit register in every lane.
type row64 [lanes]uint64

// warp is 32 threads that share an instruction stream but not a program
// counter (Volta's independent thread scheduling and after).
type warp struct {
	cta   *cta
	prog  *program
	index int          // in the CTA
	pc    [lanes]int32 // per lane, an index into prog.code
	live  mask         // lanes that have not exited
	r     []row32
	d     []row64
	p     []mask
}

// op executes one instruction for the lanes in m, which is never 0. A nil
// result means the instruction is done and the lanes go on; a wait means that
// nothing has happened yet, and that the op is to be run again for the same
// lanes once the wait is over.
type op func(w *warp, m mask) *wait

// wait is why lanes cannot go on.
type wait struct {
	// ready is polled by the scheduler between instructions.
	ready func() bool
	// mayTimeOut marks an mbarrier.try_wait, which hardware lets return false
	// after a while: when nothing else can happen, or by the seed's whim, the
	// op is run again with w.timedOut set.
	mayTimeOut bool
	// explain says what is waited for, for a "stuck" finding: one clause
	// ("waits for phase 3 of the mbarrier at shared+0x30400") and facts, a line
	// each ("1 arrival and 32768 bytes are missing").
	explain func() (clause string, facts []string)
}
