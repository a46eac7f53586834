package lab

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"gohopper/internal/report"
)

// Ablation puts one claim to the test: the same product with one decision
// changed, timed beside the kernel as it is.
type Ablation struct {
	Name  string // "remote-arrive"
	Claim string // what the text says, a sentence
	Cases []Case // the first is the kernel as it is
}

// inexact reports whether the errors are part of the question.
func (a Ablation) inexact() bool {
	return slices.ContainsFunc(a.Cases, func(c Case) bool { return c.Inexact })
}

// ablate runs the ablations whose name is o.Ablate, or all. A case that fails
// is shown with the reason, and fails the run in the end.
func (l Lesson[T]) ablate(o *Options, p *Product, tile T, stdout, stderr io.Writer) error {
	all := l.Ablations(tile, o.Elem, p.Shape, p.dev.Info().SMs)
	var names []string
	var chosen []Ablation
	for _, a := range all {
		names = append(names, a.Name)
		if o.Ablate == "all" || o.Ablate == a.Name {
			chosen = append(chosen, a)
		}
	}
	if len(chosen) == 0 {
		return fmt.Errorf("-ablate %s: the ablations of %s are all, %s", o.Ablate, l.Name, strings.Join(names, ", "))
	}
	ref, err := o.Reference(p.A, p.B)
	if err != nil {
		return err
	}
	b, err := openBench(p.dev, o.Pause)
	if err != nil {
		return err
	}
	defer b.close()
	fmt.Fprintf(stdout, "%s at %v %s on %s\n", l.Name, p.Shape, o.Elem.Word, describeDevice(p.dev))
	var results []report.Result
	failed := 0
	for _, a := range chosen {
		fmt.Fprintf(stdout, "\n%s: %s\n", a.Name, a.Claim)
		var base *report.Result
		for i, c := range a.Cases {
			fmt.Fprintf(stderr, "%s, case %d of %d: %s\n", a.Name, i+1, len(a.Cases), c.Name)
			r, w, err := l.runCase(o, p, b, c, ref, stderr)
			if err != nil {
				fmt.Fprintf(stdout, "  %-22s failed: %v\n", c.Name, err)
				failed++
				continue
			}
			r.Kernel = a.Name + "/" + c.Name
			if base == nil {
				base = r
			}
			printCase(stdout, c, r, base, w, a.inexact())
			results = append(results, *r)
		}
	}
	if o.JSON != "" && len(results) > 0 {
		if err := report.Write(o.JSON, results); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d cases failed, see above", failed)
	}
	return nil
}

// serialised finds the assembler's notes on WGMMA and setmaxnreg.
var serialised = regexp.MustCompile(`C75\d\d`)

func printCase(out io.Writer, c Case, r, base *report.Result, w *Work, showErrors bool) {
	ms := r.Timing.Ours.SamplesMS[0]
	fmt.Fprintf(out, "  %-22s %8.4f ms %7.1f TFLOP/s", c.Name, ms, r.Summary.TFLOPS.Median)
	if r.Summary.Ratio != nil {
		fmt.Fprintf(out, "  %.3f of the library", r.Summary.Ratio.Median)
		if r != base && base.Summary.Ratio != nil {
			fmt.Fprintf(out, "  %+5.1f %%", 100*(r.Summary.Ratio.Median/base.Summary.Ratio.Median-1))
		}
	}
	fmt.Fprintf(out, "  %d registers", r.Build.Registers)
	if r.Build.SpillBytes > 0 {
		fmt.Fprintf(out, ", %d bytes spilled", r.Build.SpillBytes)
	}
	if notes := serialised.FindAllString(w.Log, -1); len(notes) > 0 {
		fmt.Fprintf(out, ", assembler: %s", notes[0])
	}
	if showErrors {
		fmt.Fprintf(out, "; error against float64: mean %.2g, largest %.2g (C scaled to unit variance)",
			r.Before.MeanError, r.Before.MaxError)
	}
	fmt.Fprintln(out)
}
