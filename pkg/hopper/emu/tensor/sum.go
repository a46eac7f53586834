package tensor

import "math"

// quad is four rows of A and their exponents, by k, as the plain code reads them.
type quad struct {
	x [longestK][4]float32
	e [longestK][4]int32
}

// multiplyStripPortable is multiplyStrip in plain Go: a column after the other,
// four rows at a time, so that four sums are under way at once.
func (q *rule) multiplyStripPortable(d, a []Column, ea []exponents, b Right, eb []uint32) {
	var rows [StripRows / 4]quad
	for k := range a {
		for r, x := range a[k] {
			rows[r/4].x[k][r%4], rows[r/4].e[k][r%4] = x, int32(ea[k][r])
		}
	}
	var x [longestK]float32
	var e [longestK]int32
	var top [StripRows]int32
	for n := range d {
		for k := range a {
			at := n*b.StepN + k*b.StepK
			x[k], e[k] = b.Elements[at], int32(int16(eb[at]))
		}
		for r, c := range d[n] {
			top[r] = exponent(c, q.result)
		}
		for i := range rows {
			tops((*[4]int32)(top[4*i:]), rows[i].e[:], e[:len(a)])
		}
		if !q.fast(&top) {
			q.exactColumn(&d[n], a, b, n)
			continue
		}
		for i := range rows {
			q.sums((*[4]float32)(d[n][4*i:]), rows[i].x[:], x[:len(a)], (*[4]int32)(top[4*i:]))
		}
	}
}

// fast reports whether sums with these largest exponents can be computed with
// float32 and int32, and raises those that are too low.
func (q *rule) fast(top *[StripRows]int32) bool {
	for r, e := range top {
		if e > fastHighest || e < fastLowest && e > nothing {
			return false
		}
		top[r] = max(e, fastLowest, q.lowest)
	}
	return true
}

// tops raises the largest exponents of four rows to those of the products.
func tops(top *[4]int32, rows [][4]int32, row []int32) {
	t0, t1, t2, t3 := top[0], top[1], top[2], top[3]
	rows = rows[:len(row)]
	for k, y := range row {
		x := &rows[k]
		t0 = max(t0, x[0]+y)
		t1 = max(t1, x[1]+y)
		t2 = max(t2, x[2]+y)
		t3 = max(t3, x[3]+y)
	}
	*top = [4]int32{t0, t1, t2, t3}
}

// sums adds the products to four rows of a column of D. A product of two
// operands is exact in float32; so is its multiple by a power of two, unless
// that is far below the last bit that counts. The conversion to an integer cuts
// toward zero, and 16 integers that are each below 2^27 fit into an int32.
func (q *rule) sums(c *[4]float32, rows [][4]float32, row []float32, top *[4]int32) {
	u0, u1, u2, u3 := scale(q.cut-top[0]), scale(q.cut-top[1]), scale(q.cut-top[2]), scale(q.cut-top[3])
	var s0, s1, s2, s3 int32
	rows = rows[:len(row)]
	for k, y := range row {
		x := &rows[k]
		s0 += int32(x[0] * y * u0)
		s1 += int32(x[1] * y * u1)
		s2 += int32(x[2] * y * u2)
		s3 += int32(x[3] * y * u3)
	}
	c[0], c[1] = q.finish(s0, c[0]*u0, top[0]), q.finish(s1, c[1]*u1, top[1])
	c[2], c[3] = q.finish(s2, c[2]*u2, top[2]), q.finish(s3, c[3]*u3, top[3])
}

// scale is 2^e.
func scale(e int32) float32 { return math.Float32frombits(uint32(e+127) << 23) }

// finish adds the accumulator, in units, to a sum of products and makes D's
// element of it.
func (q *rule) finish(sum int32, c float32, top int32) float32 {
	u := math.Float64bits(float64(int64(sum) + int64(int32(c))))
	if u&q.low != 0 {
		u = u&^q.low | q.odd
	}
	return float32(math.Float64frombits(u) * math.Float64frombits(uint64(top-q.cut+1023)<<52))
}
