package matrix

import (
	"math"
	"math/rand/v2"
	"slices"
)

// groupSize is the number of neighbouring columns of C that the screen looks
// at together. Its work is 1/groupSize of the full product.
const groupSize = 16

// screen is a randomised check of every element (Freivalds, 1977), made in
// groups: for weights w and a group J of columns, Σ_J w_j·c_ij must equal
// Σ_k a_ik·(Σ_J w_j·b_jk), which costs one product for the whole group.
// A group that misses the equation by more than rounding explains is a
// suspect; confirm decides about it element by element.
type screen struct {
	weights []float64 // one for each column of C: ±[1, 2), so that no exchange of columns cancels
	groups  int
	project []float64 // M x groups: the right side of the equation
	spread  []float64 // Σ_J w_j², one for each group
	normA   []float64 // of each row of A, times the unit and the usual growth of an error
	normB   []float64 // the largest of each group
}

// newScreen draws the weights for a product of so many columns.
func newScreen(cols int, rng *rand.Rand) *screen {
	s := &screen{weights: make([]float64, cols), groups: ceilDiv(cols, groupSize)}
	for j := range s.weights {
		s.weights[j] = 1 + rng.Float64()
		if rng.Uint64()&1 == 0 {
			s.weights[j] = -s.weights[j]
		}
	}
	return s
}

// compute takes the right side of the equation and the norms.
func (s *screen) compute(a, b *Matrix, unit float64) {
	k := a.Cols
	s.normA = norms(a)
	for i := range s.normA {
		// What an accumulation usually is off by, relative to the norms of
		// the two rows: rounding to nearest about 0.2·u, truncation up to
		// √K/48·u.
		s.normA[i] *= unit * (1 + math.Sqrt(float64(k))/32)
	}
	s.spread, s.normB = make([]float64, s.groups), make([]float64, s.groups)
	normB := norms(b)
	mixed := floats{cols: k, data: make([]float64, s.groups*k)}
	parallel(s.groups, func(g int) {
		sum, row := mixed.data[g*k:][:k], make([]float64, k)
		for j := g * groupSize; j < min((g+1)*groupSize, b.Rows); j++ {
			b.row(j, 0, row)
			w := s.weights[j]
			for p, v := range row {
				sum[p] += w * v
			}
			s.spread[g] += w * w
			s.normB[g] = max(s.normB[g], normB[j])
		}
	})
	product := &patch{rows: upTo(a.Rows), cols: upTo(s.groups)}
	product.compute(a, mixed, k, false)
	s.project = product.sum
}

// norms are the Euclidean norms of the rows.
func norms(m *Matrix) []float64 {
	out := make([]float64, m.Rows)
	parallel(m.Rows, func(i int) {
		row := make([]float64, m.Cols)
		m.row(i, 0, row)
		for _, v := range row {
			out[i] += v * v
		}
		out[i] = math.Sqrt(out[i])
	})
	return out
}

// suspect is a group of columns in one row of C.
type suspect struct{ row, group int32 }

// deviations is how many standard deviations of honest rounding a group may
// miss its equation by. At most one right group in four hundred misses by more
// and is confirmed, at the cost of sixteen dot products.
const deviations = 3

// suspects are the groups of c to look at, in order.
func (s *screen) suspects(c *Matrix) []suspect {
	each := make([][]suspect, c.Rows)
	parallel(c.Rows, func(i int) {
		row := make([]float64, c.Cols)
		c.row(i, 0, row)
		for g := range s.groups {
			from, to := g*groupSize, min((g+1)*groupSize, c.Cols)
			var sum, largest float64
			for j := from; j < to; j++ {
				sum += s.weights[j] * row[j]
				largest = max(largest, math.Abs(row[j]))
			}
			// Rounding to the type is spread evenly over half a unit on
			// either side, which has a variance of a third of its square.
			rounding := c.Type.ULP(largest) / 2
			accumulation := s.normA[i] * s.normB[g]
			allowed := deviations * math.Sqrt(s.spread[g]*(rounding*rounding/3+accumulation*accumulation))
			if !(math.Abs(sum-s.project[i*s.groups+g]) <= allowed) {
				each[i] = append(each[i], suspect{int32(i), int32(g)})
			}
		}
	})
	return slices.Concat(each...)
}

// confirmed is how many suspects are judged between two looks at the result.
const confirmed = 1024

// confirm judges the elements of suspect groups, outside the sampled rows,
// which are judged already. It goes on to the last suspect unless an element
// is wrong: then a few hundred thousand of them say enough.
func (r *Reference) confirm(c *Matrix, suspects []suspect) tally {
	known := make([]bool, r.Shape.M)
	for _, i := range r.patches[0].rows {
		known[i] = true
	}
	suspects = slices.DeleteFunc(suspects, func(s suspect) bool { return known[s.row] })
	rng := rand.New(rand.NewPCG(mix(r.seed), 2))
	rng.Shuffle(len(suspects), func(i, j int) { suspects[i], suspects[j] = suspects[j], suspects[i] })

	gamma := Gamma(r.Shape.K, r.unit)
	var total tally
	for len(suspects) > 0 && total.right == total.compared {
		part := suspects[:min(confirmed, len(suspects))]
		suspects = suspects[len(part):]
		each := make([]tally, len(part))
		parallel(len(part), func(n int) {
			i := int(part[n].row)
			x, y := make([]float64, r.Shape.K), make([]float64, r.Shape.K)
			r.a.row(i, 0, x)
			from := int(part[n].group) * groupSize
			for j := from; j < min(from+groupSize, r.Shape.N); j++ {
				r.b.row(j, 0, y)
				sum, mag := dot(x, y)
				r.judge(&each[n], c, i, j, sum, mag, gamma)
			}
		})
		for _, t := range each {
			total.merge(t)
		}
	}
	return total
}
