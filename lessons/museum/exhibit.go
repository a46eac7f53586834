package main

import (
	"fmt"
	"regexp"
	"strings"

	"gohopper/pkg/hopper/ptx"
	"gohopper/pkg/hopper/sanitize"
)

// Exhibit is one bug that somebody met in public, committed again in a kernel
// of the museum. Its story is in the page of the same name, ID.md.
type Exhibit struct {
	ID     string   // "b04"
	Title  string   // the mistake in one line
	Seen   []string // addresses of what was made public about it
	Task   string   // for the reader
	Rule   string   // of the sanitizer, that names it
	Lesson string   // that explains what was forgotten: "v6"
	Base   base     // the kernel that commits it
	Fault  Fault    // how
	// Edit changes the PTX of the faulty form, where the vocabulary has no
	// word for the mistake; nil for no change.
	Edit *strings.Replacer
}

// program records the kernel, faulty or repaired, and prints its PTX.
func (e Exhibit) program(repaired bool) (program, error) {
	f := e.Fault
	if repaired {
		f = None
	}
	k := e.Base.record(f)
	m, err := k.Module()
	if err != nil {
		return program{}, err
	}
	p := program{ptx.Print(m), k.Name(), k.ThreadsPerCTA(), k.SharedBytes()}
	if !repaired && e.Edit != nil {
		p.text = e.Edit.Replace(p.text)
	}
	return p, nil
}

var idPattern = regexp.MustCompile(`^([br])0*([1-9][0-9]?)$`)

// find looks an exhibit up: "b4" and "b04" are the same.
func find(id string) (Exhibit, error) {
	if m := idPattern.FindStringSubmatch(strings.ToLower(id)); m != nil {
		id = fmt.Sprintf("%s%02s", m[1], m[2])
	}
	for _, e := range exhibits() {
		if e.ID == id {
			return e, nil
		}
	}
	return Exhibit{}, fmt.Errorf("there is no exhibit %q: without a name, the program lists them", id)
}

//region expect

// withoutArrival takes the arrival out of every announcement of bytes.
func withoutArrival() *strings.Replacer {
	return strings.NewReplacer("mbarrier.arrive.expect_tx.shared::cta.b64 _,", "mbarrier.expect_tx.relaxed.cta.shared::cta.b64")
}

//endregion expect

// exhibits is the museum, in the order of its rooms.
func exhibits() []Exhibit {
	return []Exhibit{
		{
			ID: "b01", Title: "the TMA store may read what was there before", Rule: sanitize.ProxyFence, Lesson: "v6", Base: ringBase(), Fault: NoStoreFence,
			Seen: []string{"https://github.com/MoonshotAI/FlashKDA/issues/24", "https://github.com/MoonshotAI/FlashKDA/pull/25"},
			Task: "There is a barrier between the stores and the copy. Say why it is not enough, and put one instruction where it belongs.",
		},
		{
			ID: "b02", Title: "the next load overtakes ordinary reads", Rule: sanitize.StageReuse, Lesson: "v0", Base: warpsBase(), Fault: ReadsUnmet,
			Seen: []string{"https://github.com/deepseek-ai/DeepEP/issues/621", "https://github.com/deepseek-ai/DeepEP/pull/632", "https://github.com/deepseek-ai/DeepEP/pull/642"},
			Task: "Draw two lanes, the warp that reads and the thread that loads, and the arrow that is missing between them.",
		},
		{
			ID: "b03", Title: "wgmma multiplies by a tile that ordinary stores wrote", Rule: sanitize.ProxyFence, Lesson: "v1", Base: chainBase(), Fault: NoOperandFence,
			Seen: []string{"https://github.com/tile-ai/tilelang/issues/2634"},
			Task: "No run gives a wrong answer, here or on a GPU. Argue from the memory model that it is a mistake all the same.",
		},
		{
			ID: "b04", Title: "a stage is given back while wgmma still reads it", Rule: sanitize.ReleasedEarly, Lesson: "v5", Base: ringBase(), Fault: ReleaseUnread,
			Seen: []string{"https://github.com/NVIDIA/Fuser/issues/3561", "https://github.com/NVIDIA/Fuser/pull/3573", "https://github.com/NVIDIA/Fuser/pull/3616"},
			Task: "Which wait covers which product? Give back the newest stage that is safe to give back, and keep one product in flight.",
		},
		{
			ID: "b05", Title: "one warpgroup waits for its own products only", Rule: sanitize.WaitWarpgroup, Lesson: "v4", Base: chainBase(), Fault: OwnWaitOnly,
			Seen: []string{"https://github.com/triton-lang/triton/issues/11047", "https://github.com/NVIDIA/Fuser/pull/3865", "https://github.com/tile-ai/tilelang/issues/2613"},
			Task: "Both warpgroups have waited before either writes. Say what the wait does not tell one about the other.",
		},
		{
			ID: "b06", Title: "a wait by threads that have committed nothing", Rule: sanitize.WaitThread, Lesson: "v6", Base: ringBase(), Fault: WaitByAll,
			Seen: []string{"https://github.com/NVIDIA/TransformerEngine/pull/3417", "https://github.com/NVIDIA/TransformerEngine/pull/2695"},
			Task: "All 128 threads wait. How many of them wait for something?",
		},
		{
			ID: "b07", Title: "the right wait with the wrong number", Rule: sanitize.WaitCount, Lesson: "v7", Base: ringBase(), Fault: WaitOneLess,
			Seen: []string{"https://github.com/deepseek-ai/DeepEP/issues/657", "https://github.com/deepseek-ai/DeepEP/pull/660"},
			Task: "The staging ring has two slabs. Count the stores in flight at the moment when a slab is refilled, then correct the number.",
		},
		{
			ID: "b08", Title: "the next tile's output over the last tile's store", Rule: sanitize.StoreInFlight, Lesson: "v6", Base: ringBase(), Fault: NoStoreWait,
			Seen: []string{"https://github.com/tile-ai/TileOPs/pull/1550"},
			Task: "With how few tiles for each CTA could a test not see this? Choose a shape for the test that must.",
		},
		{
			ID: "b09", Title: "a leader refills what its peer still reads", Rule: sanitize.PeerReuse, Lesson: "v6", Base: ringBase(), Fault: OwnRelease,
			Seen: []string{"https://github.com/inclusionAI/humming/issues/53", "https://github.com/inclusionAI/humming/pull/54", "https://github.com/inclusionAI/humming/pull/56"},
			Task: "Whose readers does the producer wait for, and whose memory does it write? One release tells too few of them.",
		},
		{
			ID: "b10", Title: "a CTA ends while its peer still reaches into it", Rule: sanitize.PeerExit, Lesson: "v6", Base: ringBase(), Fault: EarlyEnd,
			Seen: []string{"https://github.com/facebookexperimental/triton/pull/1105", "https://github.com/sgl-project/sglang/issues/32907", "https://github.com/triton-lang/triton/issues/11730"},
			Task: "Every CTA has computed all it should. What does it still owe its peer?",
		},
		{
			ID: "b11", Title: "an arrival at a barrier that may not exist yet", Rule: sanitize.PeerStart, Lesson: "v6", Base: ringBase(), Fault: EarlyStart,
			Seen: []string{"https://github.com/facebookexperimental/triton/pull/2292", "https://github.com/facebookexperimental/triton/pull/1240", "https://github.com/apache/tvm/pull/20074", "https://github.com/sgl-project/sglang/pull/38829"},
			Task: "The initialisation is fenced and followed by a barrier. Find out for whom.",
		},
		{
			ID: "b12", Title: "bytes are expected and nobody arrives", Rule: sanitize.MbarrierCount, Lesson: "v3", Base: ringBase(), Fault: ExpectOnly, Edit: withoutArrival(),
			Seen: []string{"https://github.com/tile-ai/tilelang/issues/2566"},
			Task: "All bytes have come and the phase does not end. Say what a phase waits for besides bytes.",
		},
		{
			ID: "b13", Title: "the parity of the wrong counter", Rule: sanitize.StalePhase, Lesson: "v2", Base: ringBase(), Fault: ParityOfTile,
			Seen: []string{"https://github.com/tile-ai/tilelang/pull/3087", "https://github.com/tile-ai/tilelang/issues/2927"},
			Task: "Write down stage, phase and parity for the first seven slices of a ring of three, as they are waited for and as they should be.",
		},
		{
			ID: "b14", Title: "a barrier that laps its waiters", Rule: sanitize.Lapped, Lesson: "v2", Base: chainBase(), Fault: TurnUnmet,
			Seen: []string{"https://github.com/triton-lang/triton/pull/10035"},
			Task: "No tile is ever loaded over another, so the barrier between the turns seems to protect nothing. What does it protect?",
		},
		{
			ID: "b15", Title: "two warpgroups meet at one named barrier", Rule: sanitize.NamedBarrier, Lesson: "v6", Base: ringBase(), Fault: OneBarrierForAll,
			Seen: []string{"https://github.com/deepseek-ai/FlashMLA/pull/57", "https://github.com/facebookexperimental/triton/pull/1040", "https://github.com/vllm-project/vllm/pull/26026"},
			Task: "The barrier counts 128 threads and each warpgroup has 128. Find four warps that may pass it together and should not.",
		},
		{
			ID: "b16", Title: "more registers than the CTA has", Rule: sanitize.RegisterPool, Lesson: "v6", Base: ringBase(), Fault: GreedyRegisters,
			Seen: []string{"https://github.com/NVIDIA/cutlass/issues/2007", "https://github.com/tile-ai/tilelang/issues/2559", "https://github.com/pytorch/helion/pull/3620"},
			Task: "Do the sum before the run: three warpgroups, what each had and what each asks for. What is the most that the consumers can have?",
		},
		{
			ID: "b17", Title: "the accumulator is read while the last product runs", Rule: sanitize.Accumulator, Lesson: "v5", Base: ringBase(), Fault: ReadBeforeWait,
			Seen: []string{"https://github.com/NVIDIA/cutlass/issues/1840", "https://github.com/NVIDIA/TensorRT-LLM/issues/2116"},
			Task: "One group may stay in flight in the loop. Where must none be left?",
		},
		{
			ID: "b18", Title: "TMA and wgmma disagree about the swizzle", Rule: sanitize.Swizzle, Lesson: "v1", Base: ringBase(), Fault: PlainMap,
			Seen: []string{"https://github.com/tile-ai/tilelang/issues/2379", "https://github.com/NVIDIA/Fuser/pull/4096", "https://github.com/cloudrift-ai/emmy/pull/200", "https://github.com/Neroued/ninfer/issues/167", "https://github.com/KnowingNothing/MatmulTutorial/issues/14"},
			Task: "The kernel is the same in both forms. Find what differs, and say why a test with a constant matrix would pass.",
		},
		{
			ID: "b19", Title: "loads that nobody wants", Rule: sanitize.OutsideTensor, Lesson: "v3", Base: ringBase(), Fault: LoadsInDrain,
			Seen: []string{"https://github.com/NVIDIA/cutlass/issues/2944", "https://github.com/NVIDIA/cutlass/pull/2945", "https://github.com/triton-lang/triton/issues/7385", "https://github.com/triton-lang/triton/issues/10629"},
			Task: "Filling with zeros is legal. Say when such a load is a kindness of the hardware, and when it is a step too many.",
		},
		{
			ID: "b20", Title: "a barrier inside a tile", Rule: sanitize.Overlap, Lesson: "v6", Base: ringBase(), Fault: ShortRing,
			Seen: []string{"https://github.com/deepseek-ai/DeepGEMM/issues/121", "https://github.com/deepseek-ai/DeepGEMM/pull/122", "https://github.com/deepseek-ai/DeepGEMM/issues/110", "https://github.com/deepseek-ai/DeepGEMM/pull/345", "https://github.com/NVIDIA/tilus/pull/159"},
			Task: "Add up the shared memory, object by object, and find the one that has two owners.",
		},
		{
			ID: "r01", Title: "more bytes are expected than come", Rule: sanitize.MbarrierBytes, Lesson: "v1", Base: ringBase(), Fault: BytesTooMany,
			Seen: []string{"https://github.com/NVIDIA/cutlass/pull/3314"},
			Task: "From expected and brought, work out the mistake in the formula before you look at it.",
		},
		{
			ID: "r02", Title: "no wgmma.fence between ordinary code and the products", Rule: sanitize.WgmmaFence, Lesson: "v1", Base: ringBase(), Fault: NoWgmmaFence,
			Seen: []string{"https://github.com/NVIDIA/Fuser/pull/3139", "https://github.com/NVIDIA/Fuser/pull/3680", "https://github.com/HazyResearch/ThunderKittens/pull/34"},
			Task: "Which registers are written by ordinary instructions and then by wgmma? Where would the assembler have to put the fence?",
		},
	}
}
