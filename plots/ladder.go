package plots

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gohopper/internal/report"
)

// ladder shows each lesson's share of the library's speed and its own speed, a
// marker for each process, with a band for how far the library itself varies.
func ladder(r records) (figure, error) {
	ladder, missing, err := r.steps()
	if err != nil {
		return figure{}, err
	}
	process := marker{circle, blue, true}
	median := draw.LineStyle{Color: blue, Width: 3}
	const band = 0.28 // opacity

	share, rate := newPanel(250, "share of cuBLAS, %", ""), newPanel(230, "TFLOP/s", "")
	table := [][]string{{"lesson", "process", "tflops", "library_before_tflops", "library_after_tflops", "ratio"}}
	var names []string
	var all []measured
	apart := 1.0                                  // of the library's windows beside a run, the larger time over their mean
	slowest, fastest := math.Inf(1), math.Inf(-1) // window of the library
	for _, s := range ladder {
		names, all = append(names, s.Name), append(all, s.measured)
		for i, one := range s.summaries() {
			before, after := windows(s.runs[i])
			apart = max(apart, 2*max(before, after)/(before+after))
			slowest, fastest = min(slowest, before, after), max(fastest, before, after)
			table = append(table, []string{s.Name, fmt.Sprint(s.runs[i].Process),
				fmt.Sprintf("%.1f", one.TFLOPS.Median), fmt.Sprintf("%.1f", before), fmt.Sprintf("%.1f", after), fmt.Sprintf("%.4f", one.Ratio.Median)})
		}
	}
	share.categories(names)
	scale(&share.Y, whole, steps(40, 110, 10)...)
	rate.categories(names)
	scale(&rate.Y, whole, steps(300, 800, 100)...)
	right := float64(len(names)) - 0.5
	share.Add(area(vermillion.at(band), -0.5, 100*(2-apart), right, 100*apart), line(draw.LineStyle{Color: vermillion, Width: 1}, -0.5, 100, right, 100))
	rate.Add(area(vermillion.at(band), -0.5, slowest, right, fastest))
	for i, s := range ladder {
		x := float64(i)
		for _, of := range []struct {
			panel
			all    *report.Range
			unit   float64
			digits int
			each   func(report.Summary) float64
		}{
			{share, s.Ratio, 100, 1, func(s report.Summary) float64 { return s.Ratio.Median }},
			{rate, s.TFLOPS, 1, 0, func(s report.Summary) float64 { return s.TFLOPS.Median }},
		} {
			of.Add(line(median, x-0.3, of.unit*of.all.Median, x+0.3, of.unit*of.all.Median))
			for j, one := range s.summaries() {
				of.Add(beside(process, x, of.unit*of.each(one), 12*vg.Length(j)-6*vg.Length(len(s.runs)-1)))
			}
			of.Add(note(fmt.Sprintf("%.*f", of.digits, of.unit*of.all.Median), foreground, text.XCenter, x, of.unit*of.all.Max, 0, 14))
		}
	}
	caption := []string{fmt.Sprintf("C = A Bᵀ, %s, M = N = K = %d. Each circle is a fresh process: %s, cuBLAS timed in the same way before and after.",
		ladderType, ladderShape().M, method(all...)),
		"The upper band is how far cuBLAS's two windows beside a run lie from their mean, the lower one all of its windows: differences within them are no finding.",
		provenance(all)}
	if len(missing) > 0 {
		caption = append(caption, "Not recorded: "+strings.Join(missing, ", ")+".")
	}
	return figure{
		name: "ladder", title: "The ladder: each lesson beside cuBLAS",
		key: []entry{
			markerKey(process, "one process"),
			lineKey(median, "median of the processes, with its value"),
			areaKey(vermillion.at(band), "spread of cuBLAS itself"),
		},
		panels: []panel{share, rate}, caption: caption, table: table,
	}, nil
}

// windows is the library's speed before and after a run, in TFLOP/s; where
// only one was timed, both are that one.
func windows(r report.Result) (before, after float64) {
	speed := func(s *report.Series) float64 { return r.Shape.TFLOPS(report.RangeOf(s.SamplesMS).Median) }
	t := r.Timing
	switch {
	case t.LibraryBefore == nil:
		return speed(t.LibraryAfter), speed(t.LibraryAfter)
	case t.LibraryAfter == nil:
		return speed(t.LibraryBefore), speed(t.LibraryBefore)
	}
	return speed(t.LibraryBefore), speed(t.LibraryAfter)
}

// method says how the results were timed.
func method(all ...measured) string {
	var windows, pauses []string
	for _, m := range all {
		for _, r := range m.runs {
			t := r.Timing.Method
			windows = append(windows, fmt.Sprintf("%d launches after %d warm-ups", t.Iterations, t.WarmUps))
			pauses = append(pauses, fmt.Sprint(t.PauseS))
		}
	}
	return fmt.Sprintf("%s and a pause of %s s", report.Distinct(windows, " or "), report.Distinct(pauses, " or "))
}

func whole(v float64) string { return fmt.Sprintf("%.0f", v) }
