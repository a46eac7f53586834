package emu

import (
	"sync/atomic"
	"unsafe"
)

// Clusters that run at the same time share global memory, so what PTX calls
// strong accesses are atomic on the host too. A block's bytes are aligned to
// 8, so an aligned element lies in one host word.

// word32 is the aligned 32-bit host word that holds mem[0], and how many bits
// up mem[0] is.
func word32(mem []byte) (*uint32, int) {
	p := unsafe.Pointer(&mem[0])
	skip := uintptr(p) & 3
	return (*uint32)(unsafe.Add(p, -int(skip))), int(skip) * 8
}

// words32 is memory at an aligned address as 32-bit words.
func words32(mem []byte) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(&mem[0])), len(mem)/4)
}

// word64 is the 64-bit host word at mem[0].
func word64(mem []byte) *uint64 { return (*uint64)(unsafe.Pointer(&mem[0])) }

// loadStrong reads an element of len(dst) bytes at the start of mem.
func loadStrong(dst, mem []byte) {
	switch n := len(dst); {
	case n == 16:
		loadStrong(dst[:8], mem)
		loadStrong(dst[8:], mem[8:])
	case n == 8:
		putLittleEndian(dst, atomic.LoadUint64(word64(mem)))
	default:
		p, shift := word32(mem)
		putLittleEndian(dst, uint64(atomic.LoadUint32(p)>>shift))
	}
}

// storeStrong writes an element to the start of mem.
func storeStrong(mem, src []byte) {
	switch n := len(src); {
	case n == 16:
		storeStrong(mem, src[:8])
		storeStrong(mem[8:], src[8:])
	case n == 8:
		atomic.StoreUint64(word64(mem), littleEndian(src))
	default:
		v := littleEndian(src)
		updateStrong(mem, n, func(uint64) uint64 { return v })
	}
}

// updateStrong replaces the element of n bytes, at most 8, at the start of mem by f
// of it, in one step, and returns what it was.
func updateStrong(mem []byte, n int, f func(old uint64) uint64) (old uint64) {
	if n == 8 {
		p := word64(mem)
		for {
			old := atomic.LoadUint64(p)
			if atomic.CompareAndSwapUint64(p, old, f(old)) {
				return old
			}
		}
	}
	p, shift := word32(mem)
	field := uint32(1<<(8*n)-1) << shift
	for {
		whole := atomic.LoadUint32(p)
		old := uint64(whole & field >> shift)
		if atomic.CompareAndSwapUint32(p, whole, whole&^field|uint32(f(old))<<shift&field) {
			return old
		}
	}
}

// littleEndian is up to 8 bytes as a number.
func littleEndian(b []byte) (v uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[i])
	}
	return v
}

// putLittleEndian is the reverse.
func putLittleEndian(b []byte, v uint64) {
	for i := range b {
		b[i] = byte(v >> (8 * i))
	}
}
