package tensortest

import (
	"fmt"
	"math"
)

// probe is one element of D with chosen operands, made to show one thing.
type probe struct {
	family string
	about  string // which member of the family
	a, b   []uint32
	c      uint32
}

// factors are the operands of one product.
type factors struct {
	a, b uint32
	ok   bool
}

// product finds operands whose product is a number: a power of two in B, about
// as large as A, or as large as can be.
func (in instruction) product(v float64) factors {
	if v == 0 {
		return factors{ok: true}
	}
	_, e := math.Frexp(v)
	e--
	low := in.b.emin() - in.b.fraction
	for _, eb := range []int{min(max(e/2, e-in.a.emax()), e-in.a.emin()), in.b.emin(), low, low + 1, low + 2, in.b.emax()} {
		if f := in.exact(math.Ldexp(v, -eb), math.Ldexp(1, eb)); f.ok {
			return f
		}
	}
	return factors{}
}

// exact is the product of two given numbers.
func (in instruction) exact(a, b float64) factors {
	x, okA := in.a.code(a)
	y, okB := in.b.code(b)
	return factors{x, y, okA && okB}
}

// prober collects the probes of an instruction.
type prober struct {
	instruction
	base int // exponent of the large products
	list []probe
}

// add makes a probe of products at places along k and an accumulator, if the
// formats hold all of them.
func (p *prober) add(family, about string, c float64, at map[int]factors) {
	code, ok := p.d.code(c)
	for _, f := range at {
		ok = ok && f.ok
	}
	if ok {
		p.addCode(family, about, code, at)
	}
}

func (p *prober) addCode(family, about string, c uint32, at map[int]factors) {
	q := probe{family: family, about: about, a: make([]uint32, p.k), b: make([]uint32, p.k), c: c}
	for k, f := range at {
		q.a[k%p.k], q.b[k%p.k] = f.a, f.b
	}
	p.list = append(p.list, q)
}

// probes are all structured probes of an instruction. How wide D is cannot
// matter to one element, nor where A comes from: only the narrow forms have them.
func (in instruction) probes() []probe {
	if in.n != 8 || in.way != shared {
		return nil
	}
	// The large products lie where smaller ones have room below.
	base := max(0, in.a.emin()-in.a.fraction+in.b.emin()-in.b.fraction+32)
	p := &prober{instruction: in, base: base}
	p.kept()
	p.pairs()
	p.direction()
	p.accumulator()
	p.many()
	p.unnormalized()
	p.zeros()
	p.subnormals()
	p.smallest()
	p.specials()
	p.overflow()
	p.ties()
	return p.list
}

func (p *prober) large(sign float64) factors { return p.product(sign * math.Ldexp(1, p.base)) }

func (p *prober) below(v float64, d int) factors { return p.product(v * math.Ldexp(1, p.base-d)) }

// kept: L, s·2^-d·L and -L at several places: what is left shows the bits kept.
func (p *prober) kept() {
	k := p.k
	for _, at := range [][3]int{{0, 1, 2}, {0, k - 1, 1}, {k - 1, 0, k / 2}, {0, k / 2, 1}, {1, 0, 3}, {k / 2, 1, 0}, {0, 2, k - 1}, {k - 2, k - 1, 0}} {
		for d := range 36 {
			for _, sign := range []float64{1, -1} {
				p.add("kept", fmt.Sprintf("%v d=%d sign=%+g", at, d, sign), 0,
					map[int]factors{at[0]: p.large(1), at[1]: p.below(sign, d), at[2]: p.large(-1)})
			}
		}
	}
}

// pairs: L at i, -L at j, small products everywhere else.
func (p *prober) pairs() {
	for i := range p.k {
		for j := range i {
			for _, d := range []int{12, 24, 25, 27} {
				at := map[int]factors{}
				for x := range p.k {
					at[x] = p.below(1, d)
				}
				at[i], at[j] = p.large(1), p.large(-1)
				p.add("pairs", fmt.Sprintf("(%d,%d) d=%d", i, j, d), 0, at)
			}
		}
	}
}

// direction: a small product of two bits, cut between or below them.
func (p *prober) direction() {
	for d := 6; d < 34; d++ {
		for _, sign := range []float64{1, -1} {
			for _, small := range []float64{1.5, -1.5, 1.25, -1.25} {
				p.add("direction", fmt.Sprintf("L=%+g small=%+g d=%d", sign, small, d), 0,
					map[int]factors{0: p.large(sign), 1: p.below(small, d), 2: p.large(-sign)})
			}
		}
	}
}

// accumulator: it is large and cancelled, or small beside products that cancel.
func (p *prober) accumulator() {
	large := math.Ldexp(1, p.base)
	ones := 2 - math.Ldexp(1, -p.d.fraction)
	for d := range 42 {
		for _, sign := range []float64{1, -1} {
			for _, small := range []float64{1, 1.5, 1.25} {
				p.add("accumulator large", fmt.Sprintf("c=%+g small=%g d=%d", sign, small, d), sign*large,
					map[int]factors{0: p.large(-sign), 1: p.below(small, d)})
				p.add("accumulator large, last", fmt.Sprintf("c=%+g small=%g d=%d", sign, small, d), sign*large,
					map[int]factors{p.k - 1: p.large(-sign), 1: p.below(small, d)})
			}
			for _, small := range []float64{1, 1.5, ones} {
				p.add("accumulator small", fmt.Sprintf("c=%+g·%g·2^-%d", sign, small, d), sign*small*math.Ldexp(large, -d),
					map[int]factors{0: p.large(1), p.k - 1: p.large(-1)})
			}
		}
	}
}

// many: one large addend and n small ones.
func (p *prober) many() {
	large := math.Ldexp(1, p.base)
	for d := 6; d < 32; d++ {
		for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 31} {
			for _, sign := range []float64{1, -1} {
				for _, v := range []float64{1, 1.5} {
					if n >= p.k {
						continue
					}
					at := map[int]factors{}
					for x := range n {
						at[p.k-1-x] = p.below(v, d)
					}
					about := fmt.Sprintf("n=%d of %g d=%d L=%+g", n, v, d, sign)
					p.add("many and accumulator", about, sign*large, at)
					at[0] = p.large(sign)
					p.add("many", about, 0, at)
				}
			}
		}
	}
	// Sums that carry beyond the largest addend.
	top := func(f format) float64 { return 2 - math.Ldexp(1, -f.fraction) }
	for n := 1; n <= p.k; n++ {
		for _, sign := range []float64{1, -1} {
			at := map[int]factors{}
			for x := range n {
				at[x] = p.exact(sign*top(p.a), top(p.b))
			}
			p.add("carry", fmt.Sprintf("n=%d %+g", n, sign), 0, at)
			p.add("carry", fmt.Sprintf("n=%d %+g c=7.5", n, sign), sign*7.5, at)
			p.add("carry", fmt.Sprintf("n=%d %+g c=1", n, sign), -sign, at)
		}
	}
}

// unnormalized: L is the product of two significands, 2 or more.
func (p *prober) unnormalized() {
	e := p.base / 2
	for _, s := range []float64{1.25, 1.5, 1.75} {
		v := math.Ldexp(s, e)
		w := math.Ldexp(s, p.base-e)
		for d := 6; d < 36; d++ {
			for _, small := range []float64{1, -1, 1.5} {
				p.add("unnormalized", fmt.Sprintf("%g² small=%g d=%d", s, small, d), 0,
					map[int]factors{0: p.exact(v, w), 1: p.below(small, d), 2: p.exact(-v, w)})
			}
			p.add("unnormalized, accumulator", fmt.Sprintf("%g² c=%d", s, d), 1.5*math.Ldexp(1, p.base-d),
				map[int]factors{0: p.exact(v, w), 2: p.exact(-v, w)})
		}
	}
}

// probeTiles packs probes eight to a tile: probe i has row i%8 and column i%8,
// and again row 8+i%8. The other elements cross the operands of two probes.
func (in instruction) probeTiles(list []probe) []tile {
	var tiles []tile
	for i := 0; i < len(list); i += 8 {
		t := in.newTile()
		for j, q := range list[i:min(i+8, len(list))] {
			for row := j; row < in.rows(); row += 8 {
				copy(t.a[row*in.k:], q.a)
				for n := range in.n {
					t.c[row*in.n+n] = q.c
				}
			}
			copy(t.b[j*in.k:], q.b)
		}
		tiles = append(tiles, t)
	}
	return tiles
}
