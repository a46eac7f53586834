package plots

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gohopper/internal/report"
)

// claim is what has been said of a change to V6, as the lesson's table of
// ablations has it.
type claim struct {
	ablation, changed string
	// speed is what was claimed to be left of the speed; 0 where the claim has
	// no number.
	speed float64
	// way is -1 if the change was said to be slower and 1 if faster; 0 where
	// nothing was said of speed.
	way int
}

// claims lists the changes in the order of the lesson.
func claims() []claim {
	return []claim{
		{"remote-arrive", "release.cta", 0, 0},
		{"remote-arrive", "release.cluster", 0.5, -1},
		{"branch-order", "producer first", 0.95, -1},
		{"setmaxnreg", "168 for all", 0.2, -1},
		{"cluster", "no cluster", 0, 0}, // claimed of traffic
		{"persistence", "one tile per CTA", 0, -1},
		{"raster", "row by row", 0, -1},
		{"epilogue", "from registers", 0, -1},
		{"in-flight", "wait_group 0", 0, -1},
		{"window", "100 iterations", 0, -1},
		{"half", "f16, 256 x 256", 0, 1},
	}
}

// ablations shows what V6 keeps of its speed when one decision is changed,
// beside what was claimed.
func ablations(r records) (figure, error) {
	all, err := r.ablations.find(func(r report.Result) string { return r.Kernel })
	if err != nil {
		return figure{}, err
	}
	changed := map[string]measured{}
	var unchanged []measured
	for _, m := range all {
		if ablation, _, _ := strings.Cut(m.Kernel, "/"); slices.ContainsFunc(claims(), func(c claim) bool { return c.ablation+"/"+c.changed == m.Kernel }) {
			changed[m.Kernel] = m
		} else if slices.ContainsFunc(claims(), func(c claim) bool { return c.ablation == ablation }) {
			unchanged = append(unchanged, m)
		} else {
			return figure{}, fmt.Errorf("%s: nothing is known of an ablation %q: give its claim in plots/ablations.go", r.ablations.path, ablation)
		}
	}
	if len(unchanged) == 0 {
		return figure{}, fmt.Errorf("%s has no run of the unchanged kernel: record it with lessons/v6 -ablate all", r.ablations.path)
	}
	var ratios, rates []float64
	for _, m := range unchanged {
		ratios, rates = append(ratios, m.Ratio.Median), append(rates, m.TFLOPS.Median)
	}
	ratio, rate := report.RangeOf(ratios), report.RangeOf(rates)

	beside, alone := marker{circle, blue, false}, marker{circle, blue, true}
	said := marker{diamond, vermillion, false}
	const (
		band  = 0.28
		above = 0.25 // of a row: a claim stands above the measurement
	)
	p := newPanel(vg.Length(40+30*len(claims())), "", "speed left after the change, % of the unchanged kernel")
	var names []string
	for _, c := range claims() {
		names = append(names, c.ablation+": "+c.changed)
	}
	p.rows(names)
	scale(&p.X, whole, steps(0, 120, 10)...)
	bottom := p.Y.Min
	p.Add(area(blue.at(band), 100*ratio.Min/ratio.Median, bottom, 100*ratio.Max/ratio.Median, 0.5),
		line(draw.LineStyle{Color: muted, Width: 1}, 100, bottom, 100, 0.5))
	table := [][]string{{"ablation", "changed", "claimed_speed", "claimed_way", "ratio", "tflops", "ratio_of_unchanged", "tflops_of_unchanged"}}
	for i, c := range claims() {
		m, ok := changed[c.ablation+"/"+c.changed]
		if !ok {
			return figure{}, fmt.Errorf("%s has no %s/%s: record it with lessons/v6 -ablate %s", r.ablations.path, c.ablation, c.changed, c.ablation)
		}
		y := float64(-i)
		left, leftAlone := m.Ratio.Median/ratio.Median, m.TFLOPS.Median/rate.Median
		claimed := ""
		switch {
		case c.speed > 0:
			claimed = fmt.Sprint(c.speed)
			p.Add(point(said, 100*c.speed, y+above))
		case c.way != 0:
			p.Add(arrow(said.ink, 100, y+above, c.way))
		}
		p.Add(point(alone, 100*leftAlone, y), point(beside, 100*left, y),
			note(fmt.Sprintf("%.1f", 100*left), foreground, text.XRight, 120, y, -4, 0))
		table = append(table, []string{c.ablation, c.changed, claimed, [...]string{"slower", "", "faster"}[c.way+1],
			fmt.Sprintf("%.4f", m.Ratio.Median), fmt.Sprintf("%.1f", m.TFLOPS.Median), fmt.Sprintf("%.4f", left), fmt.Sprintf("%.4f", leftAlone)})
	}
	return figure{
		name: "ablations", title: "V6 with one decision changed: claimed and measured",
		key: []entry{
			markerKey(said, "claimed"),
			arrowKey(said.ink, "claimed, without a number"),
			markerKey(beside, "measured, beside cuBLAS, with its value"),
			markerKey(alone, "measured, TFLOP/s alone"),
			areaKey(blue.at(band), fmt.Sprintf("the unchanged kernel, %d windows", len(unchanged))),
		},
		panels: []panel{p}, table: table,
		caption: []string{
			fmt.Sprintf("C = A Bᵀ, %s, %s. One window for each case: %s. 100 %% is the median of the unchanged kernel's %d windows; what lies in the band is no finding.",
				all[0].Type, product(all[0].Shape), method(all...), len(unchanged)),
			"Of release.cta and of the cluster nothing was claimed about speed. The 100 iterations are one window of 100 launches, in which cuBLAS slows down as well.",
			provenance(all)},
	}, nil
}

// arrow points to slower, way -1, or to faster, way 1.
func arrow(of ink, vx, vy float64, way int) mark {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		drawArrow(&c, of, vg.Point{X: x(vx), Y: y(vy)}, way)
	}
}

func drawArrow(c *draw.Canvas, of ink, from vg.Point, way int) {
	to := from.X + vg.Length(17*way)
	c.StrokeLine2(draw.LineStyle{Color: of, Width: 2}, from.X, from.Y, to, from.Y)
	var head vg.Path
	head.Move(vg.Point{X: to, Y: from.Y - 4})
	head.Line(vg.Point{X: to + vg.Length(8*way), Y: from.Y})
	head.Line(vg.Point{X: to, Y: from.Y + 4})
	head.Close()
	c.SetColor(of)
	c.Fill(head)
}

// arrowKey explains an arrow.
func arrowKey(of ink, means string) entry {
	return entry{func(c *draw.Canvas, at vg.Rectangle) {
		drawArrow(c, of, vg.Point{X: at.Max.X, Y: center(at).Y}, -1)
	}, means}
}

// product names a shape in a sentence.
func product(s report.Shape) string {
	if s.M == s.N && s.N == s.K {
		return fmt.Sprintf("M = N = K = %d", s.M)
	}
	return fmt.Sprintf("M × N × K = %d × %d × %d", s.M, s.N, s.K)
}
