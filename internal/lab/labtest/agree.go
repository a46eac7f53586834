package labtest

import (
	"fmt"

	"gohopper/internal/matrix"
)

// agree requires the same bits of two results. The emulator's tensor cores add
// as an H200's do (docs/tensor-core.md), so a kernel without a race has no
// reason to differ in one. The error names the first element that does.
func agree(x, y *matrix.Matrix) error {
	different := 0
	var first error
	for i := range x.Rows {
		for j := range x.Cols {
			if x.Code(i, j) == y.Code(i, j) {
				continue
			}
			if different++; first == nil {
				first = fmt.Errorf("row %d, column %d: %g (%#x) and %g (%#x)", i, j, x.At(i, j), x.Code(i, j), y.At(i, j), y.Code(i, j))
			}
		}
	}
	if first == nil {
		return nil
	}
	return fmt.Errorf("%d of %d elements differ on the two machines; the first, %w", different, x.Rows*x.Cols, first)
}
