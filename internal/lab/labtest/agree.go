package labtest

import (
	"fmt"
	"math"

	"gohopper/internal/matrix"
)

// agree compares two results x and y of the product of a and b. Each may be
// off by its rounding to the type of C and by the accumulation of K products,
// so they may be apart by twice both. It returns how many elements have the
// same bits; the error names the element that is furthest beyond.
//
// The sum of magnitudes that bounds the accumulation is itself bounded by the
// product of the two rows' lengths (Cauchy and Schwarz), which costs no second
// product.
func agree(a, b, x, y *matrix.Matrix) (equal int, err error) {
	slack := 2 * matrix.Gamma(a.Cols, matrix.UnitF32)
	rows, cols := lengths(a), lengths(b)
	worst := 1.0
	for i := range x.Rows {
		for j := range x.Cols {
			if x.Code(i, j) == y.Code(i, j) {
				equal++
				continue
			}
			p, q := x.At(i, j), y.At(i, j)
			bound := x.Type.ULP(math.Max(math.Abs(p), math.Abs(q))) + slack*rows[i]*cols[j]
			if ratio := math.Abs(p-q) / bound; !(ratio <= worst) {
				worst = ratio
				err = fmt.Errorf("the results differ at row %d, column %d: %g and %g, %.3g times what both may be off together", i, j, p, q, ratio)
			}
		}
	}
	return equal, err
}

// lengths is the Euclidean length of each row.
func lengths(m *matrix.Matrix) []float64 {
	all := make([]float64, m.Rows)
	for i := range all {
		sum := 0.0
		for j := range m.Cols {
			v := m.At(i, j)
			sum += float64(v * v)
		}
		all[i] = math.Sqrt(sum)
	}
	return all
}
