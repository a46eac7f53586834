package plots

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gohopper/internal/report"
	"gohopper/lessons"
)

// series is the element types of the sweep.
func series() []struct {
	typ           string
	ours, library marker
	aside         vg.Length
} {
	return []struct {
		typ           string
		ours, library marker
		aside         vg.Length
	}{
		{"f16", marker{circle, blue, false}, marker{bar, blue, false}, -9},
		{"bf16", marker{square, vermillion, false}, marker{bar, vermillion, false}, 9},
	}
}

// sweep shows the last lesson beside the library, by shape and type. Where
// the ladder has the shape and the sweep does not, the ladder's is taken.
func sweep(r records) (figure, error) {
	last := lessons.Names()[len(lessons.Names())-1]
	name := func(r report.Result) string {
		if r.Lesson != last {
			return ""
		}
		return fmt.Sprintf("%s %s %v", r.Lesson, r.Type, r.Shape)
	}
	all, err := r.sweep.find(name)
	if err != nil {
		return figure{}, err
	}
	repeated, err := r.ladder.find(name)
	if err != nil {
		return figure{}, err
	}
	if len(all) == 0 || len(repeated) == 0 {
		return figure{}, fmt.Errorf("%s and %s must both have %s, whose speed depends on the shape: record it with lesson bench -shapes", r.sweep.path, r.ladder.path, last)
	}
	for _, m := range repeated {
		if !slices.ContainsFunc(all, func(s measured) bool { return name(s.Result) == name(m.Result) }) {
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(a, b measured) int { return cmp.Compare(work(a.Shape), work(b.Shape)) })
	var shapes []report.Shape
	var names []string
	for _, m := range all {
		if !slices.Contains(shapes, m.Shape) {
			shapes, names = append(shapes, m.Shape), append(names, shapeLabel(m.Shape))
		}
	}

	const lowest, highest, band = 90, 120, 0.28
	share, rate := newPanel(236, "share of cuBLAS, %", ""), newPanel(300, "TFLOP/s", "M × N × K, the least work first")
	share.categories(make([]string, len(names)))
	scale(&share.Y, whole, steps(lowest, highest, 10)...)
	rate.categories(names)
	scale(&rate.Y, whole, steps(0, 900, 150)...)
	right := float64(len(names)) - 0.5
	spread := repeated[0].Ratio
	share.Add(area(grid, -0.5, 100*spread.Min, right, 100*spread.Max), line(draw.LineStyle{Color: muted, Width: 1}, -0.5, 100, right, 100))

	table := [][]string{{"shape", "type", "processes", "tflops", "library_tflops", "ratio", "ratio_min", "ratio_max", "pause_s"}}
	for _, m := range all {
		x := float64(slices.Index(shapes, m.Shape))
		for _, s := range series() {
			if s.typ != m.Type {
				continue
			}
			ratio := 100 * m.Ratio.Median
			switch {
			case ratio > highest:
				share.Add(beyond(s.ours, x, highest, s.aside, fmt.Sprintf("%.0f%%", ratio)))
			default:
				if m.Processes > 1 {
					share.Add(bracket(s.ours.ink, x, 100*m.Ratio.Min, min(highest, 100*m.Ratio.Max), s.aside))
				}
				share.Add(beside(s.ours, x, ratio, s.aside))
			}
			rate.Add(beside(s.library, x, m.Library.Median, s.aside), beside(s.ours, x, m.TFLOPS.Median, s.aside))
		}
		table = append(table, []string{m.Shape.String(), m.Type, fmt.Sprint(m.Processes), fmt.Sprintf("%.1f", m.TFLOPS.Median), fmt.Sprintf("%.1f", m.Library.Median),
			fmt.Sprintf("%.4f", m.Ratio.Median), fmt.Sprintf("%.4f", m.Ratio.Min), fmt.Sprintf("%.4f", m.Ratio.Max), fmt.Sprint(m.runs[0].Timing.Method.PauseS)})
	}
	var key []entry
	for _, s := range series() {
		key = append(key, markerKey(s.ours, last+", "+s.typ), markerKey(s.library, "cuBLAS, "+s.typ))
	}
	key = append(key, areaKey(grid, fmt.Sprintf("the ladder: %s in %d processes at %d³", last, repeated[0].Processes, repeated[0].Shape.M)))
	return figure{
		name: "sweep", title: "The last lesson by shape: " + last + " beside cuBLAS", key: key,
		panels: []panel{share, rate}, table: table,
		caption: []string{
			"A mark with a bracket is the median of several processes, with their range; the others are one process each. The grey band is the ladder's range: so far apart can two processes be.",
			"Arrows lie above the panel, with their value. In the smallest product the host's part of a call is measured as well. Timed: " + method(all...) + ".",
			provenance(all)},
	}, nil
}

func work(s report.Shape) float64 { return float64(s.M) * float64(s.N) * float64(s.K) }

// shapeLabel names a shape on a narrow place.
func shapeLabel(s report.Shape) string {
	if s.M == s.N && s.N == s.K {
		return fmt.Sprintf("%d³", s.M)
	}
	return strings.Join([]string{fmt.Sprint(s.M), fmt.Sprintf("× %d", s.N), fmt.Sprintf("× %d", s.K)}, "\n")
}

// beyond stands for a value above the panel: an arrow at its upper edge, with
// the value.
func beyond(m marker, vx, edge float64, aside vg.Length, txt string) mark {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		at := vg.Point{X: x(vx) + 2*aside, Y: y(edge) - 5}
		c.StrokeLine2(draw.LineStyle{Color: m.ink, Width: 1.6}, at.X, at.Y-14, at.X, at.Y)
		var head vg.Path
		head.Move(vg.Point{X: at.X - 4, Y: at.Y - 3})
		head.Line(vg.Point{X: at.X, Y: at.Y + 4})
		head.Line(vg.Point{X: at.X + 4, Y: at.Y - 3})
		head.Close()
		c.SetColor(m.ink)
		c.Fill(head)
		m.draw(&c, vg.Point{X: at.X, Y: at.Y - 18})
		style := words(textSize, foreground)
		style.XAlign, style.YAlign = text.XCenter, text.YTop
		c.FillText(style, vg.Point{X: at.X, Y: at.Y - 28}, txt)
	}
}
