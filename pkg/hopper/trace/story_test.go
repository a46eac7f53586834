package trace

import (
	"strings"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// The shared memory of the story: two stages of one tile, and their mbarriers.
const (
	tiles = 0x400
	tile  = 4096
	full  = 0x2400
	empty = 0x2410
)

// story tells a recorder the events of a kernel of one CTA: warp 4 loads three
// tiles into a ring of two stages, and warps 0 to 3 multiply them.
type story struct {
	*Recorder
	sink   event.Sink
	module *ptx.Module
	instrs map[string]*ptx.Instr
	now    int64
	ops    int
}

func newStory(limit int) *story {
	m := &ptx.Module{Files: []ptx.File{{Index: 1, Name: "/home/someone/story/kernel.go"}}}
	s := &story{Recorder: New(limit), module: m, instrs: map[string]*ptx.Instr{}}
	o := s.Observe(event.Launch{
		Module: m, Entry: &ptx.Func{Name: "story"},
		Grid: [3]int{2, 1, 1}, Block: [3]int{160, 1, 1}, Cluster: [3]int{1, 1, 1},
	})
	s.sink = o.Cluster([][3]int{{0, 0, 0}})
	return s
}

// tell tells an event of all lanes of a warp, after so many ticks, at an
// instruction, which is on the line of Go that its place in the story gives.
func (s *story) tell(after int64, warp int, instr string, e event.Event) {
	s.now += after
	e.Time, e.Warp = s.now, warp
	if e.Lanes == 0 {
		e.Lanes = 1<<lanes - 1
	}
	in := s.instrs[instr]
	if in == nil {
		parts := strings.Split(instr, ".")
		line := len(s.instrs) + 1
		in = &ptx.Instr{Op: parts[0], Mods: parts[1:], Pos: ptx.Pos{Line: 10 * line, Col: 2}, Src: ptx.Source{File: 1, Line: line}}
		s.instrs[instr] = in
	}
	e.Instr = in
	s.sink.Take(&e)
}

// init makes the mbarriers, and everybody meets at barrier 0.
func (s *story) init() {
	for i := range uint32(2) {
		s.tell(1, 0, "mbarrier.init", event.Event{Kind: event.MbarrierInit, At: full + 8*i, N: 1})
		s.tell(1, 0, "mbarrier.init", event.Event{Kind: event.MbarrierInit, At: empty + 8*i, N: 1})
	}
	for w := range 4 {
		s.tell(1, w+1, "bar.sync", event.Event{Kind: event.BarrierArrive})
		s.tell(0, w+1, "bar.sync", event.Event{Kind: event.Block})
	}
	s.tell(2, 0, "bar.sync", event.Event{Kind: event.BarrierArrive})
	s.tell(0, 0, "bar.sync", event.Event{Kind: event.BarrierLeave})
	for w := range 4 {
		s.tell(1, w+1, "bar.sync", event.Event{Kind: event.BarrierLeave})
	}
}

// load expects and loads a tile, and returns the operation.
func (s *story) load(n int) (op int) {
	stage := uint32(n % 2)
	phase := uint64(n / 2)
	s.tell(2, 4, "mbarrier.arrive.expect_tx", event.Event{Kind: event.MbarrierUpdate, At: full + 8*stage, N: 1, Tx: tile, Phase: phase})
	s.ops++
	at := tiles + tile*stage
	s.tell(1, 4, "cp.async.bulk.tensor", event.Event{
		Kind: event.Start, Unit: event.BulkLoad, Op: s.ops, Bytes: tile, At: full + 8*stage, Tensor: "a", Corner: []int32{int32(64 * n), 0},
		Regions: []event.Region{{Write: true, Low: at, High: at + tile}},
	})
	return s.ops
}

// land is the end of the load of tile n.
func (s *story) land(after int64, n, op int) {
	s.tell(after, 4, "cp.async.bulk.tensor", event.Event{
		Kind: event.MbarrierUpdate, Op: op, At: full + 8*uint32(n%2), Tx: -tile, Phase: uint64(n / 2), Done: true,
	})
}

// await is a wait of a warp for a phase that is not complete yet.
func (s *story) await(warp int, at uint32, phase uint64) {
	s.tell(1, warp, "mbarrier.try_wait", event.Event{Kind: event.MbarrierTry, At: at, Phase: phase})
	s.tell(0, warp, "mbarrier.try_wait", event.Event{Kind: event.Block})
}

func (s *story) seen(warp int, at uint32, phase uint64) {
	s.tell(1, warp, "mbarrier.try_wait", event.Event{Kind: event.MbarrierWait, At: at, Phase: phase + 1})
}

// multiply issues the group of tile n, which completes after so many ticks, and
// waits for it.
func (s *story) multiply(n int, takes int64) {
	s.ops++
	at := tiles + tile*uint32(n%2)
	for w := range 4 {
		s.tell(1, w, "wgmma.mma_async", event.Event{
			Kind: event.Start, Unit: event.TensorCore, Op: s.ops, Regions: []event.Region{{Low: at, High: at + tile}},
		})
		s.tell(1, w, "wgmma.commit_group", event.Event{Kind: event.Commit, Unit: event.TensorCore})
		s.tell(1, w, "wgmma.wait_group", event.Event{Kind: event.Block})
	}
	s.tell(takes, 0, "wgmma.mma_async", event.Event{Kind: event.Complete, Op: s.ops})
	for w := range 4 {
		s.tell(1, w, "wgmma.wait_group", event.Event{Kind: event.WaitGroup, Unit: event.TensorCore})
	}
	s.tell(1, 0, "mbarrier.arrive", event.Event{
		Kind: event.MbarrierUpdate, At: empty + 8*uint32(n%2), N: 1, Phase: uint64(n / 2), Done: true, Lanes: 1,
	})
}

// whole is the story from the beginning to the end.
func whole(limit int) *story {
	s := newStory(limit)
	s.init()
	first, second := s.load(0), s.load(1)
	for w := range 4 {
		s.await(w, full, 0)
	}
	s.await(4, empty, 0)
	s.land(600, 0, first) // longer than the page shows
	for w := range 4 {
		s.seen(w, full, 0)
	}
	s.land(20, 1, second)
	s.multiply(0, 30)
	s.seen(4, empty, 0)
	third := s.load(2)
	for w := range 4 {
		s.seen(w, full+8, 0)
	}
	s.multiply(1, 30)
	for w := range 4 {
		s.await(w, full, 1)
	}
	s.land(50, 2, third)
	for w := range 4 {
		s.seen(w, full, 1)
	}
	s.multiply(2, 30)
	for w := range 4 {
		s.tell(1, w, "st.global.f32", event.Event{Kind: event.Access, Does: event.Write, Space: event.Global})
		s.tell(1, w, "ret", event.Event{Kind: event.Exit})
	}
	s.seen(4, empty+8, 0) // the drain
	s.tell(1, 4, "ret", event.Event{Kind: event.Exit})
	s.sink.Finish(false)
	return s
}
