package lab

import (
	"fmt"
	"io"
	"time"

	"gohopper/internal/matrix"
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
	return w.Verdict.Err()
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
