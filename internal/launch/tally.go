package launch

import (
	"math/bits"
	"sync"

	"gohopper/pkg/hopper/event"
)

// Count is how often a launch did something.
type Count struct {
	What  string `json:"what"`
	Times int64  `json:"times"`
	Bytes int64  `json:"bytes"` // 0 for what moves none
}

// deed is something that is counted.
type deed int

const (
	bulkLoads deed = iota
	bulkStores
	asyncCopies
	asyncStores
	products
	phases
	sharedReads
	sharedWrites
	sharedUpdates
	globalReads
	globalWrites
	globalUpdates
	deeds
)

func (d deed) String() string {
	return [deeds]string{
		"bulk copies into shared memory", "bulk copies out of shared memory", "cp.async", "st.async and red.async",
		"wgmma", "phases of mbarriers completed",
		"reads of shared memory", "writes to shared memory", "atomics on shared memory",
		"reads of global memory", "writes to global memory", "atomics on global memory",
	}[d]
}

// tally counts what a launch does. Threads of a warp that act at once count
// once, and a wgmma counts once for its warpgroup.
type tally struct {
	mu     sync.Mutex // clusters run at the same time
	counts [deeds]Count
}

// Cluster follows a cluster.
func (t *tally) Cluster([][3]int) event.Sink { return &clusterTally{of: t} }

// Findings are none.
func (t *tally) Findings() []event.Finding { return nil }

// list is the counts that are not 0.
func (t *tally) list() []Count {
	list := []Count{}
	for d, c := range t.counts {
		if c.Times > 0 {
			c.What = deed(d).String()
			list = append(list, c)
		}
	}
	return list
}

// clusterTally counts what one cluster does.
type clusterTally struct {
	of     *tally
	counts [deeds]Count
}

func (c *clusterTally) add(d deed, bytes int) {
	c.counts[d].Times++
	c.counts[d].Bytes += int64(bytes)
}

// Take counts an event.
func (c *clusterTally) Take(e *event.Event) {
	lanes := bits.OnesCount32(e.Lanes)
	switch {
	case e.Kind == event.MbarrierUpdate && e.Done:
		c.add(phases, 0)
	case e.Kind == event.Access:
		first := sharedReads
		if e.Space == event.Global {
			first = globalReads
		}
		c.add(first+deed(e.Does), lanes*e.Bytes)
	case e.Kind == event.Start:
		switch e.Unit {
		case event.BulkLoad:
			c.add(bulkLoads, e.Bytes)
		case event.BulkStore:
			c.add(bulkStores, e.Bytes)
		case event.CopyAsync:
			c.add(asyncCopies, lanes*e.Bytes)
		case event.StoreAsync:
			c.add(asyncStores, e.Bytes)
		case event.TensorCore:
			if e.Warp%4 == 0 { // every warp of the four tells it
				c.add(products, 0)
			}
		}
	}
}

// Finish adds the cluster to the launch.
func (c *clusterTally) Finish(bool) []event.Finding {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	for d, n := range c.counts {
		c.of.counts[d].Times += n.Times
		c.of.counts[d].Bytes += n.Bytes
	}
	return nil
}
