package sanitize

import (
	"slices"
	"sort"

	"gohopper/pkg/hopper/event"
)

// run is contiguous bytes of shared memory that an asynchronous operation was
// the last to write. Runs do not overlap.
type run struct {
	low, high uint32
	op        *op
}

// read is what an asynchronous operation reads of shared memory. The next one
// of the same unit that reads the same bytes takes its place: a unit's
// operations end in order for those who wait.
type read struct {
	event.Region
	op *op
}

// readKey says which reads take each other's place.
type readKey struct {
	first *event.Run // of a product: its runs, which are shared
	at, n uint32     // of a copy
	unit  event.Unit
	warp  *warp // whose: a product's is the first of the warpgroup
	lanes uint32
}

// readList is the reads of a CTA's shared memory that still matter.
type readList struct {
	list      []read
	index     map[readKey]int
	low, high uint32 // all of them lie between
}

// remember adds a read.
func (l *readList) remember(r read) {
	key := readKey{unit: r.op.unit, warp: r.op.warp, lanes: r.op.lanes}
	if r.op.unit == event.TensorCore {
		key.first, key.lanes = &r.Runs[0], 0
	} else {
		key.at, key.n = r.Low, r.High-r.Low
	}
	if i, ok := l.index[key]; ok {
		l.list[i] = r
		return
	}
	if len(l.list) == mostReads {
		l.prune()
	}
	if len(l.list) == 0 {
		l.index, l.low, l.high = map[readKey]int{}, r.Low, r.High
	}
	l.index[key] = len(l.list)
	l.list = append(l.list, r)
	l.low, l.high = min(l.low, r.Low), max(l.high, r.High)
}

// mostReads bounds the list. A kernel whose copies come from ever new places
// has its oldest reads forgotten.
const mostReads = 4096

func (l *readList) prune() {
	l.list = append([]read(nil), l.list[mostReads/2:]...)
	clear(l.index)
}

// touchRegion is an access of an asynchronous operation.
func (c *cluster) touchRegion(r *event.Region, a *act) {
	t := c.ctas[r.CTA]
	if len(r.Runs) == 0 || int(r.High) > len(t.cells)*granule {
		return // reported by the machine
	}
	a.deed = deed{instr: a.instr, op: a.op, lanes: a.lanes, warp: uint16(a.warp.id)}
	if a.writes {
		a.deed.does = writes
		for _, x := range r.Runs {
			c.checkOverlap(t, x.At, x.Bytes, a)
		}
		c.againstReads(t, r.Low, r.High, r.Runs, a)
	}
	c.againstWritten(t, r.Low, r.High, r.Runs, a)
	c.againstCells(t, r, a)
	switch {
	case a.writes:
		for _, x := range r.Runs {
			t.overwrite(x.At, x.At+x.Bytes, a.op)
		}
	case a.adds:
		t.reads.remember(read{*r, a.op})
	}
}

// againstCells judges an asynchronous operation against what was done through
// the generic proxy. What it writes replaces that.
func (c *cluster) againstCells(t *cta, r *event.Region, a *act) {
	any := false
	for b := r.Low / block; b <= (r.High-1)/block; b++ {
		any = any || t.blocks[b] != 0
	}
	if !any {
		return
	}
	adds := a.adds
	a.adds = false
	for _, x := range r.Runs {
		end := x.At + x.Bytes
		for g := x.At / granule; g <= (end-1)/granule; g++ {
			if t.blocks[g*granule/block] == 0 {
				g |= block/granule - 1
				continue
			}
			a.deed.bytes = bytesOf(max(x.At, g*granule), min(end, (g+1)*granule), g)
			c.touchCell(t, g, a)
		}
	}
	a.adds = adds
}

// againstWritten judges an access to bytes between low and high, those in runs
// only if it has them, against what asynchronous operations wrote there.
func (c *cluster) againstWritten(t *cta, low, high uint32, runs []event.Run, a *act) {
	i := sort.Search(len(t.written), func(i int) bool { return t.written[i].high > low })
	for ; i < len(t.written) && t.written[i].low < high; i++ {
		x := &t.written[i]
		fine := a.over == x.op || c.isOver(x.op, a)
		if fine {
			a.over = x.op
			if x.op.used && a.op == nil {
				continue
			}
		}
		at, hit := meets(runs, x.low, x.high, max(x.low, low))
		if !hit {
			continue
		}
		if !fine {
			c.conflict(t, at, &deed{instr: x.op.instr, op: x.op, lanes: x.op.lanes, warp: uint16(x.op.warp.id), does: writes}, a, unordered)
		}
		if !a.writes {
			x.op.used = true
		}
		if a.op != nil && a.op.unit == event.TensorCore {
			c.checkSwizzle(x.op, a)
		}
	}
}

// againstReads judges a write against what asynchronous operations read.
func (c *cluster) againstReads(t *cta, low, high uint32, runs []event.Run, a *act) {
	if low >= t.reads.high || high <= t.reads.low {
		return
	}
	for i := range t.reads.list {
		r := &t.reads.list[i]
		if r.High <= low || r.Low >= high || r.op == a.op || r.op == a.over {
			continue
		}
		if c.isOver(r.op, a) {
			a.over = r.op
			continue
		}
		if at, hit := r.meets(runs, low, high); hit {
			c.conflict(t, at, &deed{instr: r.op.instr, op: r.op, lanes: r.op.lanes, warp: uint16(r.op.warp.id)}, a, unordered)
		}
	}
}

// meets finds the first byte of runs between low and high; without runs that
// is at.
func meets(runs []event.Run, low, high, at uint32) (uint32, bool) {
	if runs == nil {
		return at, true
	}
	for _, x := range runs {
		if x.At < high && x.At+x.Bytes > low {
			return max(x.At, low), true
		}
	}
	return 0, false
}

// meets finds a byte that a read has in common with runs, or with what lies
// between low and high.
func (r *read) meets(runs []event.Run, low, high uint32) (uint32, bool) {
	if runs == nil {
		return meets(r.Runs, low, high, low)
	}
	for _, x := range runs {
		if at, ok := meets(r.Runs, x.At, x.At+x.Bytes, x.At); ok {
			return at, true
		}
	}
	return 0, false
}

// overwrite makes an operation the last to write the bytes from low to high.
func (t *cta) overwrite(low, high uint32, o *op) {
	i := sort.Search(len(t.written), func(i int) bool { return t.written[i].high > low })
	j := i
	for j < len(t.written) && t.written[j].low < high {
		j++
	}
	if j == i+1 && t.written[i].low == low && t.written[i].high == high {
		t.written[i].op = o
		return
	}
	put := []run{{low, high, o}}
	if i < j {
		if first := t.written[i]; first.low < low {
			put = append([]run{{first.low, low, first.op}}, put...)
		}
		if last := t.written[j-1]; last.high > high {
			put = append(put, run{high, last.high, last.op})
		}
	}
	t.written = slices.Replace(t.written, i, j, put...)
}

// isOver reports whether everybody who takes part in an access may take an
// asynchronous operation for finished.
func (c *cluster) isOver(o *op, a *act) bool {
	for _, x := range a.warp.minds {
		if x.lanes&a.deed.lanes != 0 && !o.over(a, &x.knowledge) {
			return false
		}
	}
	return true
}
