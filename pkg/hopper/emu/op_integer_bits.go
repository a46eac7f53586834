package emu

import (
	"math"
	"math/bits"

	"gohopper/pkg/hopper/ptx"
)

// bitForms counts, finds, extracts and inserts bits, and multiplies packed
// bytes (PTX 9.7.1). A position and a width beyond the 0 to 255 that PTX allows
// are taken modulo 256 in 32 bits and as they are in 64, as an H200 does.
var bitForms = map[string][]form{
	"popc": {
		{"b32", each1[uint32](func(a uint32) uint32 { return uint32(bits.OnesCount32(a)) })},
		{"b64", narrow1(func(a uint64) uint32 { return uint32(bits.OnesCount64(a)) })},
	},
	"clz": {
		{"b32", each1[uint32](func(a uint32) uint32 { return uint32(bits.LeadingZeros32(a)) })},
		{"b64", narrow1(func(a uint64) uint32 { return uint32(bits.LeadingZeros64(a)) })},
	},
	"bfind": {
		{"?shiftamt u32", findBit(false, 32)},
		{"?shiftamt s32", findBit(true, 32)},
		{"?shiftamt u64", findBit(false, 64)},
		{"?shiftamt s64", findBit(true, 64)},
	},
	"fns": {{"b32", each3[uint32](nthSet)}},
	"brev": {
		{"b32", each1[uint32](bits.Reverse32)},
		{"b64", each1[uint64](bits.Reverse64)},
	},
	"bfe": {
		{"u32", each3[uint32](func(a, pos, n uint32) uint32 { return uint32(extract(uint64(a), 32, pos%256, n%256, false)) })},
		{"s32", each3[uint32](func(a, pos, n uint32) uint32 { return uint32(extract(uint64(a), 32, pos%256, n%256, true)) })},
		{"u64", extract64(false)},
		{"s64", extract64(true)},
	},
	"bfi": {
		{"b32", insert[uint32](255)},
		{"b64", insert[uint64](math.MaxUint32)},
	},
	"bmsk": {
		{"clamp b32", each2[uint32](maskClamp)},
		{"wrap b32", each2[uint32](func(pos, n uint32) uint32 { return maskClamp(pos%32, n%32) })},
	},
	"szext": {
		{"clamp u32", each2[uint32](func(a, n uint32) uint32 { return a & maskClamp(0, n) })},
		{"wrap u32", each2[uint32](func(a, n uint32) uint32 { return a & maskClamp(0, n%32) })},
		{"clamp s32", each2[uint32](func(a, n uint32) uint32 { return signExtend(a, n) })},
		{"wrap s32", each2[uint32](func(a, n uint32) uint32 { return signExtend(a, n%32) })},
	},
	"dp4a": {{"u32|s32 u32|s32", dotProduct(4)}},
	"dp2a": {{"lo|hi u32|s32 u32|s32", dotProduct(2)}},
}

// narrow1 compiles a 32-bit result of a 64-bit source.
func narrow1(f func(a uint64) uint32) family {
	return rows1(func(d *row[uint32], a *row[uint64]) {
		for i := range d {
			d[i] = f(a[i])
		}
	})
}

// findBit compiles bfind: the place of the highest bit that differs from the
// sign, or with .shiftamt the distance from there to the top; all ones where
// there is none.
func findBit(signed bool, width int) family {
	return func(c *compiler, in *ptx.Instr) op {
		shift := in.Has("shiftamt")
		find := func(a uint64) uint32 {
			if signed && int64(a) < 0 {
				a = ^a
			}
			at := bits.Len64(a) - 1
			if at >= 0 && shift {
				at = width - 1 - at
			}
			return uint32(at)
		}
		if width == 64 {
			return narrow1(find)(c, in)
		}
		return each1[uint32](func(a uint32) uint32 {
			if signed {
				return find(uint64(int32(a)))
			}
			return find(uint64(a))
		})(c, in)
	}
}

// nthSet is fns: the place of the n-th set bit from base upwards, or
// downwards for a negative n; for n = 0 base itself if it is set.
func nthSet(a, base, n uint32) uint32 {
	const none = ^uint32(0)
	count, up := int32(n), int32(n) >= 0
	if count == 0 {
		count = 1
		a &= 1 << base
	} else if !up {
		count = -count
	}
	for at := base; at < 32; {
		if a>>at&1 == 1 {
			if count--; count == 0 {
				return at
			}
		}
		if up {
			at++
		} else {
			at--
		}
	}
	return none
}

// extract is n bits of a width-bit a from pos up. What lies above a's top is
// its sign where signed, else 0.
func extract(a uint64, width, pos, n uint32, signed bool) uint64 {
	if n == 0 {
		return 0
	}
	pos, n = min(pos, width), min(n, width)
	var fill uint64
	if signed {
		fill = -(a >> min(pos+n-1, width-1) & 1)
	}
	n = min(n, width-pos)
	low := uint64(1)<<n - 1
	return a>>pos&low | fill&^low
}

func extract64(signed bool) family {
	return rows3(func(d, a *row[uint64], pos, n *row[uint32]) {
		for i := range d {
			d[i] = extract(a[i], 64, pos[i], n[i], signed)
		}
	})
}

// insert compiles bfi: the low n bits of a replace those of b from pos up. The
// bits that count of pos and n are those of low.
func insert[T word](low uint32) family {
	return func(c *compiler, _ *ptx.Instr) op {
		args := c.args(5, 5)
		d, a, b := dst[T](c, args[0]), src[T](c, args[1]), src[T](c, args[2])
		p, n := c.src32(args[3]), c.src32(args[4])
		return func(w *warp, m mask) *wait {
			var t row[T]
			ra, rb, rp, rn := rowOf[T](w, a), rowOf[T](w, b), &w.r[p], &w.r[n]
			for i := range t {
				pos := rp[i] & low
				field := (T(1)<<(rn[i]&low) - 1) << pos
				t[i] = rb[i]&^field | ra[i]<<pos&field
			}
			keep(rowOf[T](w, d), &t, m)
			return nil
		}
	}
}

// maskClamp is n ones from pos up, cut off at bit 31.
func maskClamp(pos, n uint32) uint32 { return (uint32(1)<<n - 1) << pos }

// signExtend keeps the low n bits and copies the highest of them upwards.
func signExtend(a, n uint32) uint32 {
	if n == 0 || n >= 32 {
		return a & maskClamp(0, n)
	}
	return uint32(int32(a<<(32-n)) >> (32 - n))
}

// dotProduct compiles dp4a, and dp2a, which multiplies the two 16-bit halves
// of a by the lower or upper two bytes of b. The sum wraps.
func dotProduct(n int) family {
	return func(c *compiler, in *ptx.Instr) op {
		types := in.Mods[len(in.Mods)-2:]
		width := 32 / n
		var from int
		if in.Has("hi") {
			from = 2
		}
		return each3[uint32](func(a, b, x uint32) uint32 {
			for k := range n {
				x += element(a, k, width, types[0] == "s32") * element(b, from+k, 8, types[1] == "s32")
			}
			return x
		})(c, in)
	}
}

// element is the k-th width-bit part of a, extended to 32 bits.
func element(a uint32, k, width int, signed bool) uint32 {
	a = a << (32 - width*(k+1))
	if signed {
		return uint32(int32(a) >> (32 - width))
	}
	return a >> (32 - width)
}
