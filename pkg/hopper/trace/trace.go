// Package trace makes a timeline of a kernel that the emulator runs: who
// works, who waits for what, which asynchronous operations are in flight, and
// which phase every mbarrier is in. The file is in the Trace Event format,
// which ui.perfetto.dev and chrome://tracing open.
//
// It reads events and nothing else: it must not know how a kernel is executed
// or which lesson it belongs to, so what it calls a producer, a stage or a
// full barrier it tells from what the kernel does.
//
// # Reading it
//
// A process is a CTA of the first cluster. Its lanes are, from the top: the
// warps that load, the places in shared memory that TMA loads fill, the
// mbarriers that count these loads, the warps that multiply with the tensor
// cores of their warpgroup below them, the other mbarriers, and what TMA
// stores read. A slice of a warp is a wait, or a stretch of work between two
// waits with its most telling instructions inside. Arrows go from an
// instruction to the operation that it starts, and from a completion to the
// wait that it ends.
//
// One microsecond on the page is one tick of the emulator's clock, an
// instruction of some warp of the cluster. Order and overlap are one that the
// hardware allows; lengths are no times.
package trace

import (
	"sync"

	"gohopper/pkg/hopper/event"
)

// Limit is a good limit for New. The file then has at most about 60 MB.
const Limit = 200_000

// Recorder follows the first cluster of the first launch that it observes.
type Recorder struct {
	limit int

	mu      sync.Mutex
	cluster *cluster // nil before the first
}

// New makes a recorder that stops after about so many entries of the file; the
// file then says when that was.
func New(limit int) *Recorder { return &Recorder{limit: limit} }

// Observe is for a machine's configuration. It follows the first launch.
func (r *Recorder) Observe(l event.Launch) event.Observer {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cluster != nil {
		return nil
	}
	r.cluster = &cluster{
		launch: l, limit: r.limit,
		mbarriers: map[place]*mbarrier{}, pending: map[int]*operation{}, met: map[meeting]*step{},
	}
	return observer{r.cluster}
}

// observer follows one launch.
type observer struct{ first *cluster }

// Cluster follows the cluster at the grid's origin.
func (o observer) Cluster(ctas [][3]int) event.Sink {
	if ctas[0] != [3]int{} {
		return nil
	}
	o.first.begin(ctas)
	return o.first
}

// Findings has none: a timeline judges nothing.
func (o observer) Findings() []event.Finding { return nil }
