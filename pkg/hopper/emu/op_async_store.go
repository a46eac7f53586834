package emu

import (
	"fmt"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// compileStoreAsync compiles "st.async{.weak}.shared::cluster.mbarrier::
// complete_tx::bytes{.v2,.v4}.type [a], b, [mbar]" (PTX 9.7.9.12): the store
// happens later and then completes its bytes at the mbarrier.
func compileStoreAsync(c *compiler, in *ptx.Instr) op {
	args := c.args(3, 3)
	typ := ptx.Type(in.Mods[len(in.Mods)-1])
	s := &asyncStore{addr: c.address(args[0]), bar: c.address(args[2]), space: c.space(), elem: typeBits(typ) / 8}
	if s.elem != 4 && s.elem != 8 {
		return c.unsupported()
	}
	for _, o := range c.elements(args[1]) {
		s.regs = append(s.regs, c.data(o, s.elem))
	}
	return s.run
}

// compileReduceAsync compiles red.async, the same for an atomic operation.
func compileReduceAsync(c *compiler, in *ptx.Instr) op {
	args := c.args(3, 3)
	name, typ := c.atomicName()
	s := &asyncStore{addr: c.address(args[0]), bar: c.address(args[2]), space: c.space(), elem: typeBits(typ) / 8}
	s.combine = combination(name, typ)
	if s.combine == nil || s.elem != 4 && s.elem != 8 {
		return c.unsupported()
	}
	s.regs = []register{c.data(args[1], s.elem)}
	return s.run
}

// asyncStore is a compiled st.async or red.async.
type asyncStore struct {
	addr, bar address
	space     space
	elem      int
	regs      []register
	combine   combine // nil for a plain store
}

func (s *asyncStore) run(w *warp, m mask) *wait {
	c := w.cta.cluster
	n := s.elem * len(s.regs)
	for lane := range lanes {
		if m>>lane&1 == 0 {
			continue
		}
		addr, bar := s.addr.at(w, lane), s.bar.at(w, lane)
		to, okTo := shared(s.space, addr)
		at, okAt := shared(s.space, bar)
		by := w.agent(1 << lane)
		if !okTo || !okAt {
			c.fault(by, event.Finding{
				Rule: "out-of-bounds", Severity: event.Error,
				Message: fmt.Sprintf("st.async needs shared memory: %s, %s", place(s.space, addr), place(s.space, bar)),
			})
			continue
		}
		data := make([]byte, n)
		for i, r := range s.regs {
			putLittleEndian(data[i*s.elem:(i+1)*s.elem], w.get(r, lane))
		}
		to, at = w.cta.absolute(to), w.cta.absolute(at)
		by.role = "asynchronous store"
		c.beginLanding(&by, event.StoreAsync, at, nil, c.runOf(w.cta, to, n, true))
		c.after(c.delay(engineCopy, n), func() { s.complete(c, by, to, at, data) })
	}
	return nil
}

// complete carries the store out.
func (s *asyncStore) complete(c *cluster, by agent, to, bar uint32, data []byte) {
	a := write
	if s.combine != nil {
		a = readWrite
	}
	if mem := c.bytes(by, spaceShared, uint64(to), len(data), len(data), a); mem != nil {
		if s.combine != nil {
			putLittleEndian(mem, s.combine(littleEndian(mem), littleEndian(data), 0))
		} else {
			copy(mem, data)
		}
	}
	c.completeTx(by, by.cta, bar, len(data))
}
