package sanitize

import (
	"iter"
	"math/bits"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// granule is how many bytes of shared memory have a cell of the shadow
// together: what the swizzles, ldmatrix and the copy engines move as one.
const granule = 16

// deed is an access to some bytes of a granule that still matters: the last
// write of them, or a read since.
type deed struct {
	instr *ptx.Instr
	op    *op // nil: the threads did it themselves
	lanes uint32
	time  uint32
	warp  uint16 // in the cluster
	bytes uint16 // of the granule, a bit each
	each  uint8  // the lanes follow each other by so many bytes; 0: all touch all of them
	from  uint8  // with each: the byte at which the first lane begins
	does  uint8
}

// What a deed does, as bits.
const (
	writes uint8 = 1 << iota
	strong       // atomic, volatile or with an order: two of them make no race
)

// act is an access that happens now, over any number of bytes.
type act struct {
	op      *op // nil or a cp.async: through the generic proxy
	warp    *warp
	lanes   uint32
	instr   *ptx.Instr
	each    uint8
	writes  bool
	strong  bool
	adds    bool // remember it
	swizzle int  // of a product's operand

	deed   deed // what is remembered, and whose lanes are meant
	judged deed // the deed that was last found in order, which needs no second look
	over   *op  // the operation that was last found in order
}

// async reports whether the access is through the asynchronous proxy.
func (a *act) async() bool { return a.op != nil && a.op.unit != event.CopyAsync }

// cta is what the sanitizer keeps of a CTA.
type cta struct {
	at       [3]int
	rank     int
	warps    []*warp
	groups   []*warpgroup
	bars     []*mbarrier
	barriers [16]barrier
	ended    *knowledge // of its threads when they ended
	last     who        // of its threads to end

	// What was done to its shared memory through the generic proxy, by granule,
	// and how many granules of each block have anything; then what the
	// asynchronous operations wrote and read.
	cells   [][]deed
	blocks  []int32
	written []run
	reads   readList
}

// block is how many bytes a counter of cells stands for.
const block = 64 * granule

func eachLane(m uint32) iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; m != 0; m &= m - 1 {
			if !yield(bits.TrailingZeros32(m)) {
				return
			}
		}
	}
}

// lane is the first lane of m.
func lane(m uint32) int { return bits.TrailingZeros32(m) }

// access is what threads do through the generic proxy.
func (c *cluster) access(e *event.Event, w *warp) {
	a := act{warp: w, lanes: e.Lanes, instr: e.Instr, writes: e.Does != event.Read, strong: e.Strong, adds: true}
	if e.Space == event.Global {
		c.accessGlobal(e, &a)
		if !e.Strong {
			c.touchGlobal(e, w)
			c.voice.releases = c.voice.releases || a.writes && c.fenced // old code sets flags so
		}
	} else {
		c.touchLanes(e, a)
	}
	if e.Strong {
		c.synchronise(e, w)
	}
}

// touchLanes is an access with an address for each lane: it takes lanes whose
// bytes follow each other, or are the same, together.
func (c *cluster) touchLanes(e *event.Event, a act) {
	n := uint64(e.Bytes)
	for m := e.Lanes; m != 0; {
		first := lane(m)
		at, last := e.Addrs[first], first
		group := uint32(1) << first
		step := uint64(0)
		for l := first + 1; l < 32 && m>>l&1 != 0; l++ {
			d := e.Addrs[l] - e.Addrs[last]
			if d != 0 && d != n || group&(group-1) != 0 && d != step {
				break
			}
			step, last = d, l
			group |= 1 << l
		}
		m &^= group
		a.lanes, a.each = group, 0
		length := n
		if step != 0 {
			a.each = uint8(n)
			length = n * uint64(bits.OnesCount32(group))
		}
		if rank := int(at >> 32); rank != a.warp.cta {
			c.peerTouched(a.warp, group, rank, a.op)
		}
		c.touch(int(at>>32), uint32(at), uint32(length), &a)
	}
}

// touch is an access to n bytes at an offset in a CTA's shared memory, through
// the generic proxy.
func (c *cluster) touch(rank int, at, n uint32, a *act) {
	t := c.ctas[rank]
	end := at + n
	if int(end) > len(t.cells)*granule {
		return // reported by the machine
	}
	a.deed = deed{instr: a.instr, op: a.op, lanes: a.lanes, time: a.warp.now(), warp: uint16(a.warp.id), each: a.each}
	if a.writes {
		a.deed.does |= writes
		c.checkOverlap(t, at, n, a)
		c.againstReads(t, at, end, nil, a)
	}
	if a.strong {
		a.deed.does |= strong
	}
	c.againstWritten(t, at, end, nil, a)
	for g := at / granule; g <= (end-1)/granule; g++ {
		lo, hi := max(at, g*granule), min(end, (g+1)*granule)
		a.deed.from = uint8(lo - g*granule)
		a.deed.bytes = bytesOf(lo, hi, g)
		if a.each != 0 { // the lanes whose bytes these are
			i, j := (lo-at)/uint32(a.each), (hi-1-at)/uint32(a.each)
			a.deed.lanes = nth(a.lanes, i, j)
		}
		c.touchCell(t, g, a)
	}
}

// bytesOf is the bytes from lo to hi of granule g, a bit each.
func bytesOf(lo, hi, g uint32) uint16 { return uint16(1<<(hi-g*granule) - 1<<(lo-g*granule)) }

// nth is the lanes of m from its i-th to its j-th; they follow each other.
func nth(m uint32, i, j uint32) uint32 {
	first := uint32(lane(m))
	return uint32(uint64(1)<<(first+j+1) - uint64(1)<<(first+i))
}

// touchCell judges an access against what a granule's cell remembers, and
// remembers it if it is through the generic proxy. What the asynchronous proxy
// writes, it forgets.
func (c *cluster) touchCell(t *cta, g uint32, a *act) {
	list, d := t.cells[g], &a.deed
	had := len(list)
	kept := list[:0]
	for i := range list {
		e := &list[i]
		common := e.bytes & d.bytes
		if common == 0 {
			kept = append(kept, *e)
			continue
		}
		isWrite := e.does&writes != 0
		if (isWrite || a.writes) && e.does&d.does&strong == 0 && !a.judged.same(e) {
			if how := c.relation(e, a, common); how != ordered {
				c.conflict(t, g*granule, e, a, how)
			}
			a.judged = *e
		}
		if a.writes || a.adds && !isWrite && e.actor(d) {
			e.bytes &^= d.bytes
		}
		if e.bytes != 0 {
			kept = append(kept, *e)
		}
	}
	if a.adds {
		kept = append(kept, *d)
	}
	t.cells[g] = kept
	switch {
	case had == 0 && len(kept) > 0:
		t.blocks[g*granule/block]++
	case had > 0 && len(kept) == 0:
		t.blocks[g*granule/block]--
	}
}

// same reports whether two deeds were one access of the same lanes.
func (d *deed) same(e *deed) bool {
	return d.op == e.op && d.time == e.time && d.warp == e.warp && d.lanes == e.lanes && d.instr == e.instr && d.does == e.does
}

// actor reports whether a later read o by the same threads makes the read d
// forgettable.
func (d *deed) actor(o *deed) bool {
	return d.op == o.op && d.warp == o.warp && d.lanes == o.lanes && d.each == o.each
}
