package matrix

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gohopper/pkg/hopper/num"
)

// Report is the outcome of one check.
type Report struct {
	Shape    Shape
	Type     num.Format // of C
	Compared int        // elements compared with their exact sums
	Wrong    int        // of those, beyond their bounds
	Screened int        // elements covered by the randomised screen; 0 if all were compared
	Suspects int        // groups of 16 elements that the screen sent to be compared
	Worst    Element    // the one with the largest ratio
	MeanAbs  float64    // mean |error| of the compared elements, NaN and infinite ones left out
	MaxAbs   float64    // largest |error| of them
	MaxRel   float64    // largest |error| / Σ|a||b| of them

	// Diagnosis says what the result looks like and what to look at, a
	// sentence or two each. It is empty for a right result.
	Diagnosis []string

	right int
}

func (r *Report) fill(t tally) {
	r.Compared, r.right, r.Wrong = t.compared, t.right, t.compared-t.right
	r.Worst, r.MaxAbs, r.MaxRel = t.worst, t.maxAbs, t.maxRel
	r.MeanAbs = t.sumAbs / float64(max(1, t.compared))
}

// OK reports whether the result is right: every compared element was within
// its bound, and every element was compared or screened. The zero Report is
// not OK.
func (r Report) OK() bool {
	all := r.Shape.M * r.Shape.N
	return all > 0 && r.Compared > 0 && r.right == r.Compared && max(r.Compared, r.Screened) >= all
}

// String is one line.
func (r Report) String() string {
	if r.Compared == 0 {
		return fmt.Sprintf("not compared: %s", strings.Join(r.Diagnosis, "; "))
	}
	covered := ""
	if r.Screened > 0 {
		covered = fmt.Sprintf(" (all %d screened)", r.Screened)
	}
	if r.OK() {
		return fmt.Sprintf("right: %d elements within their bounds%s, worst %.2f of its bound", r.Compared, covered, r.Worst.Ratio)
	}
	return fmt.Sprintf("wrong: %d of %d elements beyond their bounds%s, worst at row %d, column %d: got %.6g, want %.6g within %.2g",
		r.Wrong, r.Compared, covered, r.Worst.Row, r.Worst.Col, r.Worst.Got, r.Worst.Want, r.Worst.Bound)
}

// Err is nil for a right result. Otherwise it says what is wrong, where, and
// what to look at, a line each.
func (r Report) Err() error {
	if r.OK() {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "C = A·Bᵀ of %v in %v is %v", r.Shape, r.Type, r)
	if r.Compared > 0 {
		if !math.IsInf(r.Worst.Ratio, 0) {
			fmt.Fprintf(&b, " (%.3g times the bound)", r.Worst.Ratio)
		}
		for _, d := range r.Diagnosis {
			fmt.Fprintf(&b, "\n  %s", d)
		}
	}
	return errors.New(b.String())
}
