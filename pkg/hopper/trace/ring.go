package trace

import (
	"maps"
	"slices"

	"gohopper/pkg/hopper/event"
)

// ring is what can be told of the shared memory that loads fill: its slots,
// the mbarriers that count what comes into them, and, if all of it is regular,
// which stage each belongs to. CTAs of a cluster use the same offsets.
type ring struct {
	slots       []slot // by offset
	full, empty []uint32
	stages      int // 0: it cannot be told
}

// slot is a place that loads fill, as long as its longest load.
type slot struct {
	lo, hi uint32
	full   uint32 // the mbarrier that counts its bytes
	tensor string // "" if loads from several fill it
	mixed  bool   // several mbarriers count them
}

// findRing looks at all loads, and at what the warps that issue them wait for.
func findRing(c *cluster) ring {
	slots := map[uint32]*slot{}
	full := map[uint32]bool{}
	for _, o := range c.operations {
		if o.unit != event.BulkLoad {
			continue
		}
		full[o.bar.at] = true
		s := slots[o.lo.at]
		if s == nil {
			slots[o.lo.at] = &slot{o.lo.at, o.hi.at, o.bar.at, o.tensor, false}
			continue
		}
		s.hi = max(s.hi, o.hi.at)
		s.mixed = s.mixed || s.full != o.bar.at
		if s.tensor != o.tensor {
			s.tensor = ""
		}
	}
	empty := map[uint32]bool{}
	for _, w := range c.warps {
		if w.loads == 0 {
			continue
		}
		for _, x := range w.waits {
			if x.kind == event.MbarrierWait && !full[x.bar.at] {
				empty[x.bar.at] = true
			}
		}
		for _, s := range w.steps {
			if s.kind == event.MbarrierWait && !full[s.bar.at] {
				empty[s.bar.at] = true
			}
		}
	}
	r := ring{full: slices.Sorted(maps.Keys(full)), empty: slices.Sorted(maps.Keys(empty))}
	for _, at := range slices.Sorted(maps.Keys(slots)) {
		r.slots = append(r.slots, *slots[at])
	}
	used := len(r.full)
	r.extend(c)
	if r.regular(r.full[:used]) {
		r.stages = len(r.full)
	}
	return r
}

// extend adds the full mbarriers of stages that no load has reached: a short
// product does not go round the ring, but its drain waits for every stage.
func (r *ring) extend(c *cluster) {
	if len(r.full) == 0 || len(r.empty) < 2 || !even(r.empty) {
		return
	}
	for len(r.full) < len(r.empty) {
		next := r.full[len(r.full)-1] + r.empty[1] - r.empty[0]
		if c.mbarriers[place{0, next}] == nil || slices.Contains(r.empty, next) {
			return
		}
		r.full = append(r.full, next)
	}
}

// regular reports whether the full mbarriers stand side by side and each of
// those that are used counts the same number of slots, which no other does, at
// a constant distance from those of its neighbour.
func (r ring) regular(used []uint32) bool {
	if len(r.full) < 2 || !even(r.full) {
		return false
	}
	of := map[uint32][]uint32{}
	for _, s := range r.slots {
		if s.mixed {
			return false
		}
		of[s.full] = append(of[s.full], s.lo)
	}
	for i := range of[used[0]] {
		var column []uint32
		for _, bar := range used {
			if len(of[bar]) != len(of[used[0]]) {
				return false
			}
			column = append(column, of[bar][i])
		}
		if !even(column) {
			return false
		}
	}
	return true
}

// even reports whether offsets rise by a constant.
func even(at []uint32) bool {
	for i := 1; i < len(at); i++ {
		if at[i] <= at[i-1] || at[i]-at[i-1] != at[1]-at[0] {
			return false
		}
	}
	return true
}

// stageOf is the stage that a full or empty mbarrier belongs to; -1 if that
// cannot be told.
func (r ring) stageOf(bar uint32) int {
	if r.stages == 0 {
		return -1
	}
	i := slices.Index(r.full, bar)
	if i < 0 && len(r.empty) == r.stages && even(r.empty) {
		i = slices.Index(r.empty, bar)
	}
	return i
}

// reads is the stage in whose slots an offset lies, or -1.
func (r ring) reads(at uint32) int {
	for _, s := range r.slots {
		if s.lo <= at && at < s.hi {
			return r.stageOf(s.full)
		}
	}
	return -1
}
