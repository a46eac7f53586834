package lab

import (
	"fmt"
	"io"
	"math"
	"time"

	"gohopper/internal/matrix"
	"gohopper/internal/report"
	"gohopper/pkg/hopper/device"
)

// Work is one product C = A·Bᵀ on a device with a kernel bound to it: what the
// lab verifies and times. Lessons after V0 get theirs from Product.Work; V0
// makes its own, step by step.
type Work struct {
	Lesson    string
	Kernel    string         // name of the entry
	Tile      map[string]int // parameters it was recorded with, by flag name
	Shape     matrix.Shape
	Elem      Elem
	A, B      *matrix.Matrix
	PtrA      device.Ptr
	PtrB      device.Ptr
	PtrC      device.Ptr
	Text      string // PTX
	Log       string // what the device's compiler said
	Compile   time.Duration
	Resources device.Resources
	Threads   int
	Shared    int // dynamic shared memory per CTA, bytes
	CTAs      int
	Launch    func() error
	// Inexact work is held to half a standard deviation of C, √K/2 for standard
	// normal operands, instead of the bound of float32 accumulation.
	Inexact   bool
	Result    *matrix.Matrix // C as the latest check found it
	Verdict   matrix.Report  // of the latest check
	Emulation time.Duration  // host time of the latest run
}

// Check poisons C, runs the kernel once, and compares the result. What an
// emulator found is printed; a wrong result and a finding are both errors.
func (w *Work) Check(dev device.Device, ref *matrix.Reference, stderr io.Writer) error {
	if err := dev.Fill(w.PtrC, 0xFF, w.Shape.M*w.Shape.N*w.Elem.Format.Size()); err != nil {
		return err
	}
	start := time.Now()
	if err := w.Launch(); err != nil {
		return err
	}
	if err := dev.Synchronize(); err != nil {
		return err
	}
	w.Emulation = time.Since(start)
	c := matrix.New(w.Shape.M, w.Shape.N, w.Elem.Format)
	if err := dev.Download(c.Bytes(), w.PtrC); err != nil {
		return err
	}
	w.Result, w.Verdict = c, ref.Check(c)
	if n := explain(dev, stderr); n > 0 {
		return fmt.Errorf("the kernel misbehaved: %d finding(s) above", n)
	}
	return w.verdict()
}

// verdict is nil if the latest result is as right as the work promises.
func (w *Work) verdict() error {
	if !w.Inexact {
		return w.Verdict.Err()
	}
	if v := w.verification(); !v.OK {
		return fmt.Errorf("the result is %v; even an inexact product stays within %.3g", w.Verdict, w.inexactBound())
	}
	return nil
}

func (w *Work) inexactBound() float64 { return math.Sqrt(float64(w.Shape.K)) / 2 }

// verification is the verdict as the record keeps it.
func (w *Work) verification() report.Verification {
	worst, ok := w.Verdict.Worst.Ratio, w.Verdict.OK()
	if w.Inexact {
		got := w.Verdict.Worst.Got
		worst = w.Verdict.MaxAbs / w.inexactBound()
		ok = worst <= 1 && w.Verdict.Compared > 0 && !math.IsNaN(got) && !math.IsInf(got, 0)
	}
	unit := math.Sqrt(float64(w.Shape.K))
	return report.Verification{OK: ok, Worst: number(worst), MeanError: number(w.Verdict.MeanAbs / unit), MaxError: number(w.Verdict.MaxAbs / unit)}
}

// number is what JSON has for a value that may be infinite or none.
func number(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return math.MaxFloat64
	}
	return x
}

// explain prints what the device found wrong with the kernel and returns how
// much that was.
func explain(dev device.Device, stderr io.Writer) int {
	o, ok := dev.(device.Observer)
	if !ok {
		return 0
	}
	found := o.Findings()
	for _, f := range found {
		fmt.Fprintln(stderr, f)
	}
	return len(found)
}

// Reference is what a product of these matrices is checked against.
func (o *Options) Reference(a, b *matrix.Matrix) (*matrix.Reference, error) {
	with := matrix.Options{Seed: uint64(o.Seed)}
	if o.Kept == "" {
		return matrix.NewReference(a, b, with)
	}
	return matrix.KeptReference(o.Kept, a, b, with)
}
