package formtest

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// cases is how often a scalar form is applied: 4 CTAs of 128 threads.
const cases = 512

// special has the codes at which instructions of a type change their ways. The
// first seven of each are what three operands are crossed with.
func special(typ string) []uint64 {
	switch typ {
	case "pred":
		return []uint64{0, 1}
	case "f16":
		return []uint64{0x3bff, 0x8000, 0x7e00, 0x7c00, 0x0001, 0xfbff, 0x0400, 0x0000, 0xbc00, 0xfc00, 0x83ff, 0xc100, 0x7bff, 0x7c01, 0xfe55, 0x3c00, 0x3c01, 0x6400, 0x1400, 0xb555}
	case "bf16":
		return []uint64{0x3f7f, 0x8000, 0x7fc0, 0x7f80, 0x0001, 0xff7f, 0x0080, 0x0000, 0xbf80, 0xff80, 0x807f, 0xc020, 0x7f7f, 0x7f81, 0xffd5, 0x3f80, 0x3f81, 0x4f00, 0x2f80, 0xbeab}
	case "f32", "tf32":
		return []uint64{0x3f7fffff, 0x80000000, 0x7fc00000, 0x7f800000, 0x00000001, 0xff7fffff, 0x00800000, 0x00000000, 0xbf800000, 0xff800000, 0x807fffff, 0xc0200000, 0x7f7fffff, 0x7f800001, 0xffc12345, 0x3f800000, 0x4f000000, 0x33800000, 0x3effffff, 0xcb000001}
	case "f64":
		return []uint64{0x3fefffffffffffff, 0x8000000000000000, 0x7ff8000000000000, 0x7ff0000000000000, 0x0000000000000001, 0xffefffffffffffff, 0x0010000000000000, 0x0000000000000000, 0xbff0000000000000, 0xfff0000000000000, 0x800fffffffffffff, 0xc004000000000000, 0x7fefffffffffffff, 0x7ff0000000000001, 0xfff8123456789abc, 0x3ff0000000000000, 0x41e0000000000000, 0x3690000000000000, 0x47efffffe0000000, 0x380fffffc0000000}
	case "shift":
		return []uint64{0, 1, 31, 32, 33, 63, 64, 65, 5, 15, 16, 17, 8, 24, 127, 128, 255, 256, 0x101, 0xffffffff}
	}
	ones := ^uint64(0) >> (64 - bitsOf(typ))
	top := ones ^ ones>>1
	list := []uint64{0, 1, ones, top, ones >> 1, top + 1, 0x0123456789abcdef & ones, 2, 3, ones - 1, 31, 32, 0x7f, 0x80, 0xff, 0x7fff & ones, 0x8000 & ones, 0xffff & ones, 0xaaaaaaaaaaaaaaaa & ones, 0x00ff00ff00ff00ff & ones}
	return list
}

// bitsOf is the width of a type in a register.
func bitsOf(typ string) int {
	switch typ {
	case "pred":
		return 1
	case "shift", "f16x2", "bf16x2", "u16x2", "s16x2", "tf32", "e4m3x2", "e5m2x2":
		if strings.HasPrefix(typ, "e") {
			return 16
		}
		return 32
	}
	switch {
	case strings.HasPrefix(typ, "reg."):
		return 8
	case strings.HasSuffix(typ, "64"):
		return 64
	case strings.HasSuffix(typ, "32"):
		return 32
	case strings.HasSuffix(typ, "16"):
		return 16
	case strings.HasSuffix(typ, "8"):
		return 16 // no register is narrower
	}
	return 0
}

// random is a value of a type. Floats are as often of any code as of a size
// near 1, where sums cancel and products stay in range.
func random(r *rand.Rand, typ string) uint64 {
	near := r.IntN(2) == 0
	switch typ {
	case "pred":
		return r.Uint64() & 1
	case "shift":
		return r.Uint64N(70)
	case "f16":
		if near {
			return r.Uint64()&0x83ff | (9+r.Uint64N(12))<<10
		}
	case "bf16":
		if near {
			return r.Uint64()&0x807f | (117+r.Uint64N(20))<<7
		}
	case "f32", "tf32":
		if near {
			return r.Uint64()&0x807fffff | (107+r.Uint64N(40))<<23
		}
	case "f64":
		if near {
			return r.Uint64()&0x800fffffffffffff | (1003+r.Uint64N(40))<<52
		}
	default:
		if near {
			return r.Uint64() >> (64 - bitsOf(typ)) >> r.IntN(bitsOf(typ))
		}
	}
	return r.Uint64() >> (64 - bitsOf(typ))
}

// operands fills the input of a form: for each operand 512 cells of 8 bytes.
// Special values are crossed, and the rest is random. The seed is the form's
// name, so that a form keeps its cases when others come and go.
func operands(name string, types []string) []byte {
	h := fnv.New64a()
	h.Write([]byte(name))
	r := rand.New(rand.NewPCG(h.Sum64(), 9))
	lists := make([][]uint64, len(types))
	total := 1
	for i, typ := range types {
		lists[i] = specials(typ)
		if len(types) > 2 {
			lists[i] = lists[i][:min(len(lists[i]), 7)]
		}
		total *= len(lists[i])
	}
	in := make([]byte, 8*cases*len(types))
	for c := range cases {
		n := c
		for i, typ := range types {
			var v uint64
			switch {
			case c < total && total <= cases:
				v = lists[i][n%len(lists[i])]
				n /= len(lists[i])
			case r.IntN(3) == 0:
				v = lists[i][r.IntN(len(lists[i]))]
			default:
				v = randoms(r, typ)
			}
			binary.LittleEndian.PutUint64(in[8*(i*cases+c):], v)
		}
	}
	return in
}

// specials is special, of pairs too: each with its neighbour in the list.
func specials(typ string) []uint64 {
	one, ok := strings.CutSuffix(typ, "x2")
	if !ok {
		return special(typ)
	}
	if one[0] == 'e' { // every code of the first, 7 apart in the second
		var list []uint64
		for i := range uint64(256) {
			list = append(list, i|(7*i+0x7f)&0xff<<8)
		}
		return list
	}
	list := special(one)
	var pairs []uint64
	for i, v := range list {
		pairs = append(pairs, v|list[(i+3)%len(list)]<<16)
	}
	return pairs
}

func randoms(r *rand.Rand, typ string) uint64 {
	if one, ok := strings.CutSuffix(typ, "x2"); ok && one[0] != 'e' {
		return random(r, one) | random(r, one)<<16
	}
	return random(r, typ)
}

// crossed is the operands of 512 threads with so many cells each, of which the
// first two meet in all pairs of special values.
func crossed(name, typ string, cells int) (in []byte) {
	types := make([]string, cells)
	for i := range types {
		types[i] = typ
	}
	list := operands(name, types[:2])
	rest := operands(name+" more", types[2:])
	for c := range cases {
		for i := range cells {
			if i < 2 {
				in = append(in, list[8*(i*cases+c):][:8]...)
			} else {
				in = append(in, rest[8*((i-2)*cases+c):][:8]...)
			}
		}
	}
	return in
}

// floatNoise is cells of 8 bytes filled with values of a type, special ones
// among them.
func floatNoise(name, typ string, n int) []byte {
	list := operands(name, []string{typ})
	h := fnv.New64a()
	h.Write([]byte(name))
	r := rand.New(rand.NewPCG(h.Sum64(), 10))
	b := make([]byte, 0, n)
	bytes := bitsOf(typ) / 8
	for len(b) < n {
		for range 8 / bytes {
			c := 8 * r.IntN(cases)
			b = append(b, list[c:c+bytes]...)
		}
	}
	return b[:n]
}
