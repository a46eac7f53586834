package event

import "gohopper/pkg/hopper/ptx"

// Kind says what an Event is about, and so which of its fields mean something.
type Kind uint8

// The kinds of events. Every event says who (CTA, Warp, Lanes) and at which
// instruction (Instr); the lists name the other fields.
const (
	// Threads touch memory through the generic proxy: Does, Space, Addrs, Bytes,
	// Data.
	Access Kind = iota
	// An asynchronous operation begins: Op, Unit, Regions, Global (what a bulk
	// copy reads or writes there), Owner and At of the mbarrier that it will
	// signal, Bytes that it will signal, Outside, and of a tensor copy Tensor and
	// Corner.
	// Every warp of a warpgroup begins a wgmma, with the same Op.
	Start
	// Op is over.
	Complete
	// Threads close their present group of asynchronous operations: Unit.
	Commit
	// Threads have waited until at most N of their newest groups of a Unit are
	// pending; with Reads only the reads of the older ones are over. N is -1
	// for a wait that covers operations outside of any group too.
	WaitGroup
	// An mbarrier at Owner, At is initialised for N arrivals, or ends.
	MbarrierInit
	MbarrierInval
	// An mbarrier at Owner, At gets N arrivals and Tx bytes (less than 0: they
	// have come) in its phase number Phase; Done says that this completes the
	// phase, and Missing and MissingTx what it needed then. Op is not 0 where
	// an operation signals its completion.
	MbarrierUpdate
	// Threads have found that Phase phases of the mbarrier at Owner, At are
	// complete, which ends their wait.
	MbarrierWait
	// Threads arrive at named barrier N of the CTA in its phase Phase, for
	// Bytes threads (0: all), and leave it.
	BarrierArrive
	BarrierLeave
	// Threads arrive at the barrier of the cluster in its phase Phase, and
	// leave it.
	ClusterArrive
	ClusterLeave
	// Lanes of a warp have met at bar.warp.sync.
	WarpSync
	// Lanes of a warp exchange values (shfl, vote, match, redux, elect): they
	// are together, which orders no access among them.
	WarpExchange
	// Threads execute fence or membar.
	Fence
	// Threads ask for N registers each with setmaxnreg.
	Registers
	// Threads end.
	Exit
	// Threads have asked for the end of phase number Phase of the mbarrier at
	// Owner, At, which has not come.
	MbarrierTry
	// Threads begin to wait at an instruction. What they do next ends the wait.
	Block
	// Op, a copy out of shared memory, has read all of it.
	ReadsOver
)

// Unit is what carries out an asynchronous operation.
type Unit uint8

// The units.
const (
	BulkLoad   Unit = iota // the TMA engine, into shared memory: signals an mbarrier
	BulkStore              // the TMA engine, out of shared memory: belongs to a bulk group of its thread
	CopyAsync              // cp.async: belongs to a group of its thread; Addrs and Bytes are its destinations
	CopyArrive             // cp.async.mbarrier.arrive: an arrival when the thread's copies have come
	StoreAsync             // st.async and red.async: signals an mbarrier
	TensorCore             // wgmma: belongs to a group of its warpgroup
)

// Does is what an access does.
type Does uint8

// What an access does.
const (
	Read   Does = iota
	Write       //
	Update      // reads and writes in one step
)

// Space is the memory of an access.
type Space uint8

// The memories that threads share.
const (
	Shared Space = iota
	Global
)

// Event is one thing that happened in a cluster.
type Event struct {
	Kind  Kind
	Unit  Unit
	Does  Does
	Space Space
	Reads bool
	Done  bool
	// Strong marks an access that is atomic, volatile or has an order.
	Strong bool
	// Outside marks a copy whose whole box lies outside of its tensor.
	Outside bool

	CTA   int        // rank in the cluster
	Warp  int        // in the CTA
	Lanes uint32     // a bit for each
	Instr *ptx.Instr // of the module, or a copy whose source has the calls around it
	Time  int64      // of the cluster's clock, one tick for each instruction
	Op    int        // number of an asynchronous operation, from 1; 0 for none

	// Addrs are the addresses by lane: in global memory, or an offset in the
	// shared memory of a CTA plus the CTA's rank shifted left by 32.
	Addrs *[32]uint64
	Bytes int // for each lane
	// Data is what a plain store writes to global memory, Bytes for each lane;
	// nil for any other access.
	Data []byte

	Owner              int    // CTA, by rank, in whose shared memory an mbarrier is
	At                 uint32 // offset there
	N, Tx              int
	Missing, MissingTx int
	Phase              uint64

	Regions []Region
	Global  []Rows

	// Of a tensor copy: the parameter that holds the tensor map, "" for a map
	// elsewhere, and the first element of the box, innermost dimension first.
	Tensor string
	Corner []int32
}

// Region is what an asynchronous operation reads or writes of the shared
// memory of one CTA.
type Region struct {
	CTA   int // rank
	Write bool
	// Swizzle is the span in bytes of the pattern in which the unit arranges
	// the bytes, 0 for none.
	Swizzle int
	// Descriptor is the matrix descriptor of a wgmma operand, else 0.
	Descriptor uint64
	// Runs are the bytes exactly; they lie between offsets Low and High. The
	// same operand of wgmma has the same slice each time.
	Runs      []Run
	Low, High uint32
}

// Run is contiguous bytes of shared memory.
type Run struct {
	At    uint32 // offset
	Bytes uint32
}

// Rows is contiguous bytes of global memory.
type Rows struct {
	At    uint64
	Bytes uint64
}

// Launch is what an observer knows of a launch before it begins.
type Launch struct {
	Module      *ptx.Module
	Entry       *ptx.Func
	Grid        [3]int
	Block       [3]int
	Cluster     [3]int
	SharedFirst int // first offset in a CTA's shared memory that is the kernel's
	SharedEnd   int // offset behind its last byte
	Registers   int // per thread, at launch
}

// Observer follows one launch.
type Observer interface {
	// Cluster is called for every cluster when it starts, from any goroutine:
	// the positions of its CTAs in the grid, by rank. A nil Sink does not
	// follow the cluster.
	Cluster(ctas [][3]int) Sink
	// Findings are about the launch as a whole.
	Findings() []Finding
}

// Sink is told what happens in one cluster, in the order in which it happens.
type Sink interface {
	// Take is given one event, whose contents are the caller's again when it
	// returns.
	Take(e *Event)
	// Finish ends the cluster and returns what was found in it. Stuck says
	// that it did not come to the end of its program.
	Finish(stuck bool) []Finding
}
