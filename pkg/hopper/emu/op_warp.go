package emu

import (
	"fmt"
	"math/bits"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// warpForms exchange values between the lanes of a warp (PTX 9.7.9.6,
// 9.7.13.8 to .15).
var warpForms = map[string][]form{
	"shfl":       {{"sync up|down|bfly|idx b32", compileShuffle}},
	"vote":       {{"sync all|any|uni pred", compileVote}, {"sync ballot b32", compileVote}},
	"match":      {{"any|all sync b32|b64", compileMatch}},
	"redux":      {{"sync add|min|max u32|s32", compileRedux}, {"sync and|or|xor b32", compileRedux}},
	"elect":      {{"sync", compileElect}},
	"activemask": {{"b32", compileActivemask}},
}

// members gives op the lanes of each membermask that lanes of m name, once all
// of them stand here. Lanes with different masks make separate exchanges.
func members(c *compiler, o ptx.Operand, exchange func(w *warp, m mask)) op {
	row := c.src32(o)
	return func(w *warp, m mask) *wait {
		for rest := m; rest != 0; {
			lane := rest.first()
			named := mask(w.r[row][lane])
			if named>>lane&1 == 0 {
				w.report(1<<lane, event.Finding{
					Rule: "membermask", Severity: event.Error,
					Message: fmt.Sprintf("lane %d is not in its own membermask %#x", lane, uint32(named)),
				})
				named |= 1 << lane
			}
			if wt := w.converge(named); wt != nil {
				return wt
			}
			rest &^= named
		}
		for rest := m; rest != 0; {
			lane := rest.first()
			named := mask(w.r[row][lane]) | 1<<lane
			var same mask
			for l := range lanes {
				if rest>>l&1 != 0 && (mask(w.r[row][l]) == named || l == lane) {
					same |= 1 << l
				}
			}
			w.tell(same, event.Event{Kind: event.WarpExchange})
			exchange(w, same)
			rest &^= same
		}
		return nil
	}
}

// compileShuffle compiles shfl.sync: "d|p, a, b, c, membermask".
func compileShuffle(c *compiler, in *ptx.Instr) op {
	args := c.args(5, 5)
	if !in.Has("sync") || !in.Has("b32") || len(in.Mods) != 3 {
		return c.unsupported()
	}
	d, p := c.pair(args[0])
	a, b, clamp := c.src32(args[1]), c.src32(args[2]), c.src32(args[3])
	mode := in.Mods[1]
	switch mode {
	case "up", "down", "bfly", "idx":
	default:
		return c.unsupported()
	}
	return members(c, args[4], func(w *warp, m mask) {
		old := w.r[a]
		for lane := range lanes {
			if m>>lane&1 == 0 {
				continue
			}
			from, ok := shuffleSource(mode, lane, w.r[b][lane], w.r[clamp][lane])
			if ok && m>>from&1 == 0 {
				w.report(1<<lane, event.Finding{
					Rule: "membermask", Severity: event.Error,
					Message: fmt.Sprintf("lane %d reads from lane %d, which does not take part", lane, from),
				})
			}
			w.r[d][lane] = old[from]
			if ok {
				w.p[p] |= 1 << lane
			} else {
				w.p[p] &^= 1 << lane
			}
		}
	})
}

// shuffleSource is the lane that a lane reads from and whether it is in range
// (PTX 9.7.9.6).
func shuffleSource(mode string, lane int, b, c uint32) (from int, ok bool) {
	offset, segment, clamp := int(b&31), int(c>>8&31), int(c&31)
	most := lane&segment | clamp&^segment
	least := lane & segment
	switch mode {
	case "up":
		from = lane - offset
		ok = from >= most
	case "down":
		from = lane + offset
		ok = from <= most
	case "bfly":
		from = lane ^ offset
		ok = from <= most
	default:
		from = least | offset&^segment
		ok = from <= most
	}
	if !ok {
		from = lane
	}
	return from, ok
}

// pair splits the destination "d|p"; without "|p" the predicate is a sink.
func (c *compiler) pair(o ptx.Operand) (d, p int) {
	if o, ok := o.(ptx.Pair); ok {
		return c.dst32(o.A), c.dstPred(o.B)
	}
	return c.dst32(o), c.dstPred(ptx.Sink{})
}

// compileVote compiles vote.sync.
func compileVote(c *compiler, in *ptx.Instr) op {
	args := c.args(3, 3)
	if len(in.Mods) != 3 || in.Mods[0] != "sync" {
		return c.unsupported()
	}
	p, not := c.srcPred(args[1])
	votes := func(w *warp, m mask) mask {
		v := w.p[p]
		if not {
			v = ^v
		}
		return v & m
	}
	if in.Mods[1] == "ballot" {
		d := c.dst32(args[0])
		return members(c, args[2], func(w *warp, m mask) { w.spread(d, m, uint32(votes(w, m))) })
	}
	var decide func(yes, m mask) bool
	switch in.Mods[1] {
	case "all":
		decide = func(yes, m mask) bool { return yes == m }
	case "any":
		decide = func(yes, m mask) bool { return yes != 0 }
	case "uni":
		decide = func(yes, m mask) bool { return yes == 0 || yes == m }
	default:
		return c.unsupported()
	}
	d := c.dstPred(args[0])
	return members(c, args[2], func(w *warp, m mask) {
		if decide(votes(w, m), m) {
			w.p[d] |= m
		} else {
			w.p[d] &^= m
		}
	})
}

// spread writes one value to the lanes of m.
func (w *warp) spread(d int, m mask, v uint32) {
	for lane := range lanes {
		if m>>lane&1 != 0 {
			w.r[d][lane] = v
		}
	}
}

// compileMatch compiles match.sync: which lanes hold the same value.
func compileMatch(c *compiler, in *ptx.Instr) op {
	args := c.args(3, 3)
	var value func(w *warp, lane int) uint64
	if in.Has("b64") {
		a := c.src64(args[1])
		value = func(w *warp, lane int) uint64 { return w.d[a][lane] }
	} else {
		a := c.src32(args[1])
		value = func(w *warp, lane int) uint64 { return uint64(w.r[a][lane]) }
	}
	d, p := c.pair(args[0])
	all := in.Has("all")
	return members(c, args[2], func(w *warp, m mask) {
		for lane := range lanes {
			if m>>lane&1 == 0 {
				continue
			}
			var same mask
			for l := range lanes {
				if m>>l&1 != 0 && value(w, l) == value(w, lane) {
					same |= 1 << l
				}
			}
			switch {
			case !all:
				w.r[d][lane] = uint32(same)
			case same == m:
				w.r[d][lane] = uint32(m)
				w.p[p] |= 1 << lane
			default:
				w.r[d][lane] = 0
				w.p[p] &^= 1 << lane
			}
		}
	})
}

// compileRedux compiles redux.sync: a reduction over the lanes.
func compileRedux(c *compiler, in *ptx.Instr) op {
	args := c.args(3, 3)
	if len(in.Mods) != 3 || in.Mods[0] != "sync" || typeBits(ptx.Type(in.Mods[2])) != 32 || in.Mods[2] == "f32" {
		return c.unsupported()
	}
	f := combination(in.Mods[1], ptx.Type(in.Mods[2]))
	switch in.Mods[1] {
	case "add", "min", "max", "and", "or", "xor":
	default:
		return c.unsupported()
	}
	d, a := c.dst32(args[0]), c.src32(args[1])
	return members(c, args[2], func(w *warp, m mask) {
		sum := uint64(w.r[a][m.first()])
		for rest := m & (m - 1); rest != 0; rest &= rest - 1 {
			sum = f(sum, uint64(w.r[a][rest.first()]), 0)
		}
		w.spread(d, m, uint32(sum))
	})
}

// compileElect compiles elect.sync: the lowest lane of the membermask leads.
func compileElect(c *compiler, in *ptx.Instr) op {
	args := c.args(2, 2)
	d, p := c.pair(args[0])
	return members(c, args[1], func(w *warp, m mask) {
		w.spread(d, m, uint32(bits.TrailingZeros32(uint32(m))))
		w.p[p] = w.p[p]&^m | m&-m
	})
}

// compileActivemask gives the lanes that execute together at this moment.
func compileActivemask(c *compiler, in *ptx.Instr) op {
	args := c.args(1, 1)
	d := c.dst32(args[0])
	return func(w *warp, m mask) *wait {
		w.spread(d, m, uint32(m))
		return nil
	}
}
