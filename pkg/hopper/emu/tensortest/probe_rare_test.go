package tensortest

import (
	"fmt"
	"math"
)

// zeros: L, small and -L beside a zero product that has a large factor, or an
// accumulator of zero, which may or may not raise the exponent of alignment.
func (p *prober) zeros() {
	topA, topB := p.a.largest(), p.b.largest()
	for _, low := range []int{0, 4, 8, 16, 24, 32, 120, 140, 160} {
		for d := 6; d < 34; d++ {
			at := func() map[int]factors {
				return map[int]factors{0: p.below(1, low), 1: p.below(1, low+d), 2: p.below(-1, low)}
			}
			about := fmt.Sprintf("L=2^%d d=%d", p.base-low, d)
			p.add("zeros, none", about, 0, at())
			p.add("zeros, -0 accumulator", about, math.Copysign(0, -1), at())
			x := at()
			x[3] = factors{0, topB, true}
			p.add("zeros, 0·large", about, 0, x)
			x = at()
			x[3] = factors{topA, p.b.signBit(), true}
			p.add("zeros, large·-0", about, 0, x)
		}
	}
}

// subnormals: L is a product of a subnormal operand; -L the same number from
// normal operands, or from the same ones.
func (p *prober) subnormals() {
	for s := range p.a.fraction {
		for _, eb := range []int{-3, 0, 3, 9, 15} {
			v := math.Ldexp(1, p.a.emin()-p.a.fraction+s)
			w := math.Ldexp(1, eb)
			for d := 2; d < 34; d++ {
				for _, digits := range []float64{1, 1.5} { // the latter is not a tie of f16 where its half is cut
					about := fmt.Sprintf("2^%d·2^%d small=%g d=%d", p.a.emin()-p.a.fraction+s, eb, digits, d)
					small := p.product(math.Ldexp(v*w*digits, -d))
					p.add("subnormal A", about, 0, map[int]factors{0: p.exact(v, w), 1: small, 2: p.exact(-v, w)})
					p.add("subnormal A and normal", about, 0, map[int]factors{0: p.exact(v, w), 1: small, 2: p.exact(-math.Ldexp(v, p.a.fraction+1), math.Ldexp(w, -p.a.fraction-1))})
					p.add("subnormal A, accumulator", about, -v*w, map[int]factors{0: p.exact(v, w), 1: small})
				}
			}
		}
	}
	for s := range p.d.fraction + 4 {
		v := math.Ldexp(1, p.d.emin()-p.d.fraction+s)
		p.add("subnormal accumulator", fmt.Sprintf("c=2^%d", p.d.emin()-p.d.fraction+s), v, nil)
		p.add("subnormal accumulator", fmt.Sprintf("c=-2^%d", p.d.emin()-p.d.fraction+s), -v, nil)
		for d := range 30 {
			about := fmt.Sprintf("c=2^%d d=%d", p.d.emin()-p.d.fraction+s, d)
			p.add("subnormal accumulator, small", about, v, map[int]factors{0: p.product(math.Ldexp(-v, -d))})
			p.add("subnormal accumulator, cancelled", about, v, map[int]factors{0: p.product(-v), 1: p.product(math.Ldexp(v, -d))})
		}
		p.add("subnormal product", fmt.Sprintf("2^%d", p.d.emin()-p.d.fraction+s), 0, map[int]factors{0: p.product(v)})
	}
}

// smallest: products so small that the exponent of an accumulator of zero could
// lie above theirs, alone and at a tie of D's smallest number.
func (p *prober) smallest() {
	half := math.Ldexp(1, p.d.emin()-p.d.fraction-1)
	for _, c := range []float64{0, math.Copysign(0, -1), 2 * half, -2 * half} {
		for d := range 30 {
			p.add("smallest, tie", fmt.Sprintf("c=%g d=%d", c, d), c, map[int]factors{0: p.product(half), 1: p.product(math.Ldexp(half, -d))})
			p.add("smallest, below", fmt.Sprintf("c=%g d=%d", c, d), c, map[int]factors{0: p.product(-half), 1: p.product(math.Ldexp(half, -d))})
			at := map[int]factors{}
			for x := range p.k {
				at[x] = p.product(math.Ldexp(half, -d))
			}
			p.add("smallest, all", fmt.Sprintf("c=%g d=%d", c, d), c, at)
		}
	}
}

// specialCodes are the codes of a format that arithmetic treats apart.
func (f format) specialCodes() []uint32 {
	one, _ := f.code(1)
	codes := []uint32{0, 1 << f.skip, one, f.largest(), f.signBit() - 1}
	if !f.finite {
		codes = append(codes, f.infinity(), f.infinity()|1<<f.skip)
		if f.skip > 0 {
			codes = append(codes, f.infinity()|1, f.infinity()|1<<(f.skip-1), 1, 0x1fff)
		}
	}
	for _, c := range codes {
		codes = append(codes, c|f.signBit())
	}
	return codes
}

func (p *prober) specials() {
	for _, a := range p.a.specialCodes() {
		for _, b := range p.b.specialCodes() {
			for _, c := range p.d.specialCodes() {
				p.addCode("specials", fmt.Sprintf("%x·%x + %x", a, b, c), c, map[int]factors{p.k - 2: {a, b, true}})
			}
			one, _ := p.b.code(-1)
			for _, a2 := range p.a.specialCodes() {
				p.addCode("specials, two", fmt.Sprintf("%x·%x - %x", a, b, a2), 0,
					map[int]factors{0: {a, b, true}, p.k - 1: {a2, one, true}})
			}
		}
	}
	// Zeros of both signs: every product, all but one, none.
	for n := range p.k + 1 {
		for _, c := range []uint32{0, p.d.signBit()} {
			at := map[int]factors{}
			for x := range n {
				at[x] = factors{p.a.signBit(), 0, true}
			}
			p.addCode("negative zero", fmt.Sprintf("%d products c=%x", n, c), c, at)
		}
	}
	for _, c := range []float64{0, math.Copysign(0, -1)} {
		p.add("cancelled to zero", fmt.Sprintf("c=%v", c), c, map[int]factors{0: p.large(1), 1: p.large(-1)})
		p.add("cancelled to zero, negative zeros", fmt.Sprintf("c=%v", c), c,
			map[int]factors{0: p.large(1), 1: p.large(-1), 2: {p.a.signBit(), 0, true}})
	}
	p.add("cancelled to zero", "by c", math.Ldexp(1, p.base), map[int]factors{1: p.large(-1)})
	p.add("cancelled to zero", "by -c", -math.Ldexp(1, p.base), map[int]factors{1: p.large(1)})
	for d := range 40 {
		p.add("cut to zero", fmt.Sprintf("d=%d", d), -math.Ldexp(1, p.base), map[int]factors{1: p.large(1), 2: p.below(-1, d)})
	}
}

// overflow: sums and products at and beyond the largest number of D.
func (p *prober) overflow() {
	largest := p.d.value(p.d.largest())
	for _, sign := range []float64{1, -1} {
		for d := -8; d < 40; d++ {
			small := math.Ldexp(1, p.d.emax()-d)
			about := fmt.Sprintf("%+g d=%d", sign, d)
			for _, v := range []float64{1, 1.5} {
				p.add("overflow, accumulator", about, sign*largest, map[int]factors{0: p.product(sign * small * v)})
				p.add("overflow, accumulator two", about, sign*largest, map[int]factors{0: p.product(sign * small * v), 1: p.product(sign * small / 4)})
				p.add("overflow, product", about, 0, map[int]factors{0: p.product(sign * small * v)})
				p.add("overflow, cancelled", about, sign, map[int]factors{0: p.product(sign * small * v), p.k - 1: p.product(-sign * small * v)})
				p.add("overflow, back by c", about, -sign*largest, map[int]factors{0: p.product(sign * small * v)})
				p.add("overflow, half back", about, 0, map[int]factors{0: p.product(sign * small * v), 1: p.product(sign * small * v), 2: p.product(-sign * small)})
			}
		}
		for n := 1; n < p.k; n++ {
			at := map[int]factors{}
			for x := range n {
				at[x] = p.product(sign * math.Ldexp(1, p.d.emax()))
			}
			p.add("overflow, count", fmt.Sprintf("%+g n=%d", sign, n), 0, at)
		}
	}
}

// ties: halves of D's last place, with and without something below.
func (p *prober) ties() {
	ulp := math.Ldexp(1, -p.d.fraction)
	for _, c := range []float64{1, 1 + ulp, 2 - ulp, -1, -1 - ulp} {
		for _, v := range []float64{0.5, 0.25, 0.75, -0.5, -0.25, -0.75} {
			p.add("ties", fmt.Sprintf("c=%v %g ulp", c, v), c, map[int]factors{0: p.product(v * ulp)})
			for d := range 40 {
				for _, sign := range []float64{1, -1} {
					p.add("ties, sticky", fmt.Sprintf("c=%v %g ulp %+g·2^-%d ulp", c, v, sign, d), c,
						map[int]factors{0: p.product(v * ulp), 1: p.product(sign * math.Ldexp(ulp, -d))})
				}
			}
		}
	}
}
