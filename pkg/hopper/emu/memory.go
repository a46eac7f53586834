package emu

import (
	"math/bits"
	"strconv"
	"sync/atomic"
	"unsafe"
)

// space is a state space as an address sees it.
type space int

const (
	spaceGeneric space = iota
	spaceGlobal
	spaceShared // .shared, .shared::cta and .shared::cluster: the CTA is in the address
	spaceLocal
	spaceConst
	spaceParam
)

var spaceNames = [...]string{"generic", "global", "shared", "local", "const", "param"}

func (s space) String() string { return spaceNames[s] }

// A generic address has its window in the top byte: global addresses are
// themselves, the others are an address in their space plus the window.
const (
	windowBits   = 56
	sharedWindow = uint64(1) << windowBits
	localWindow  = uint64(2) << windowBits
	constWindow  = uint64(3) << windowBits
	paramWindow  = uint64(4) << windowBits
	codeWindow   = uint64(5) << windowBits // the addresses of functions; nothing is there
)

var windows = [...]uint64{
	spaceShared: sharedWindow, spaceLocal: localWindow, spaceConst: constWindow, spaceParam: paramWindow,
}

// split takes a generic address apart.
func split(a uint64) (space, uint64) {
	switch w := a &^ (1<<windowBits - 1); w {
	case sharedWindow:
		return spaceShared, a - w
	case localWindow:
		return spaceLocal, a - w
	case constWindow:
		return spaceConst, a - w
	case paramWindow:
		return spaceParam, a - w
	}
	return spaceGlobal, a
}

// A shared address is 32 bits: the offset in a CTA's shared memory, and above
// it the CTA's rank in the cluster plus 1, or 0 for the executing CTA. The
// hardware keeps the first 1 KB of every CTA for itself.
const (
	rankShift  = 24
	offsetMask = 1<<rankShift - 1
	sharedBase = 1024
	// scratchBase is where a part of that begins that cooperative groups use:
	// tiles of several warps keep their barriers there, at the offset
	// %reserved_smem_offset_1, and expect them to be zero.
	scratchBase = 512
	// reservedEnd is where the part ends that a kernel without such tiles has
	// (measured).
	reservedEnd = 288
)

// Registers and memory that were never written hold a pattern that is not a
// number in any floating-point format.
const (
	poisonByte = 0xff
	poison32   = 0xffc0dead
	poison64   = 0xfffc0deaffc0dead
)

// filled32 and filled64 are rows with one value.
func filled32(v uint32) (r row32) {
	for i := range r {
		r[i] = v
	}
	return r
}

func filled64(v uint64) (r row64) {
	for i := range r {
		r[i] = v
	}
	return r
}

// block is contiguous memory: an allocation, a CTA's shared memory, a warp's
// local memory. It knows which of its bytes were ever written.
type block struct {
	base    uint64 // address of the first byte
	first   int    // bytes before it are not the kernel's
	bytes   []byte // 8-byte aligned; nil once freed
	size    int
	written []uint64
	name    string // for messages
	freed   bool
	fixed   bool   // may not be written by a kernel
	lane    uint64 // local memory: bytes per lane
}

func newBlock(base uint64, n int, name string) *block {
	words := make([]uint64, n/8+2)
	for i := range words {
		words[i] = ^uint64(0)
	}
	return &block{
		base:    base,
		bytes:   unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n),
		size:    n,
		written: make([]uint64, n/64+2),
		name:    name,
	}
}

// word64 is the aligned 64-bit word at an offset.
func (b *block) word64(off int) *uint64 { return (*uint64)(unsafe.Pointer(&b.bytes[off])) }

// wrote marks n bytes as written. Clusters that run at the same time may share
// a word of the map, so it changes atomically.
func (b *block) wrote(off, n int) {
	for n > 0 {
		k := min(n, 64-off&63)
		m := (^uint64(0) >> (64 - k)) << (off & 63)
		if w := &b.written[off>>6]; atomic.LoadUint64(w)&m != m {
			atomic.OrUint64(w, m)
		}
		off, n = off+k, n-k
	}
}

// unwritten is the first of n bytes that was never written, or -1.
func (b *block) unwritten(off, n int) int {
	for n > 0 {
		k := min(n, 64-off&63)
		m := (^uint64(0) >> (64 - k)) << (off & 63)
		if missing := m &^ atomic.LoadUint64(&b.written[off>>6]); missing != 0 {
			return off&^63 + bits.TrailingZeros64(missing)
		}
		off, n = off+k, n-k
	}
	return -1
}

func itoa(n int) string { return strconv.Itoa(n) }
