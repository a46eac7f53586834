package tensortest

import "math"

// model is what the tensor core is believed to compute, in whole numbers: the
// products of a group and the accumulator are aligned to the largest exponent
// among them, cut toward zero below that exponent's bit by bit -cut, summed
// exactly, and the sum is brought to the type of D.
type model struct {
	group int // products summed at once; 0 for all
	cut   int // fraction bits kept of the aligned terms
	keep  int // fraction bits kept of the result
	// pairs: 8-bit floats are converted to f16 and multiplied by two
	// instructions, the first of which takes those k with k%4 < 2. They start
	// from zero, and C is added afterwards in float32.
	pairs bool
	// variants that the probes tell apart
	zeroCounts bool // the exponent of a zero product takes part
	normalize  bool // subnormal operands are normalised before the alignment
	floor      bool // terms are cut toward minus infinity
	nearest    bool // the result is rounded to nearest even
	carry      bool // products of 2 and above count with the larger exponent
	signedZero bool // a negative sum that is rounded to zero keeps its sign
	bottomless bool // the exponent of alignment is that of the largest addend, however small
	reverse    bool // of pairs, the second comes first
	narrow     bool // of pairs, an 8-bit subnormal has its own exponent, not that of the f16
}

const noExponent = -1 << 20

// lowest is how far below D's smallest normal number the exponent of alignment
// can lie.
const lowest = 7

// term is an addend: ±m·2^scale, aligned by exponent e.
type term struct {
	negative bool
	m        uint64
	scale    int
	e        int
}

// sum computes d = c + Σ a·b for one element.
func (q model) sum(fa, fb, fd format, a, b []uint32, c uint32) uint32 {
	if q.pairs {
		var half [2][2][]uint32
		ga, gb := f16, f16
		if q.narrow {
			ga, gb = fa, fb
		}
		for k := range a {
			h := &half[k%4/2]
			if q.reverse {
				h = &half[1-k%4/2]
			}
			h[0], h[1] = append(h[0], fa.to(ga, a[k])), append(h[1], fb.to(gb, b[k]))
		}
		var s uint32
		for _, h := range half {
			s = q.step(ga, gb, fd, h[0], h[1], s)
		}
		return addF32(s, c)
	}
	n := q.group
	if n == 0 {
		n = len(a)
	}
	for i := 0; i < len(a); i += n {
		c = q.step(fa, fb, fd, a[i:min(i+n, len(a))], b[i:min(i+n, len(b))], c)
	}
	return c
}

// addF32 is the GPU's add.f32.
func addF32(x, y uint32) uint32 {
	s := math.Float32frombits(x) + math.Float32frombits(y)
	if s != s {
		return 0x7fffffff
	}
	return math.Float32bits(s)
}

func (q model) step(fa, fb, fd format, a, b []uint32, c uint32) uint32 {
	var terms [65]term
	list := terms[:0]
	isNaN, plus, minus := false, false, false
	note := func(negative bool) {
		plus, minus = plus || !negative, minus || negative
	}
	for i := range a {
		x, y := fa.decode(a[i]), fb.decode(b[i])
		negative := x.negative != y.negative
		switch {
		case x.class == nan || y.class == nan,
			x.class == infinite && y.class == number && y.m == 0,
			y.class == infinite && x.class == number && x.m == 0:
			isNaN = true
			continue
		case x.class == infinite || y.class == infinite:
			note(negative)
			continue
		}
		t := term{negative: negative, m: x.m * y.m, scale: x.e + y.e - fa.fraction - fb.fraction, e: x.e + y.e}
		if q.normalize && t.m != 0 {
			for m := x.m; m < 1<<fa.fraction; m <<= 1 {
				t.e--
			}
			for m := y.m; m < 1<<fb.fraction; m <<= 1 {
				t.e--
			}
		}
		if q.carry && t.m>>(fa.fraction+fb.fraction+1) != 0 {
			t.e++
		}
		list = append(list, t)
	}
	z := fd.decode(c)
	switch z.class {
	case nan:
		isNaN = true
	case infinite:
		note(z.negative)
	}
	if isNaN || plus && minus {
		return fd.signBit() - 1
	}
	if plus {
		return fd.infinity()
	}
	if minus {
		return fd.signBit() | fd.infinity()
	}
	ct := term{negative: z.negative, m: z.m, scale: z.e - fd.fraction, e: z.e}
	return q.round(fd, append(list, ct))
}

// round is the sum of terms as a number of the format.
func (q model) round(fd format, list []term) uint32 {
	top := noExponent
	for i := range list {
		if list[i].m != 0 || q.zeroCounts {
			top = max(top, list[i].e)
		}
	}
	if top == noExponent {
		return 0
	}
	if !q.bottomless {
		top = max(top, fd.emin()-lowest)
	}
	var total int64
	for _, t := range list {
		v := shift(t.m, t.scale-(top-q.cut), q.floor && t.negative)
		if t.negative {
			total -= int64(v)
		} else {
			total += int64(v)
		}
	}
	negative := total < 0
	if negative {
		total = -total
	}
	d := fd.assemble(negative, uint64(total), top-q.cut, q.keep, q.nearest)
	if d == fd.signBit() && !q.signedZero {
		return 0
	}
	return d
}

// shift is m·2^by without what falls below the point; up counts that as one.
func shift(m uint64, by int, up bool) uint64 {
	if by >= 0 {
		return m << by
	}
	if by < -63 {
		by = -63
	}
	v := m >> -by
	if up && v<<-by != m {
		v++
	}
	return v
}
