package emu

import (
	"bytes"
	"fmt"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu/tma"
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// Bulk copies without a tensor map: cp.async.bulk and cp.reduce.async.bulk
// (PTX 9.7.9.25.4). They move multiples of 16 bytes between addresses that are
// multiples of 16.
const bulkUnit = 16

// engineName is the role of whatever the copy engine does.
const engineName = "TMA engine"

// trap reports an instruction that the hardware refuses as a whole. It ends
// the kernel there, and going on without the copy could only hang, so the
// cluster stops.
func (c *cluster) trap(by agent, f event.Finding) {
	f.Severity = event.Error
	c.fault(by, f)
	c.faults = max(c.faults, mostFaults)
}

// aligned traps an address that is not a multiple of n.
func (c *cluster) aligned(by agent, what string, s space, addr uint64, n int) bool {
	if addr%uint64(n) == 0 {
		return true
	}
	c.trap(by, event.Finding{
		Rule:    "misaligned",
		Message: fmt.Sprintf("the %s of the copy is at %s, which is not a multiple of %d", what, place(s, addr), n),
		Advice:  fmt.Sprintf("align it to %d bytes", n),
	})
	return false
}

// landing is where a copy into shared memory goes: a destination and the
// mbarrier that counts its bytes, or with a CTA mask the same offsets in
// several CTAs of the cluster.
type landing struct {
	dst, bar address
	mask     int  // row of the CTA mask, -1 for none
	own      bool // .shared::cta: in the executing CTA only
}

// spot is one CTA's part of a landing; its addresses have the CTA's rank.
type spot struct {
	cta      *cta
	dst, bar uint32
}

// landing compiles the destination, the mbarrier and the CTA mask.
func (c *compiler) landing(dst, bar ptx.Operand, ctaMask ptx.Operand) landing {
	l := landing{dst: c.address(dst), bar: c.address(bar), mask: -1}
	for _, m := range c.in.Mods {
		if m == "shared::cluster" || m == "global" || m == "shared::cta" {
			l.own = m == "shared::cta"
			break
		}
	}
	if ctaMask != nil {
		l.mask = c.src32(ctaMask)
	}
	return l
}

// spots are the places a lane's copy goes to; none if it was refused.
func (l landing) spots(w *warp, lane, align int) []spot {
	c, by := w.cta.cluster, w.agent(1<<lane)
	dst, bar := l.dst.at(w, lane), l.bar.at(w, lane)
	if !c.aligned(by, "destination", spaceShared, dst, align) {
		return nil
	}
	to, off := c.owner(w.cta, uint32(dst))
	at, barOff := c.owner(w.cta, uint32(bar))
	switch {
	case to == nil || dst>>32 != 0:
		c.outOfBounds(by, spaceShared, dst, align, write, nil, 0)
		return nil
	case at == nil || bar>>32 != 0:
		c.outOfBounds(by, spaceShared, bar, 8, readWrite, nil, 0)
		return nil
	case l.own && to != w.cta:
		c.report(by, event.Finding{
			Rule: "mbarrier", Severity: event.Error,
			Message: fmt.Sprintf("the destination is in CTA rank %d; .shared::cta is the executing CTA, rank %d", to.rank, w.cta.rank),
			Advice:  "write .shared::cluster to reach another CTA",
		})
	}
	if l.mask >= 0 {
		return c.multicast(by, w.r[l.mask][lane]&0xffff, off, barOff)
	}
	if to != at {
		c.report(by, event.Finding{
			Rule: "mbarrier", Severity: event.Error,
			Message: fmt.Sprintf("the destination is in CTA rank %d and the mbarrier in CTA rank %d", to.rank, at.rank),
			Advice:  "a copy signals an mbarrier beside its destination: map both addresses to the same rank",
		})
	}
	return []spot{{to, to.absolute(off), at.absolute(barOff)}}
}

// multicast is the same offsets in every CTA of a mask.
func (c *cluster) multicast(by agent, mask uint32, dst, bar uint32) (all []spot) {
	if mask == 0 || mask>>len(c.ctas) != 0 {
		c.report(by, event.Finding{
			Rule: "multicast", Severity: event.Error,
			Message: fmt.Sprintf("the CTA mask is %#x; bit i stands for CTA rank i, and the cluster has %d", mask, len(c.ctas)),
		})
	}
	for rank, t := range c.ctas {
		if mask>>rank&1 != 0 {
			all = append(all, spot{t, t.absolute(dst), t.absolute(bar)})
		}
	}
	return all
}

// entered reports a copy into the shared memory of a CTA that has exited.
func (s spot) entered(by agent) {
	if s.cta.alive > 0 {
		return
	}
	by.cta.cluster.report(by, event.Finding{
		Rule: "lifetime", Severity: event.Error,
		Message: fmt.Sprintf("the copy writes the shared memory of CTA (%d,%d,%d), which has exited", s.cta.at[0], s.cta.at[1], s.cta.at[2]),
		Advice:  "wait for the copy before the CTA exits; where a peer issues it, end with a cluster barrier",
	})
}

// bulk is what the linear bulk copies share.
type bulk struct {
	dst, src address
	size     int // row
	from, to space
	combine  tma.Reduction // nil for a plain copy
	elem     int           // bytes of an element, with combine
}

func (c *compiler) bulk(dst, src, size ptx.Operand) *bulk {
	b := &bulk{dst: c.address(dst), src: c.address(src), size: c.src32(size), from: spaceGlobal, to: spaceShared}
	if c.in.Has("shared::cta") && !(c.in.Has("global") && c.in.Has("mbarrier::complete_tx::bytes")) {
		b.from = spaceShared
	}
	if c.in.Has("bulk_group") {
		b.to = spaceGlobal
	}
	if mods := c.in.Mods; mods[0] == "reduce" {
		name := mods[len(mods)-2]
		if name == "noftz" {
			name = mods[len(mods)-3]
		}
		t := bulkTypes[mods[len(mods)-1]]
		b.combine, _ = tma.ReductionOf(name, t)
		b.elem = t.Bytes()
	}
	return b
}

// bulkTypes are the element types of cp.reduce.async.bulk as the engine knows
// them.
var bulkTypes = map[string]device.MapType{
	"u32": device.MapU32, "s32": device.MapS32, "b32": device.MapU32,
	"u64": device.MapU64, "s64": device.MapS64, "b64": device.MapU64,
	"f16": device.MapF16, "bf16": device.MapBF16, "f32": device.MapF32, "f64": device.MapF64,
}

// length checks a lane's size and source and returns them.
func (b *bulk) length(w *warp, lane int) (src uint64, n int, ok bool) {
	c, by := w.cta.cluster, w.agent(1<<lane)
	src, size := b.src.at(w, lane), w.r[b.size][lane]
	if size%bulkUnit != 0 {
		c.trap(by, event.Finding{
			Rule:    "misaligned",
			Message: fmt.Sprintf("a bulk copy of %d bytes, which is not a multiple of %d", size, bulkUnit),
			Advice:  fmt.Sprintf("round the size up to a multiple of %d, or copy the rest with ordinary loads", bulkUnit),
		})
		return 0, 0, false
	}
	return src, int(size), c.aligned(by, "source", b.from, src, bulkUnit)
}

// write puts bytes at an address of the destination's space.
func (b *bulk) write(c *cluster, by agent, addr uint64, data []byte) {
	if b.combine != nil {
		c.reduce(by, b.to, addr, data, b.elem, b.combine)
		return
	}
	copy(c.bytes(by, b.to, addr, len(data), 1, write), data)
}

// reduce combines elements in memory with those of data, each in one step,
// since clusters that run at the same time may reduce into the same place.
func (c *cluster) reduce(by agent, s space, addr uint64, data []byte, elem int, f tma.Reduction) {
	mem := c.bytes(by, s, addr, len(data), elem, readWrite)
	for ; len(mem) > 0; mem, data = mem[elem:], data[elem:] {
		src := littleEndian(data[:elem])
		update(mem, elem, func(old uint64) uint64 { return f(old, src) })
	}
}

// compileBulkLoad is a linear copy into shared memory, from global memory or
// from the executing CTA's shared memory.
func compileBulkLoad(c *compiler, in *ptx.Instr) op {
	n := 4
	if in.Has("multicast::cluster") {
		n++
	}
	args := c.policy(n)
	if c.err != nil {
		return nop
	}
	var ctaMask ptx.Operand
	if n == 5 {
		ctaMask = args[4]
	}
	b, to := c.bulk(args[0], args[1], args[2]), c.landing(args[0], args[3], ctaMask)
	return func(w *warp, m mask) *wait {
		for lane := range lanes {
			if m>>lane&1 != 0 {
				b.load(w, lane, to)
			}
		}
		return nil
	}
}

func (b *bulk) load(w *warp, lane int, to landing) {
	c, by := w.cta.cluster, w.agent(1<<lane)
	src, n, ok := b.length(w, lane)
	if !ok {
		return
	}
	by.role = engineName
	for _, s := range to.spots(w, lane, bulkUnit) {
		c.inPieces(engineTMA, n/bulkUnit, n, func(from, to int) {
			s.entered(by)
			from, to = from*bulkUnit, to*bulkUnit
			data := c.bytes(by, b.from, src+uint64(from), to-from, 1, read)
			if data == nil {
				data = bytes.Repeat([]byte{poisonByte}, to-from)
			}
			b.write(c, by, uint64(s.dst)+uint64(from), data)
		}, func() { c.completeTx(by, by.cta, s.bar, n) })
	}
}

// compileBulkStore is a linear copy from shared to global memory.
func compileBulkStore(c *compiler, _ *ptx.Instr) op {
	args := c.policy(3)
	if c.err != nil {
		return nop
	}
	b := c.bulk(args[0], args[1], args[2])
	return func(w *warp, m mask) *wait {
		for lane := range lanes {
			if m>>lane&1 != 0 {
				b.store(w, lane)
			}
		}
		return nil
	}
}

func (b *bulk) store(w *warp, lane int) {
	c, by := w.cta.cluster, w.agent(1<<lane)
	src, n, ok := b.length(w, lane)
	dst := b.dst.at(w, lane)
	if !ok || !c.aligned(by, "destination", spaceGlobal, dst, bulkUnit) {
		return
	}
	by.role = engineName
	buffer := bytes.Repeat([]byte{poisonByte}, n)
	get := func(from, to int) {
		from, to = from*bulkUnit, to*bulkUnit
		copy(buffer[from:to], c.bytes(by, spaceShared, src+uint64(from), to-from, 1, read))
	}
	put := func(from, to int) {
		from, to = from*bulkUnit, to*bulkUnit
		b.write(c, by, dst+uint64(from), buffer[from:to])
	}
	w.store(by, n/bulkUnit, n, get, put)
}

// compileBulkPrefetch is cp.async.bulk.prefetch: a hint, whose operands the
// hardware checks all the same.
func compileBulkPrefetch(c *compiler, _ *ptx.Instr) op {
	args := c.policy(2)
	if c.err != nil {
		return nop
	}
	b := &bulk{src: c.address(args[0]), size: c.src32(args[1]), from: spaceGlobal}
	return func(w *warp, m mask) *wait {
		for lane := range lanes {
			if m>>lane&1 != 0 {
				b.length(w, lane)
			}
		}
		return nil
	}
}
