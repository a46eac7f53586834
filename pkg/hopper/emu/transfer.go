package emu

import "gohopper/pkg/hopper/event"

// load reads memory into registers.
func (t *transfer) load(w *warp, m mask) *wait {
	n := t.elem * len(t.regs)
	w.tellAccess(m, t.space, t.addr, n, event.Read, t.strong)
	if t.space == spaceGlobal || t.space == spaceGeneric {
		w.cta.cluster.reads++
	}
	if t.uniform(w, m) {
		mem := t.reach(w, m.first(), m, n)
		for lane := range lanes {
			if m>>lane&1 != 0 {
				t.unpack(w, lane, mem)
			}
		}
		return nil
	}
	if mem := t.consecutive(w, m, n, read); mem != nil {
		t.unpackAll(w, mem)
		return nil
	}
	for rest := m; rest != 0; rest &= rest - 1 {
		lane := rest.first()
		t.unpack(w, lane, t.reach(w, lane, 1<<lane, n))
	}
	return nil
}

// reach is the n bytes that a lane reads; nil after a refused access, for
// which lanes m are named.
func (t *transfer) reach(w *warp, lane int, m mask, n int) []byte {
	addr := t.addr.at(w, lane)
	mem := w.quick(t.space, addr, n, n)
	if mem == nil {
		mem = w.cta.cluster.bytes(w.agent(m), t.space, addr, n, n, read)
	}
	if mem != nil && t.strong {
		for i := 0; i < n; i += t.elem {
			loadStrong(w.scratch[i:i+t.elem], mem[i:])
		}
		return w.scratch[:n]
	}
	return mem
}

// uniform reports whether all lanes of m have the same address and memory.
func (t *transfer) uniform(w *warp, m mask) bool {
	if t.space == spaceLocal || t.space == spaceParam && t.addr.offset >= localWindow {
		return false
	}
	switch first := m.first(); t.addr.base {
	case kind64:
		row := &w.d[t.addr.row]
		if row[first]&^(1<<windowBits-1) == localWindow {
			return false
		}
		for lane := first + 1; lane < lanes; lane++ {
			if m>>lane&1 != 0 && row[lane] != row[first] {
				return false
			}
		}
	case kind32:
		row := &w.r[t.addr.row]
		for lane := first + 1; lane < lanes; lane++ {
			if m>>lane&1 != 0 && row[lane] != row[first] {
				return false
			}
		}
	}
	return true
}

// store writes registers to memory.
func (t *transfer) store(w *warp, m mask) *wait {
	n := t.elem * len(t.regs)
	w.tellStore(t, m, n)
	c := w.cta.cluster
	if t.space != spaceLocal && t.space != spaceParam && !c.watching {
		c.changed()
	}
	if mem := t.consecutive(w, m, n, write); mem != nil && !c.watching {
		t.packAll(w, mem)
		return nil
	}
	for rest := m; rest != 0; rest &= rest - 1 {
		lane := rest.first()
		addr := t.addr.at(w, lane)
		mem := w.quickWrite(t.space, addr, n, n)
		if mem == nil {
			mem = c.bytes(w.agent(1<<lane), t.space, addr, n, n, write)
		}
		switch {
		case mem == nil:
		case t.strong || c.watching:
			t.storeCarefully(w, lane, mem)
		default:
			t.pack(w, lane, mem)
		}
	}
	return nil
}

// storeCarefully stores atomically what is strong, and looks whether it
// changed anything while the cluster is being watched.
func (t *transfer) storeCarefully(w *warp, lane int, mem []byte) {
	packed := w.scratch[:len(mem)]
	t.pack(w, lane, packed)
	if c := w.cta.cluster; c.watching && t.space != spaceLocal && t.space != spaceParam && string(packed) != string(mem) {
		c.changed()
	}
	if !t.strong {
		copy(mem, packed)
		return
	}
	for i := 0; i < len(mem); i += t.elem {
		storeStrong(mem[i:], packed[i:i+t.elem])
	}
}

// consecutive is the memory of a full warp whose lanes touch n bytes each, one
// after the other; nil if they do not, or if anything is wrong with them.
func (t *transfer) consecutive(w *warp, m mask, n int, a access) []byte {
	if m != allLanes || t.strong || t.space == spaceLocal || t.addr.base == kindPred {
		return nil
	}
	first := t.addr.at(w, 0)
	if t.addr.base == kind64 {
		row, at := &w.d[t.addr.row], first-t.addr.offset
		for lane := range lanes {
			if row[lane] != at {
				return nil
			}
			at += uint64(n)
		}
	} else {
		row, at := &w.r[t.addr.row], uint32(first-t.addr.offset)
		for lane := range lanes {
			if row[lane] != at {
				return nil
			}
			at += uint32(n)
		}
	}
	if a == read {
		return w.quick(t.space, first, n*lanes, n)
	}
	return w.quickWrite(t.space, first, n*lanes, n)
}

// quick is memory that may be read without further ado: of the executing CTA
// or of the allocation that was used last, in bounds, aligned and written.
// It is nil for anything else.
func (w *warp) quick(s space, addr uint64, n, align int) []byte {
	b, off := w.near(s, addr, n, align)
	if b == nil || b.unwritten(off, n) >= 0 {
		return nil
	}
	return b.bytes[off : off+n]
}

// quickWrite is the same for memory that is about to be written.
func (w *warp) quickWrite(s space, addr uint64, n, align int) []byte {
	b, off := w.near(s, addr, n, align)
	if b == nil || b.fixed {
		return nil
	}
	b.wrote(off, n)
	return b.bytes[off : off+n]
}

// near is the block and offset of memory that is quickly found; nil if not.
func (w *warp) near(s space, addr uint64, n, align int) (*block, int) {
	if s == spaceGeneric {
		s, addr = split(addr)
	}
	var b *block
	switch s {
	case spaceShared:
		b = w.cta.shared
	case spaceGlobal:
		c := w.cta.cluster
		b = c.recent
		if b == nil || addr-b.base >= uint64(len(b.bytes)) {
			if b = c.launch.machine.memory.at(addr); b == nil {
				return nil, 0
			}
			c.recent = b
		}
		addr -= b.base
	case spaceParam:
		b = w.cta.cluster.launch.params
	case spaceConst:
		b = w.cta.cluster.launch.module.constants
	default:
		return nil, 0
	}
	if addr < uint64(b.first) || addr > uint64(len(b.bytes)-n) || b.freed || addr&uint64(align-1) != 0 || len(b.bytes) < n {
		return nil, 0
	}
	return b, int(addr)
}

// words reports whether the elements are 32-bit registers in 32-bit words.
func (t *transfer) words() bool {
	if t.elem != 4 {
		return false
	}
	for _, r := range t.regs {
		if r.kind != kind32 {
			return false
		}
	}
	return true
}

// unpackAll fills the registers of all lanes from consecutive memory.
func (t *transfer) unpackAll(w *warp, mem []byte) {
	n := t.elem * len(t.regs)
	if !t.words() {
		for lane := range lanes {
			t.unpack(w, lane, mem[lane*n:])
		}
		return
	}
	words := words32(mem)
	for i, r := range t.regs {
		row := &w.r[r.row]
		for lane := range row {
			row[lane] = words[lane*len(t.regs)+i]
		}
	}
}

// packAll is the reverse.
func (t *transfer) packAll(w *warp, mem []byte) {
	n := t.elem * len(t.regs)
	if !t.words() {
		for lane := range lanes {
			t.pack(w, lane, mem[lane*n:])
		}
		return
	}
	words := words32(mem)
	for i, r := range t.regs {
		for lane, v := range w.r[r.row] {
			words[lane*len(t.regs)+i] = v
		}
	}
}

// unpack puts the elements in mem into the registers of a lane; poison where
// mem is nil.
func (t *transfer) unpack(w *warp, lane int, mem []byte) {
	for i, r := range t.regs {
		switch {
		case mem == nil && t.elem == 16:
			w.d[r.row][lane], w.d[r.row+1][lane] = poison64, poison64
		case mem == nil:
			t.put(w, lane, r, poison64)
		case t.elem == 4 && r.kind == kind32:
			w.r[r.row][lane] = uint32(mem[4*i]) | uint32(mem[4*i+1])<<8 | uint32(mem[4*i+2])<<16 | uint32(mem[4*i+3])<<24
		case t.elem == 16:
			w.d[r.row][lane], w.d[r.row+1][lane] = littleEndian(mem[16*i:16*i+8]), littleEndian(mem[16*i+8:16*i+16])
		default:
			t.put(w, lane, r, littleEndian(mem[i*t.elem:(i+1)*t.elem]))
		}
	}
}

// put writes one element to a register that may be wider than it.
func (t *transfer) put(w *warp, lane int, r register, v uint64) {
	if t.signed && t.elem < 8 {
		shift := 64 - 8*t.elem
		v = uint64(int64(v<<shift) >> shift)
	}
	switch r.kind {
	case kind32:
		w.r[r.row][lane] = uint32(v) & (1<<r.bits - 1)
	case kind64:
		w.d[r.row][lane] = v
	default:
		w.d[r.row][lane], w.d[r.row+1][lane] = v, 0
	}
}

// pack writes the registers of a lane to mem.
func (t *transfer) pack(w *warp, lane int, mem []byte) {
	for i, r := range t.regs {
		e := mem[i*t.elem : (i+1)*t.elem]
		switch {
		case t.elem == 4 && r.kind == kind32:
			v := w.r[r.row][lane]
			e[0], e[1], e[2], e[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
		case t.elem == 16:
			putLittleEndian(e[:8], w.d[r.row][lane])
			putLittleEndian(e[8:], w.d[r.row+1][lane])
		case r.kind == kind32:
			putLittleEndian(e, uint64(w.r[r.row][lane]))
		default:
			putLittleEndian(e, w.d[r.row][lane])
		}
	}
}
