package emu

import (
	"fmt"
	"sort"
)

// arena is the device's global memory: allocations at addresses of its own,
// with a gap after each so that an index that runs over is caught. Addresses
// are never used twice, so neither is a freed one.
type arena struct {
	blocks []*block // by address
	next   uint64
	inUse  uint64
}

const (
	arenaBase  = 0x7f00_0000_0000
	arenaGap   = 1 << 16
	arenaAlign = 256
	arenaBytes = 1 << 36 // most bytes allocated at a time
)

// alloc makes an allocation of n bytes.
func (a *arena) alloc(n int, name string) (*block, error) {
	if n <= 0 {
		return nil, fmt.Errorf("an allocation of %d bytes: ask for at least 1", n)
	}
	if a.inUse+uint64(n) > arenaBytes {
		return nil, fmt.Errorf("out of memory: %d bytes asked for, %d of %d in use", n, a.inUse, uint64(arenaBytes))
	}
	if a.next == 0 {
		a.next = arenaBase
	}
	if name == "" {
		name = fmt.Sprintf("the allocation of %d bytes at %#x", n, a.next)
	}
	b := newBlock(a.next, n, name)
	a.blocks = append(a.blocks, b)
	a.next = (a.next + uint64(n) + arenaGap + arenaAlign - 1) &^ (arenaAlign - 1)
	a.inUse += uint64(n)
	return b, nil
}

// free ends an allocation, given its first address.
func (a *arena) free(addr uint64) error {
	b := a.at(addr)
	if b == nil || b.base != addr {
		return fmt.Errorf("%#x is not the start of an allocation", addr)
	}
	if b.freed {
		return fmt.Errorf("%#x was freed before", addr)
	}
	a.inUse -= uint64(b.size)
	b.freed = true
	b.bytes, b.written = nil, nil
	return nil
}

// at is the allocation whose bytes or gap contain an address, or nil.
func (a *arena) at(addr uint64) *block {
	i := sort.Search(len(a.blocks), func(i int) bool { return a.blocks[i].base > addr }) - 1
	if i < 0 {
		return nil
	}
	return a.blocks[i]
}

// span is the n bytes at an address for the host.
func (a *arena) span(addr uint64, n int) (*block, int, error) {
	if n < 0 {
		return nil, 0, fmt.Errorf("%d bytes: a size cannot be negative", n)
	}
	b := a.at(addr)
	if b == nil || addr-b.base > uint64(b.size) || n > b.size-int(addr-b.base) {
		return nil, 0, fmt.Errorf("%d bytes at %#x are not inside one allocation: they are %s", n, addr, a.nearest(addr))
	}
	if b.freed {
		return nil, 0, fmt.Errorf("%d bytes at %#x are in memory that was freed", n, addr)
	}
	return b, int(addr - b.base), nil
}

// nearest says where an address is, seen from the closest allocation.
func (a *arena) nearest(addr uint64) string {
	i := sort.Search(len(a.blocks), func(i int) bool { return a.blocks[i].base > addr })
	var near *block
	var distance uint64
	var where string
	if i > 0 {
		near = a.blocks[i-1]
		end := near.base + uint64(near.size)
		if addr < end {
			return fmt.Sprintf("across the end of %s", near.name)
		}
		distance, where = addr-end, "past the end of"
	}
	if i < len(a.blocks) {
		if d := a.blocks[i].base - addr; near == nil || d < distance {
			near, distance, where = a.blocks[i], d, "before the start of"
		}
	}
	if near == nil {
		return "where nothing is allocated"
	}
	if distance > 1<<32 {
		return "which is near no allocation"
	}
	return fmt.Sprintf("%d bytes %s %s", distance, where, near.name)
}
