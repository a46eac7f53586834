package emu

import (
	"bytes"

	"gohopper/pkg/hopper/emu/tma"
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// tensorAlign is the alignment of a tensor copy's shared memory address,
// whatever the swizzle (PTX 5.5.7).
const tensorAlign = 128

// tensorBox is a compiled operand "[map, {x, y}]".
type tensorBox struct {
	at     address
	coords []int // rows
}

// tensor compiles a tensor operand.
func (c *compiler) tensor(o ptx.Operand) tensorBox {
	t, ok := o.(ptx.Tensor)
	if !ok {
		c.failf("%s needs a tensor operand, [map, {x, y}]", c.in.Name())
		return tensorBox{}
	}
	b := tensorBox{at: c.mapPointer(t)}
	for _, x := range t.Coords {
		b.coords = append(b.coords, c.src32(x))
	}
	return b
}

// mapPointer is the generic address of a tensor map, which may be named as a
// variable or a parameter.
func (c *compiler) mapPointer(t ptx.Tensor) address {
	a := c.pointer(t.Map, t.Offset)
	if s, ok := t.Map.(ptx.Sym); ok {
		if v, ok := c.scope.variable(s.Name); ok {
			a.offset += windows[v.space]
		}
	}
	return a
}

// box is what a lane's copy moves; nil if the copy was refused.
func (b tensorBox) box(w *warp, lane int) *tma.Box {
	c, by := w.cta.cluster, w.agent(1<<lane)
	mem := c.bytes(by, spaceGeneric, b.at.at(w, lane), len(tensorMapBytes{}), tensorMapAlign, read)
	if mem == nil {
		return nil
	}
	m, err := tma.Decode((*tensorMapBytes)(mem))
	if err != nil {
		c.trap(by, event.Finding{Rule: "tensor-map", Message: err.Error()})
		return nil
	}
	corner := make([]int32, len(b.coords))
	for i, row := range b.coords {
		corner[i] = int32(w.r[row][lane])
	}
	box, err := m.At(corner)
	if err != nil {
		c.trap(by, event.Finding{Rule: "tensor-map", Message: err.Error()})
	}
	return box
}

// compileTensorLoad is cp.async.bulk.tensor from global to shared memory.
func compileTensorLoad(c *compiler, in *ptx.Instr) op {
	n := 3
	if in.Has("multicast::cluster") {
		n++
	}
	args := c.policy(n)
	if c.err != nil {
		return nop
	}
	var ctaMask ptx.Operand
	if n == 4 {
		ctaMask = args[3]
	}
	from, to := c.tensor(args[1]), c.landing(args[0], args[2], ctaMask)
	return func(w *warp, m mask) *wait {
		for lane := range lanes {
			if m>>lane&1 == 0 {
				continue
			}
			if box := from.box(w, lane); box != nil {
				loadBox(w, lane, from, box, to)
			}
		}
		return nil
	}
}

// loadBox brings a box to each of its places, in pieces of whole rows, and
// then takes its bytes off the mbarrier there.
func loadBox(w *warp, lane int, from tensorBox, box *tma.Box, to landing) {
	c, by := w.cta.cluster, w.agent(1<<lane)
	by.role = engineName
	for _, s := range to.spots(w, lane, tensorAlign) {
		by := by
		c.beginBox(&by, from, box, s, true)
		c.inPieces(engineTMA, box.NumRows(), box.Bytes(), func(from, to int) {
			s.entered(by)
			c.loadRows(by, box, s, from, to)
		}, func() { c.completeTx(by, by.cta, s.bar, box.Bytes()) })
	}
}

// loadRows copies rows of a box into shared memory.
func (c *cluster) loadRows(by agent, box *tma.Box, s spot, from, to int) {
	if box.Dense() {
		at, n := uint64(s.dst)+uint64(from*box.Pitch()), (to-from)*box.Pitch()
		if c.bytes(by, spaceShared, at, n, 1, write) == nil {
			return
		}
	}
	_, at := c.owner(by.cta, s.dst)
	mem := s.cta.shared.bytes
	for row := range box.Rows(from, to) {
		if !box.Dense() && !c.touch(by, box, row, 0, box.RowBytes(), s.dst, write) {
			return
		}
		var src []byte
		if n := row.Hi - row.Lo; n > 0 {
			if src = c.bytes(by, spaceGlobal, row.Global, n, 1, read); src == nil {
				src = bytes.Repeat([]byte{poisonByte}, n)
			}
		}
		box.Put(mem, at, row, src)
	}
}

// touch checks the shared memory of the bytes from lo to hi of a row, chunk by
// chunk, as c.bytes does, and reports whether all of it is there.
func (c *cluster) touch(by agent, box *tma.Box, row tma.Row, lo, hi int, at uint32, a access) bool {
	for addr, n := range box.Chunks(at, row, lo, hi) {
		if c.bytes(by, spaceShared, uint64(addr), n, 1, a) == nil {
			return false
		}
	}
	return true
}

// compileTensorStore is cp.async.bulk.tensor and cp.reduce.async.bulk.tensor
// from shared to global memory.
func compileTensorStore(c *compiler, in *ptx.Instr) op {
	args := c.policy(2)
	if c.err != nil {
		return nop
	}
	to, src := c.tensor(args[0]), c.address(args[1])
	reduction := ""
	if in.Mods[0] == "reduce" {
		reduction = in.Mods[7]
	}
	return func(w *warp, m mask) *wait {
		for lane := range lanes {
			if m>>lane&1 == 0 {
				continue
			}
			if box := to.box(w, lane); box != nil {
				storeBox(w, lane, to, box, src.at(w, lane), reduction)
			}
		}
		return nil
	}
}

// storeBox reads a box from the CTA's shared memory and later writes the rows
// that lie inside the tensor, or combines them with what is there.
func storeBox(w *warp, lane int, to tensorBox, box *tma.Box, src uint64, reduction string) {
	c, by := w.cta.cluster, w.agent(1<<lane)
	if !c.aligned(by, "source", spaceShared, src, tensorAlign) {
		return
	}
	box, err := box.Store()
	if err != nil {
		c.trap(by, event.Finding{Rule: "tensor-map", Message: err.Error(),
			Advice: "move the box inside the tensor and shorten it, or write that part with ordinary stores"})
		return
	}
	var combine tma.Reduction
	if reduction != "" {
		var ok bool
		if combine, ok = tma.ReductionOf(reduction, box.Type()); !ok {
			c.trap(by, event.Finding{Rule: "tensor-map",
				Message: "the copy engine has no ." + reduction + " for elements of type " + box.Type().String()})
			return
		}
	}
	by.role = engineName
	c.beginBox(&by, to, box, spot{cta: by.cta, dst: uint32(src)}, false)
	buffer := bytes.Repeat([]byte{poisonByte}, box.Bytes())
	inside := func(from, to int, each func(row tma.Row, data []byte)) {
		n := from * box.RowBytes()
		for row := range box.Rows(from, to) {
			if row.Lo < row.Hi {
				each(row, buffer[n+row.Lo:n+row.Hi])
			}
			n += box.RowBytes()
		}
	}
	get := func(from, to int) {
		_, at := c.owner(by.cta, uint32(src))
		mem := by.cta.shared.bytes
		inside(from, to, func(row tma.Row, data []byte) {
			if c.touchRow(by, box, row, uint32(src)) {
				box.Get(data, mem, at, row)
			}
		})
	}
	put := func(from, to int) {
		inside(from, to, func(row tma.Row, data []byte) {
			if combine != nil {
				c.reduce(by, spaceGlobal, row.Global, data, box.Type().Bytes(), combine)
			} else {
				copy(c.bytes(by, spaceGlobal, row.Global, len(data), 1, write), data)
			}
		})
	}
	w.store(by, box.NumRows(), box.Bytes(), get, put)
}

// touchRow checks the shared memory that a store reads of a row.
func (c *cluster) touchRow(by agent, box *tma.Box, row tma.Row, at uint32) bool {
	if box.Dense() && row.Lo == 0 && row.Hi == box.RowBytes() {
		return c.bytes(by, spaceShared, uint64(at+row.Offset), row.Hi, 1, read) != nil
	}
	return c.touch(by, box, row, row.Lo, row.Hi, at, read)
}

// compileTensorPrefetch is cp.async.bulk.prefetch.tensor: a hint, whose map
// and coordinates the hardware checks all the same.
func compileTensorPrefetch(c *compiler, _ *ptx.Instr) op {
	args := c.policy(1)
	if c.err != nil {
		return nop
	}
	b := c.tensor(args[0])
	return func(w *warp, m mask) *wait {
		for lane := range lanes {
			if m>>lane&1 != 0 {
				b.box(w, lane)
			}
		}
		return nil
	}
}
