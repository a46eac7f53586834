package tma

import "gohopper/pkg/hopper/device"

// chunk is the bytes that a swizzle moves as one.
const chunk = 16

// Swizzle is where a byte that belongs at shared address a goes: within each
// span of 32, 64 or 128 bytes, the index of the 16-byte chunk is exclusive-ored
// with address bits 7 and up (PTX 5.5.7). It depends on the address itself,
// not on where the box starts, and undoes itself.
func Swizzle(s device.Swizzle, a uint32) uint32 {
	return a ^ a>>3&swizzleMask(s)
}

// swizzleMask has the chunk-index bits that s changes: bit 4 for a span of 32
// bytes, 4 and 5 for 64, 4 to 6 for 128.
func swizzleMask(s device.Swizzle) uint32 {
	if s == device.SwizzleNone {
		return 0
	}
	return uint32(s.Span() - chunk)
}
