package matrix

import "fmt"

// hypothesis is another computation that a kernel may have made instead.
type hypothesis struct {
	text  string
	value func(i, j int) (sum, mag float64, ok bool) // what C[i, j] holds then; not ok: nothing said
}

// hypotheses are tried in order, the more particular first.
func (r *Reference) hypotheses() []hypothesis {
	s := r.Shape
	scaled := func(by float64) func(i, j int) (float64, float64, bool) {
		return func(i, j int) (float64, float64, bool) {
			sum, mag := r.exact(i, j, 0, s.K)
			return by * sum, mag * max(1, by), true
		}
	}
	all := []hypothesis{
		{"C is stored transposed, column after column: see the address of the store",
			func(i, j int) (float64, float64, bool) {
				at := i*s.N + j
				sum, mag := r.exact(at%s.M, at/s.M, 0, s.K)
				return sum, mag, true
			}},
		{"B was read as K x N instead of N x K: see the tensor map of B and the transpose bit of its descriptor", r.untransposed},
		{"every element is twice what it should be: see that the accumulator starts from zero and that K is walked once", scaled(2)},
		{"every element has the wrong sign: see the negation operands of the multiply", scaled(-1)},
	}
	all = append(all, r.partsOfK()...)
	for _, d := range [][2]int{
		{r.tile.M, 0}, {-r.tile.M, 0}, {0, r.tile.N}, {0, -r.tile.N},
		{1, 0}, {-1, 0}, {0, 1}, {0, -1},
		{r.tile.M, r.tile.N}, {-r.tile.M, -r.tile.N},
	} {
		all = append(all, hypothesis{
			fmt.Sprintf("the wrong elements are those that belong %s: see the coordinates of loads and stores", offset(d[0], d[1])),
			func(i, j int) (float64, float64, bool) {
				i, j = i+d[0], j+d[1]
				if i < 0 || j < 0 || i >= s.M || j >= s.N {
					return 0, 0, false
				}
				sum, mag := r.exact(i, j, 0, s.K)
				return sum, mag, true
			}})
	}
	return all
}

// untransposed is an element of A·B, where B's memory is taken for K x N.
func (r *Reference) untransposed(i, j int) (float64, float64, bool) {
	s := r.Shape
	x, y := make([]float64, s.K), make([]float64, s.K)
	r.a.row(i, 0, x)
	for k := range y {
		at := k*s.N + j
		y[k] = r.b.At(at/s.K, at%s.K)
	}
	sum, mag := dot(x, y)
	return sum, mag, true
}

// partsOfK are sums over some of the K tiles.
func (r *Reference) partsOfK() []hypothesis {
	k, tile := r.Shape.K, r.tile.K
	last := (ceilDiv(k, tile) - 1) * tile // where the last K tile begins
	if last == 0 {
		return nil
	}
	part := func(from, to int) func(i, j int) (float64, float64, bool) {
		return func(i, j int) (float64, float64, bool) {
			sum, mag := r.exact(i, j, from, to)
			return sum, mag, true
		}
	}
	repeated := func(from, to int) func(i, j int) (float64, float64, bool) {
		return func(i, j int) (float64, float64, bool) {
			sum, mag := r.exact(i, j, 0, k)
			again, more := r.exact(i, j, from, to)
			return sum + again, mag + more, true
		}
	}
	return []hypothesis{
		{fmt.Sprintf("the last K tile is missing, from k = %d: see how K is rounded up to whole tiles, the end of the loop and the drain after it", last), part(0, last)},
		{fmt.Sprintf("the first K tile is missing, up to k = %d: see the scale-d predicate of the first multiply and the first wait", tile), part(tile, k)},
		{"only the last K tile counts: the accumulator is cleared in every step; see the scale-d predicate", part(last, k)},
		{"only the first K tile counts: see the loop over K and the phase of its barriers", part(0, tile)},
		{"the last K tile counts twice: see the end of the loop and the reuse of stages", repeated(last, k)},
		{"the first K tile counts twice: see the prologue and the reuse of stages", repeated(0, tile)},
	}
}

// offset says where a shifted element belongs.
func offset(di, dj int) string {
	words := func(d int, what string) string {
		if d < 0 {
			return fmt.Sprintf("%d %s earlier", -d, what)
		}
		return fmt.Sprintf("%d %s further", d, what)
	}
	switch {
	case dj == 0:
		return words(di, "rows")
	case di == 0:
		return words(dj, "columns")
	}
	return words(di, "rows") + " and " + words(dj, "columns")
}
