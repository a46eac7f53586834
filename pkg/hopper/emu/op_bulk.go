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
		updateStrong(mem, elem, func(old uint64) uint64 { return f(old, src) })
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
	if b.from == spaceShared && !c.launch.clustered { // measured
		c.trap(by, event.Finding{
			Rule:    "cluster",
			Message: "a bulk copy from shared::cta to shared::cluster in a kernel that is launched without a cluster",
			Advice:  "launch it with a cluster, of one CTA if need be, or copy with ordinary loads and stores",
		})
		return
	}
	by.role = engineName
	for _, s := range to.spots(w, lane, bulkUnit) {
		by := by
		regions := []event.Region{c.runOf(by.cta, s.dst, n, true)}
		global := []event.Rows{{At: src, Bytes: uint64(n)}}
		if b.from == spaceShared {
			regions, global = append(regions, c.runOf(by.cta, uint32(src), n, false)), nil
		}
		c.beginLanding(&by, event.BulkLoad, s.bar, global, regions...)
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
	c.begin(&by, event.Event{Unit: event.BulkStore, Bytes: n,
		Regions: []event.Region{c.runOf(by.cta, uint32(src), n, false)}, Global: []event.Rows{{At: dst, Bytes: uint64(n)}}})
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
