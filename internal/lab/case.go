package lab

import (
	"io"

	"gohopper/internal/matrix"
	"gohopper/internal/report"
	"gohopper/pkg/hopper"
)

// Case is one way to run the product.
type Case struct {
	Name       string
	Kernel     *hopper.Kernel
	Plan       Plan
	Tile       map[string]int
	Iterations int // of a timed window; 0: as in the method
	// Inexact cases are not held to the bound of float32 accumulation; their
	// errors are shown instead.
	Inexact bool
}

// runCase verifies and times one case. The work is returned for what the
// record does not keep: the compiler's log and the errors.
func (l Lesson[T]) runCase(o *Options, p *Product, b *bench, c Case, ref *matrix.Reference, stderr io.Writer) (*report.Result, *Work, error) {
	w, err := p.Work(l.Name, c.Kernel, c.Plan, c.Tile)
	if err != nil {
		return nil, nil, err
	}
	w.Inexact = c.Inexact
	if err := w.Check(p.dev, ref, stderr); err != nil {
		return nil, nil, err
	}
	r := newResult(o, p.dev, w)
	timed, meter := *b, *b.Meter
	if c.Iterations > 0 {
		meter.Iterations = c.Iterations
	}
	timed.Meter = &meter
	return r, w, timed.measure(w, ref, r, stderr)
}
