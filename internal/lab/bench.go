package lab

import (
	"fmt"
	"io"
	"slices"
	"time"

	"gohopper/internal/matrix"
	"gohopper/internal/report"
	"gohopper/pkg/hopper/device"
)

// newResult begins the record of a verified run.
func newResult(o *Options, dev device.Device, w *Work) *report.Result {
	info := dev.Info()
	r := &report.Result{
		Lesson: w.Lesson, Kernel: w.Kernel, Origin: report.Emulated, Process: 1,
		Date:    time.Now().UTC().Format(time.RFC3339),
		Shape:   report.Shape(w.Shape),
		Type:    o.Elem.String(),
		Seed:    uint64(o.Seed),
		Config:  w.Tile,
		Machine: report.Machine{Device: info.Name, Driver: info.Driver, CUDA: info.CUDA},
		Before:  w.verification(),
	}
	if info.Real {
		r.Origin = report.Recorded
		r.Build = &report.Build{
			CompileMS:   float64(w.Compile.Microseconds()) / 1000,
			Registers:   w.Resources.Registers,
			SpillBytes:  w.Resources.LocalBytes,
			SharedBytes: w.Resources.SharedBytes + w.Shared,
		}
	}
	return r
}

// bench is a device that keeps time, and the library on it if there is one.
type bench struct {
	*Meter
	yard    device.Library // nil: none
	missing error          // why
}

func openBench(dev device.Device, pause time.Duration) (*bench, error) {
	meter, err := NewMeter(dev)
	if err != nil {
		return nil, err
	}
	meter.Pause = pause
	b := &bench{Meter: meter}
	b.yard, b.missing = openYardstick(dev)
	return b, nil
}

func (b *bench) close() error {
	if b.yard == nil {
		return nil
	}
	return b.yard.Close()
}

// library takes a sample of the vendor's product of the same matrices.
func (b *bench) library(w *Work) (*report.Series, error) {
	if b.yard == nil {
		return nil, nil
	}
	s, err := b.Time(func() error {
		return b.yard.MatMul(w.Elem.Library, w.Shape.M, w.Shape.N, w.Shape.K, w.PtrA, w.PtrB, w.PtrC)
	})
	return series(s), err
}

// measure times verified work between two timings of the library, verifies it
// once more, and completes the record.
func (b *bench) measure(w *Work, ref *matrix.Reference, r *report.Result, stderr io.Writer) error {
	t := &report.Timing{Method: report.Method{WarmUps: WarmUps, Iterations: b.Iterations, PauseS: b.Pause.Seconds()}}
	if b.yard != nil {
		r.Machine.Library = b.yard.Name()
	}
	var err error
	if t.LibraryBefore, err = b.library(w); err != nil {
		return err
	}
	ours, err := b.Time(w.Launch)
	if err != nil {
		return err
	}
	t.Ours = *series(ours)
	if t.LibraryAfter, err = b.library(w); err != nil {
		return err
	}
	if err := w.Check(b.dev, ref, stderr); err != nil {
		return fmt.Errorf("after timing: %w", err)
	}
	after := w.verification()
	r.After, r.Timing = &after, t
	r.Summary = r.Summarise()
	return nil
}

func openYardstick(dev device.Device) (device.Library, error) {
	owner, ok := dev.(device.LibraryOwner)
	if !ok {
		return nil, fmt.Errorf("%s has none", dev.Info().Name)
	}
	return owner.Library()
}

func series(s Sample) *report.Series {
	return &report.Series{
		SamplesMS: []float64{s.MS},
		Before:    (*report.Reading)(s.Before), After: (*report.Reading)(s.During),
	}
}

// printTiming shows the timing to a person.
func printTiming(out io.Writer, r *report.Result) {
	row := func(name string, s *report.Series) {
		if s == nil {
			return
		}
		ms := s.SamplesMS[0]
		fmt.Fprintf(out, "  %-8s %8.4f ms %7.1f TFLOP/s", name, ms, r.Shape.TFLOPS(ms))
		if s.After != nil {
			fmt.Fprintf(out, "   %4d MHz %3.0f W %2d C", s.After.SMClockMHz, s.After.PowerW, s.After.TempC)
		}
		fmt.Fprintln(out)
	}
	row("library", r.Timing.LibraryBefore)
	row(r.Lesson, &r.Timing.Ours)
	row("library", r.Timing.LibraryAfter)
	if r.Summary.Ratio != nil {
		fmt.Fprintf(out, "  ratio    %.3f of %s\n", r.Summary.Ratio.Median, r.Machine.Library)
	}
	fmt.Fprintf(out, "  compiled in %.0f ms, %d registers, %d bytes spilled; verified again after timing\n",
		r.Build.CompileMS, r.Build.Registers, r.Build.SpillBytes)
}

// record writes the report where the flags ask for one.
func (o *Options) record(r *report.Result, stdout io.Writer) error {
	if o.JSON == "" {
		return nil
	}
	if err := report.Write(o.JSON, []report.Result{*r}); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "  recorded in %s\n", o.JSON)
	return nil
}

func sortedKeys(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// CeilDiv is the number of tiles of size b that cover a.
func CeilDiv(a, b int) int { return (a + b - 1) / b }
