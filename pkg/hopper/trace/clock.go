package trace

import (
	"cmp"
	"slices"
)

// clock leaves out of the page what nobody would look at: while all warps wait
// the emulator's clock jumps, and one late copy may be worth more ticks than
// the rest of the kernel.
type clock struct{ gaps []gap }

// gap is ticks after from and up to to in which nothing happens.
type gap struct {
	from, to int64
	before   int64 // ticks that are left out before this gap
}

// longest is the ticks without an event that are still drawn as they are.
const longest = 256

// left is how many ticks of the gap are left out.
func (g gap) left() int64 { return g.to - g.from - longest }

// pass notes that the next event after tick from is at tick to.
func (k *clock) pass(from, to int64) {
	if to-from <= longest {
		return
	}
	g := gap{from: from, to: to}
	if n := len(k.gaps); n > 0 {
		g.before = k.gaps[n-1].before + k.gaps[n-1].left()
	}
	k.gaps = append(k.gaps, g)
}

// page is where a tick is drawn. An instruction's beginning, a tick before an
// event, stays with it.
func (k *clock) page(tick int64) float64 {
	i, _ := slices.BinarySearchFunc(k.gaps, tick, func(g gap, tick int64) int { return cmp.Compare(g.from+longest/2, tick) })
	if i == 0 {
		return float64(tick)
	}
	g := k.gaps[i-1]
	into := min(tick-(g.from+longest/2), g.left())
	return float64(tick - g.before - into)
}
