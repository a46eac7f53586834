package emu

import (
	"math/rand/v2"

	"gohopper/pkg/hopper/emu/tensor"
	"gohopper/pkg/hopper/event"
)

// cluster is 1 to 16 CTAs that one goroutine at a time simulates, in an order
// that the seed fixes. Everything in it is touched by that goroutine alone.
type cluster struct {
	launch *launch
	index  int    // in the launch's order of clusters
	at     [3]int // %clusterid
	ctas   []*cta // by rank
	warps  []*warp

	running *warp // executing an instruction; nil in between
	now     int64 // one tick per instruction executed
	events  eventQueue
	random  *rand.Rand

	found    findings
	faults   int    // out-of-bounds and misaligned accesses
	progress uint64 // counts what another actor could be waiting for
	reads    uint64 // counts reads of global memory, which another cluster may write
	stores   uint64 // counts stores to shared and global memory
	recent   *block // global memory that was used last
	watching bool   // stores that change memory count as progress: see quiet
	quiet    quiet
	lazy     bool   // its last turn changed nothing
	idle     uint64 // grid.version+1 when it last had nothing to do

	phase uint64 // of the cluster barrier

	panels  *panels        // scratch memory for products of wgmma, nil until the first
	scratch tensor.Scratch // for all products

	sink     event.Sink                  // nil: nobody follows the cluster
	told     event.Event                 // handed to the sink
	stored   []byte                      // what a store writes, for the sink
	addrs    [lanes]uint64               // that it points to
	operands map[operandKey]event.Region // of wgmma, that the sink was told of
	ops      int                         // asynchronous operations that the sink was told of
}

// cta is a thread block.
type cta struct {
	cluster *cluster
	at      [3]int // %ctaid
	rank    int    // in the cluster
	linear  int    // in the grid
	warps   []*warp
	alive   int // warps with a live lane
	shared  *block

	barriers  [16]barrier          // named barriers
	mbarriers map[uint32]*mbarrier // by shared offset
	pool      [schedulers]int      // registers that setmaxnreg has freed, in each part of the file

	warpgroups []*warpgroup // by number; nil until one uses the tensor cores
}

// exited notes that lanes of w have ended.
func (c *cta) exited(w *warp) {
	if w.live == 0 {
		c.alive--
		c.cluster.progress++
		if c.alive == 0 {
			c.checkBulk()
		}
	}
	for i := range c.barriers {
		c.barriers[i].settle(c)
	}
	c.cluster.settleBarrier()
}

// live is the number of threads of the CTA that have not exited.
func (c *cta) live() int {
	n := 0
	for _, w := range c.warps {
		n += w.live.count()
	}
	return n
}
