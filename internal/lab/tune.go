package lab

import (
	"fmt"
	"io"
	"time"

	"gohopper/internal/report"
)

// tunePause is the rest before each sample of a tuning run, which takes many
// and compares only within itself, unless -pause says otherwise.
const tunePause = time.Second

// tune verifies and times every tile of the lesson's space on one shape, and
// says which is best. A tile that fails is shown with the reason, and fails the
// run in the end: the space is made of tiles that work.
func (l Lesson[T]) tune(o *Options, p *Product, stdout, stderr io.Writer) error {
	ref, err := o.Reference(p.A, p.B)
	if err != nil {
		return err
	}
	pause := o.Pause
	if !o.given["pause"] {
		pause = tunePause
	}
	b, err := openBench(p.dev, pause)
	if err != nil {
		return err
	}
	defer b.close()
	fmt.Fprintf(stdout, "%s: %d tiles at %v %s on %s\n", l.Name, len(l.Space), p.Shape, o.Elem.Word, describeDevice(p.dev))
	var results []report.Result
	best, failed := -1, 0
	for i, tile := range l.Space {
		values := Values(l.Flags, tile)
		fmt.Fprintf(stderr, "%d of %d: %s\n", i+1, len(l.Space), describe(values))
		c := Case{Kernel: l.Kernel(tile, o.Elem.Word), Plan: l.Plan(tile, p.Shape, p.dev.Info().SMs), Tile: values}
		r, _, err := l.runCase(o, p, b, c, ref, stderr)
		if err != nil {
			fmt.Fprintf(stdout, "  %-44s failed: %v\n", describe(values), err)
			failed++
			continue
		}
		fmt.Fprintf(stdout, "  %-44s %7.1f TFLOP/s", describe(values), r.Summary.TFLOPS.Median)
		if r.Summary.Ratio != nil {
			fmt.Fprintf(stdout, "  %.3f of the library", r.Summary.Ratio.Median)
		}
		fmt.Fprintf(stdout, "  %3d registers\n", r.Build.Registers)
		results = append(results, *r)
		if best < 0 || score(*r) > score(results[best]) {
			best = len(results) - 1
		}
	}
	if best < 0 {
		return fmt.Errorf("no tile of the space works at %v", p.Shape)
	}
	fmt.Fprintf(stdout, "  best: %s\n", describe(results[best].Config))
	if o.JSON != "" {
		if err := report.Write(o.JSON, results); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "  recorded in %s\n", o.JSON)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d tiles failed, see above", failed, len(l.Space))
	}
	return nil
}

// score compares tiles: by the ratio to the library, which takes the card's
// mood out, or by speed where there is none.
func score(r report.Result) float64 {
	if r.Summary.Ratio != nil {
		return r.Summary.Ratio.Median
	}
	return r.Summary.TFLOPS.Median
}
