package matrix

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gohopper/pkg/hopper/num"
)

// Tile is the part of the product that one CTA computes at a time: M x N of C,
// in steps of K.
type Tile struct{ M, N, K int }

// Options say what is compared with what. The zero value is the usual case.
type Options struct {
	Tile Tile       // the kernel's tile, for sampling and diagnosis; zero: 128 x 128 x 64
	Type num.Format // of C: f16, bf16 or f32; zero: the type of A
	Unit float64    // of the accumulation; zero: UnitF32
	Seed uint64     // chooses samples and weights
}

// Reference knows the answer C = A·Bᵀ. Make it once, then check as many
// results as you like, before and after timing, say. A and B must not change
// as long as it is in use.
type Reference struct {
	Shape Shape

	a, b    *Matrix
	tile    Tile
	typ     num.Format
	unit    float64
	seed    uint64
	patches []*patch // the elements known exactly
	screen  *screen  // nil if they are all known exactly
}

// What is small enough for a full reference: about a second on two cores, and
// 256 MiB.
const (
	fullProducts = 1 << 31
	fullElements = 1 << 24
)

// NewReference computes the answer, or what is needed to check one. A is
// M x K and B is N x K; the error says what does not fit. The package comment
// tells what is checked how. A product costs about a nanosecond of one core;
// 8192 cubed takes about 30 core seconds and 1 GiB.
func NewReference(a, b *Matrix, o Options) (*Reference, error) {
	return newReference(a, b, o, fullProducts, fullElements)
}

func newReference(a, b *Matrix, o Options, products, elements int) (*Reference, error) {
	r, err := outline(a, b, o, products, elements)
	if err != nil {
		return nil, err
	}
	r.compute()
	return r, nil
}

// compute finds the answer of an outline.
func (r *Reference) compute() {
	for _, p := range r.patches {
		p.compute(r.a, r.b, r.Shape.K, true)
	}
	if r.screen != nil {
		r.screen.compute(r.a, r.b, r.unit)
	}
}

// outline is a reference that knows what it will look at, and no answer yet.
func outline(a, b *Matrix, o Options, products, elements int) (*Reference, error) {
	if o.Tile.M < 1 || o.Tile.N < 1 || o.Tile.K < 1 {
		o.Tile = Tile{M: 128, N: 128, K: 64}
	}
	if o.Type == 0 {
		o.Type = a.Type
	}
	if o.Unit == 0 {
		o.Unit = UnitF32
	}
	r := &Reference{
		Shape: Shape{M: a.Rows, N: b.Rows, K: a.Cols},
		a:     a, b: b, tile: o.Tile, typ: o.Type, unit: o.Unit, seed: o.Seed,
	}
	if err := r.refuse(); err != nil {
		return nil, err
	}
	s := r.Shape
	if s.M*s.N <= elements && s.M*s.N*s.K <= products {
		r.patches = []*patch{{rows: upTo(s.M), cols: upTo(s.N)}}
		return r, nil
	}
	rng := rand.New(rand.NewPCG(mix(o.Seed), 1))
	rows, otherRows := sample(s.M, o.Tile.M, rng)
	cols, _ := sample(s.N, o.Tile.N, rng)
	r.patches = []*patch{{rows: rows, cols: upTo(s.N)}, {rows: otherRows, cols: cols}}
	r.screen = newScreen(b.Rows, rng)
	return r, nil
}

// refuse says why there can be no reference.
func (r *Reference) refuse() error {
	if r.a.Cols != r.b.Cols {
		return fmt.Errorf("operand A is %d x %d and B is %d x %d: both are stored with K last, so they must have as many columns", r.a.Rows, r.a.Cols, r.b.Rows, r.b.Cols)
	}
	if err := r.Shape.Validate(); err != nil {
		return err
	}
	switch r.typ {
	case num.FormatF16, num.FormatBF16, num.FormatF32:
	default:
		return fmt.Errorf("a result of type %v cannot be checked: set Options.Type to f16, bf16 or f32", r.typ)
	}
	for _, m := range []struct {
		name string
		*Matrix
	}{{"A", r.a}, {"B", r.b}} {
		if i, j, found := m.notFinite(); found {
			return fmt.Errorf("%s has %v at (%d, %d): there is no product to compare with; fill the operands with finite values", m.name, m.At(i, j), i, j)
		}
	}
	return nil
}

// notFinite finds the first NaN or infinity.
func (m *Matrix) notFinite() (row, col int, found bool) {
	first := make([]int, m.Rows)
	parallel(m.Rows, func(i int) {
		values := make([]float64, m.Cols)
		m.row(i, 0, values)
		first[i] = -1
		for j, v := range values {
			if v-v != 0 {
				first[i] = j
				return
			}
		}
	})
	for i, j := range first {
		if j >= 0 {
			return i, j, true
		}
	}
	return 0, 0, false
}

// sample chooses one index from each band of the given width, so that each
// tile is hit: the band's first, its last and a random one in turn, and always
// the very first and the very last. It returns the others too.
func sample(n, width int, rng *rand.Rand) (chosen, others []int) {
	picked := make([]bool, n)
	picked[0], picked[n-1] = true, true
	for band, from := 0, 0; from < n; band, from = band+1, from+width {
		end := min(from+width, n)
		switch band % 3 {
		case 0:
			picked[end-1] = true
		case 1:
			picked[from+rng.IntN(end-from)] = true
		case 2:
			picked[from] = true
		}
	}
	for i, p := range picked {
		if p {
			chosen = append(chosen, i)
		} else {
			others = append(others, i)
		}
	}
	return chosen, others
}

func upTo(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// Check compares c with the answer.
func (r *Reference) Check(c *Matrix) Report {
	report := Report{Shape: r.Shape, Type: r.typ}
	if c.Rows != r.Shape.M || c.Cols != r.Shape.N || c.Type != r.typ {
		report.Diagnosis = []string{fmt.Sprintf("C is a %d x %d matrix of %v, but the product is %d x %d of %v", c.Rows, c.Cols, c.Type, r.Shape.M, r.Shape.N, r.typ)}
		return report
	}
	var total tally
	for _, p := range r.patches {
		total.merge(r.compare(c, p))
	}
	if r.screen != nil {
		suspects := r.screen.suspects(c)
		report.Screened, report.Suspects = r.Shape.M*r.Shape.N, len(suspects)
		total.merge(r.confirm(c, suspects))
	}
	report.fill(total)
	if !report.OK() {
		report.Diagnosis = r.diagnose(c, total)
	}
	return report
}

// compare judges the elements of a patch.
func (r *Reference) compare(c *Matrix, p *patch) tally {
	gamma := Gamma(r.Shape.K, r.unit)
	each := make([]tally, len(p.rows))
	parallel(len(p.rows), func(n int) {
		i := p.rows[n]
		for m, j := range p.cols {
			at := n*len(p.cols) + m
			r.judge(&each[n], c, i, j, p.sum[at], p.mag[at], gamma)
		}
	})
	var total tally
	for _, t := range each {
		total.merge(t)
	}
	return total
}

func (r *Reference) judge(t *tally, c *Matrix, i, j int, sum, mag, gamma float64) {
	e := Element{Row: i, Col: j, Got: c.At(i, j), Want: sum}
	var err float64
	var ok bool
	err, e.Bound, ok = judge(r.typ, e.Got, sum, gamma*mag)
	t.add(e, err, mag, ok, r.tile)
}

// exact is the sum and the sum of magnitudes of one element over a part of K.
func (r *Reference) exact(i, j, from, to int) (sum, mag float64) {
	x, y := make([]float64, to-from), make([]float64, to-from)
	r.a.row(i, from, x)
	r.b.row(j, from, y)
	return dot(x, y)
}

func dot(x, y []float64) (sum, mag float64) {
	for k := range x {
		p := x[k] * y[k]
		sum += p
		mag += math.Abs(p)
	}
	return sum, mag
}

// Check compares c with the product of a and b, once. The error says why there
// is nothing to compare with; a wrong c is no error but a Report that is not
// OK.
func Check(a, b, c *Matrix, o Options) (Report, error) {
	r, err := NewReference(a, b, o)
	if err != nil {
		return Report{}, err
	}
	return r.Check(c), nil
}
