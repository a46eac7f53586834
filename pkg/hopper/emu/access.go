package emu

import (
	"fmt"

	"gohopper/pkg/hopper/event"
)

// access is what is done to memory.
type access int

const (
	read access = iota
	write
	readWrite // atomic operations
)

func (a access) String() string { return [...]string{"reads", "writes", "updates"}[a] }

// bytes finds the n bytes at an address of a space and checks bounds,
// alignment and, for reads, that they were written before; a write marks them
// written. Memory that cannot be touched gives a finding and nil: the read
// then yields poison and the write is dropped. by says who to blame. In a debug
// build every variable lives in local memory, where passing on one that has no
// value yet is no fault.
func (c *cluster) bytes(by agent, s space, addr uint64, n, align int, a access) []byte {
	b, off := c.find(by, s, addr, n, align, a)
	if b == nil {
		return nil
	}
	return b.bytes[off : off+n]
}

// find is bytes for who needs the block as well, for atomic access.
func (c *cluster) find(by agent, s space, addr uint64, n, align int, a access) (*block, int) {
	if s == spaceGeneric {
		s, addr = split(addr)
	}
	b, off := c.locate(by, s, addr)
	switch {
	case b == nil || off < b.first || off+n > len(b.bytes) || b.freed || s == spaceLocal && addr+uint64(n) > b.lane:
		c.outOfBounds(by, s, addr, n, a, b, off)
		return nil, 0
	case addr&uint64(align-1) != 0:
		c.fault(by, event.Finding{
			Rule: "misaligned", Severity: event.Error,
			Message: fmt.Sprintf("%s %d bytes at %s, which is not a multiple of %d", a, n, place(s, addr), align),
		})
		return nil, 0
	case a != read && b.fixed:
		c.fault(by, event.Finding{
			Rule: "out-of-bounds", Severity: event.Error,
			Message: fmt.Sprintf("%s %d bytes of %s memory at %s, which a kernel may only read", a, n, s, place(s, addr)),
		})
		return nil, 0
	}
	if a != write {
		if s == spaceGlobal {
			c.reads++
		}
		if at := b.unwritten(off, n); at >= 0 && !(s == spaceLocal && c.launch.prog.debug()) {
			c.uninitialized(by, s, b, addr, off, n, at)
		}
	}
	if a != read {
		b.wrote(off, n)
	}
	return b, off
}

// locate finds the block of an address and the offset in it, which need not
// be inside.
func (c *cluster) locate(by agent, s space, addr uint64) (*block, int) {
	switch s {
	case spaceShared:
		owner, off := c.owner(by.cta, uint32(addr))
		if owner == nil || addr>>32 != 0 {
			return nil, 0
		}
		if owner != by.cta && owner.alive == 0 && by.role == "" {
			c.report(by, event.Finding{
				Rule: "exited", Severity: event.Error,
				Message: fmt.Sprintf("touches the shared memory of CTA rank %d, all of whose threads have exited", owner.rank),
				Advice:  "end the kernel with barrier.cluster.arrive and barrier.cluster.wait in every CTA",
			})
		}
		return owner.shared, int(off)
	case spaceLocal:
		b := by.cta.warps[by.warp].local
		if b == nil || addr >= b.lane {
			return nil, 0
		}
		return b, int(addr) + by.lanes.first()*int(b.lane)
	case spaceConst:
		return c.launch.module.constants, int(addr)
	case spaceParam:
		if p, a := split(addr); p != spaceGlobal {
			return c.locate(by, p, a)
		}
		return c.launch.params, int(addr)
	}
	b := c.launch.machine.memory.at(addr)
	if b == nil {
		return nil, 0
	}
	return b, int(addr - b.base)
}

// owner is the CTA that a shared address belongs to and the offset in its
// memory; nil for a rank that the cluster does not have.
func (c *cluster) owner(of *cta, addr uint32) (*cta, uint32) {
	if rank := int(addr>>rankShift) - 1; rank >= 0 {
		if rank >= len(c.ctas) {
			return nil, 0
		}
		of = c.ctas[rank]
	}
	return of, addr & offsetMask
}

// absolute is a shared address of t with the CTA's rank in it, which means the
// same to every CTA of the cluster.
func (t *cta) absolute(addr uint32) uint32 {
	if addr>>rankShift == 0 {
		addr |= uint32(t.rank+1) << rankShift
	}
	return addr
}

// place writes an address as a message shows it.
func place(s space, addr uint64) string {
	if s == spaceShared && addr>>rankShift != 0 && addr>>32 == 0 {
		return fmt.Sprintf("shared+%#x of CTA rank %d", addr&offsetMask, addr>>rankShift-1)
	}
	if s == spaceGlobal {
		return fmt.Sprintf("global address %#x", addr)
	}
	return fmt.Sprintf("%s+%#x", s, addr)
}
