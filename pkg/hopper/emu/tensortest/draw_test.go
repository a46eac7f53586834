package tensortest

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
)

// A distribution draws the operands of a tile. The same generator state gives
// the same tile on every machine.
type distribution struct {
	name string
	draw func(in instruction, rng *rand.Rand) tile
}

var distributions = []distribution{
	{"normal", drawNormal},
	{"accumulator above the products", drawAccumulated},
	{"any finite bits", drawBits},
	{"specials, 1 %", drawSpecials},
	{"close cancellation", drawCancelling},
	{"exponents within 3", drawNarrow},
	{"mostly zeros", drawSparse},
	{"subnormals", drawTiny},
	{"near overflow", drawHuge},
	{"exponents around the cut", drawLadder},
}

// randomTile is tile i of an instruction: the distributions take turns.
func (in instruction) randomTile(seed uint64, i int) tile {
	h := fnv.New64a()
	h.Write([]byte(in.String()))
	rng := rand.New(rand.NewPCG(seed^h.Sum64(), uint64(i)))
	return distributions[i%len(distributions)].draw(in, rng)
}

// rounded is the code nearest to a number. All NaNs become one.
func (f format) rounded(v float64) uint32 {
	switch {
	case v != v:
		return f.signBit() - 1
	case math.IsInf(v, 1):
		return f.infinity()
	case math.IsInf(v, -1):
		return f.infinity() | f.signBit()
	}
	return f.nearestCode(v)
}

// nearestCode is the code nearest to a number, of the finite ones.
func (f format) nearestCode(v float64) uint32 {
	var sign uint32
	if math.Signbit(v) {
		sign, v = f.signBit(), -v
	}
	if v == 0 {
		return sign
	}
	_, e := math.Frexp(v)
	e = max(e-1, f.emin())
	m := math.RoundToEven(math.Ldexp(v, f.fraction-e))
	if e > f.emax() {
		return sign | f.largest()
	}
	n := uint32(m)
	if n >= 1<<f.fraction {
		n += uint32(e+f.bias()-1) << f.fraction
	}
	return sign | min(n<<f.skip, f.largest())
}

// bits is any code that is a finite number.
func (f format) bits(rng *rand.Rand) uint32 {
	for {
		code := rng.Uint32() & (f.signBit()<<1 - 1)
		if f.decode(code).class == number {
			return code
		}
	}
}

// scaled is a number with a random sign and fraction and a given exponent,
// which is brought into the format's range.
func (f format) scaled(rng *rand.Rand, e int) uint32 {
	e = min(max(e, f.emin()-f.fraction), f.emax())
	return f.nearestCode(math.Ldexp(1+rng.Float64(), e)) | f.signBit()*rng.Uint32N(2)
}

// noise is the bits that a code has to spare, which must not matter.
func (f format) noise(rng *rand.Rand) uint32 { return rng.Uint32() & (1<<f.skip - 1) }

func (in instruction) fill(rng *rand.Rand, a, b, c func() uint32) tile {
	t := in.newTile()
	for i := range t.a {
		t.a[i] = a() | in.a.noise(rng)
	}
	for i := range t.b {
		t.b[i] = b() | in.b.noise(rng)
	}
	for i := range t.c {
		t.c[i] = c()
	}
	return t
}

func normal(f format, rng *rand.Rand, scale float64) func() uint32 {
	return func() uint32 { return f.nearestCode(rng.NormFloat64() * scale) }
}

func drawNormal(in instruction, rng *rand.Rand) tile {
	return in.fill(rng, normal(in.a, rng, 1), normal(in.b, rng, 1), normal(in.d, rng, 1))
}

func drawAccumulated(in instruction, rng *rand.Rand) tile {
	scale := math.Ldexp(1, rng.IntN(14))
	return in.fill(rng, normal(in.a, rng, 1), normal(in.b, rng, 1), normal(in.d, rng, scale))
}

func drawBits(in instruction, rng *rand.Rand) tile {
	c := func() uint32 { return in.d.bits(rng) }
	if in.a.exponent < 8 && in.d.exponent == 8 && rng.IntN(4) != 0 {
		low, high := in.a.emin()+in.b.emin()-20, in.a.emax()+in.b.emax()+8
		c = func() uint32 { return in.d.scaled(rng, low+rng.IntN(high-low)) }
	}
	return in.fill(rng, func() uint32 { return in.a.bits(rng) }, func() uint32 { return in.b.bits(rng) }, c)
}

// special is one of the codes that arithmetic treats apart.
func (f format) special(rng *rand.Rand) uint32 {
	inf := f.infinity()
	if f.finite {
		inf = f.largest()
	}
	code := []uint32{0, 0, 1 << f.skip, f.largest(), inf, inf, inf, f.signBit() - 1, inf | 1<<f.skip, inf | f.signBit()>>3}[rng.IntN(10)]
	return code | f.signBit()*rng.Uint32N(2)
}

func drawSpecials(in instruction, rng *rand.Rand) tile {
	mix := func(f format) func() uint32 {
		plain := normal(f, rng, 1)
		return func() uint32 {
			if rng.IntN(100) == 0 {
				return f.special(rng)
			}
			return plain()
		}
	}
	t := in.fill(rng, mix(in.a), mix(in.b), mix(in.d))
	// Spare bits can make a NaN of an infinity: sometimes only they are set.
	if in.a.skip == 0 || rng.IntN(2) == 0 {
		return t
	}
	for i := range t.a {
		t.a[i] &^= 1<<in.a.skip - 1
	}
	for i := range t.b {
		t.b[i] &^= 1<<in.b.skip - 1
	}
	return t
}

// drawCancelling has pairs of k with products that are equal but for a bit and
// of opposite sign, and sometimes an accumulator that takes the rest away.
func drawCancelling(in instruction, rng *rand.Rand) tile {
	spread := 1 + rng.IntN(12)
	t := in.fill(rng, func() uint32 { return in.a.scaled(rng, rng.IntN(spread)-spread/2) },
		func() uint32 { return in.b.scaled(rng, rng.IntN(spread)-spread/2) }, func() uint32 { return 0 })
	for i := 0; i+1 < len(t.a); i += 2 {
		t.a[i+1] = t.a[i] ^ in.a.signBit()
		if rng.IntN(8) == 0 {
			t.a[i+1] ^= 1 << in.a.skip
		}
	}
	for i := 0; i+1 < len(t.b); i += 2 {
		t.b[i+1] = t.b[i]
		if rng.IntN(8) == 0 {
			t.b[i+1] ^= 1 << in.b.skip
		}
	}
	for row := range in.rows() {
		for n := range in.n {
			var sum float64
			for k := range in.k {
				sum += in.a.value(t.a[row*in.k+k]) * in.b.value(t.b[n*in.k+k])
			}
			switch c := &t.c[row*in.n+n]; rng.IntN(3) {
			case 0:
				*c = in.d.nearestCode(-sum)
			case 1:
				*c = in.d.nearestCode(rng.NormFloat64() * 0x1p-10)
			}
		}
	}
	return t
}

func drawNarrow(in instruction, rng *rand.Rand) tile {
	return in.fill(rng, func() uint32 { return in.a.scaled(rng, rng.IntN(3)) }, func() uint32 { return in.b.scaled(rng, rng.IntN(2)) },
		func() uint32 { return in.d.scaled(rng, rng.IntN(8)) })
}

func drawSparse(in instruction, rng *rand.Rand) tile {
	sparse := func(f format) func() uint32 {
		return func() uint32 {
			if rng.IntN(4) != 0 {
				return f.signBit() * rng.Uint32N(2)
			}
			return f.scaled(rng, rng.IntN(f.emax()-f.emin())+f.emin())
		}
	}
	c := func() uint32 {
		if rng.IntN(2) != 0 {
			return in.d.signBit() * rng.Uint32N(2)
		}
		return in.d.scaled(rng, in.a.emin()+in.b.emin()+rng.IntN(in.a.emax()-in.a.emin()+in.b.emax()-in.b.emin()))
	}
	return in.fill(rng, sparse(in.a), sparse(in.b), c)
}

// drawTiny has subnormal numbers in one operand or in both, and results and
// accumulators around the smallest normal number of D or of the products.
func drawTiny(in instruction, rng *rand.Rand) tile {
	tiny := func(f format, reach int) func() uint32 {
		return func() uint32 { return f.scaled(rng, f.emin()-f.fraction+rng.IntN(f.fraction+reach)) }
	}
	a, b := tiny(in.a, 4), tiny(in.b, 4)
	low := in.a.emin() + in.b.emin() - in.a.fraction - in.b.fraction
	switch rng.IntN(4) {
	case 0:
		a, low = func() uint32 { return in.a.scaled(rng, rng.IntN(6)-3) }, in.b.emin()-in.b.fraction
	case 1:
		b, low = func() uint32 { return in.b.scaled(rng, rng.IntN(6)-3) }, in.a.emin()-in.a.fraction
	case 2: // products around the smallest number of D
		e := in.d.emin() - in.d.fraction/2
		a = func() uint32 { return in.a.scaled(rng, e/2+rng.IntN(16)-8) }
		b = func() uint32 { return in.b.scaled(rng, e-e/2+rng.IntN(16)-8) }
		low = e - 16
	}
	c := func() uint32 {
		switch rng.IntN(4) {
		case 0:
			return in.d.signBit() * rng.Uint32N(2)
		case 1:
			return tiny(in.d, 8)()
		}
		return in.d.scaled(rng, low+rng.IntN(30))
	}
	return in.fill(rng, a, b, c)
}

func drawHuge(in instruction, rng *rand.Rand) tile {
	top := min(in.a.emax()+in.b.emax(), in.d.emax()+1) // of products: no larger than D's overflow
	drop := in.a.emax() + in.b.emax() - top
	a := func() uint32 { return in.a.scaled(rng, in.a.emax()-drop/2-rng.IntN(4)) }
	b := func() uint32 { return in.b.scaled(rng, in.b.emax()-(drop-drop/2)-rng.IntN(4)) }
	sign := rng.Uint32N(2) // sometimes all are of one sign
	if rng.IntN(3) == 0 {
		inner := a
		a = func() uint32 { return inner()&^in.a.signBit() | in.a.signBit()*sign }
		innerB := b
		b = func() uint32 { return innerB() &^ in.b.signBit() }
	}
	c := func() uint32 { return in.d.scaled(rng, in.d.emax()-rng.IntN(8)) }
	if rng.IntN(3) == 0 {
		c = func() uint32 { return in.d.scaled(rng, top+rng.IntN(8)-4) }
	}
	return in.fill(rng, a, b, c)
}

// drawLadder has in each row one or two large products and others about as far
// below as the tensor core cuts, for FP8 and for the others.
func drawLadder(in instruction, rng *rand.Rand) tile {
	t := in.fill(rng, func() uint32 { return 0 }, func() uint32 { return in.b.scaled(rng, 0) }, func() uint32 { return 0 })
	distance := 10 + rng.IntN(20)
	room := in.a.emax() - (in.a.emin() - in.a.fraction)
	base := min(in.a.emax()-1, in.a.emin()-in.a.fraction+distance+6, in.d.emax()-8)
	// Where A alone has no room for the distance, B has the rest of it.
	rest := max(0, distance-room+8)
	if rest > 0 {
		for i := range t.b {
			if i%2 == 1 {
				t.b[i] = in.b.scaled(rng, -min(rest, -in.b.emin()))
			}
		}
	}
	for row := range in.rows() {
		for k := range in.k {
			e := base - distance + rng.IntN(5) - 2
			if k%2 == 1 {
				e += rest
			}
			t.a[row*in.k+k] = in.a.scaled(rng, e) | in.a.noise(rng)
		}
		for range 1 + rng.IntN(2) {
			t.a[row*in.k+rng.IntN(in.k)] = in.a.scaled(rng, base)
		}
		for n := range in.n {
			if rng.IntN(3) != 0 {
				t.c[row*in.n+n] = in.d.scaled(rng, base-rng.IntN(distance+4))
			}
		}
	}
	return t
}
