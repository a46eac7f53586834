package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg/draw"

	"gohopper/internal/report"
)

// gamma is the share of Σ|a||b| by which an accumulation of k products in
// float32 may be off: the verification's bound, which a test compares this
// with.
func gamma(k int) float64 { return 0x1p-23 * (float64(k)/8 + 4*math.Sqrt(float64(k)) + 4) }

// inexact is the case of the ablations that adds in f16. It is held to half a
// standard deviation of C instead of the bound of float32.
const inexact = "half/f16, 256 x 256"

// inexactShare estimates how far above the bound of float32 the largest error
// of an inexact product is. The record does not say at which element that was,
// so the bound is that of the expected Σ|a||b|, which is 2/π of K for normal
// operands, without the half unit in the last place of C. That unit is a small
// part of it at K = 8192, and leaving it out makes the share larger.
func inexactShare(m measured) float64 {
	k := float64(m.Shape.K)
	largest := m.Worst * math.Sqrt(k) / 2
	return largest / (gamma(m.Shape.K) * k * 2 / math.Pi)
}

// precision shows the largest error of each recorded product as a share of
// what is accepted.
func precision(r records) (figure, error) {
	var all []measured
	for _, from := range []recorded{r.ladder, r.sweep, r.shapes} {
		found, err := from.find(func(r report.Result) string { return fmt.Sprintf("%s %s %v", r.Lesson, r.Type, r.Shape) })
		if err != nil {
			return figure{}, err
		}
		all = append(all, found...)
	}
	half, err := r.ablations.find(func(r report.Result) string {
		if r.Kernel != inexact {
			return ""
		}
		return r.Kernel
	})
	if err != nil {
		return figure{}, err
	}
	if len(half) == 0 {
		return figure{}, fmt.Errorf("%s has no %s: record it with lessons/v6 -ablate half", r.ablations.path, inexact)
	}
	slices.SortStableFunc(all, func(a, b measured) int { return cmp.Compare(a.Shape.K, b.Shape.K) })

	const left, right, lowest, highest = 4, 32768, 0.03, 10
	p := newPanel(340, "largest error, in units of its bound", "K, products that are added for an element")
	logarithmic(&p.X)
	logarithmic(&p.Y)
	scale(&p.X, whole, 4, 16, 64, 256, 1024, 4096, 16384)
	p.X.Max = right
	scale(&p.Y, func(v float64) string { return fmt.Sprint(v) }, lowest, 0.1, 0.3, 1, 3, highest)
	p.Add(area(vermillion.at(0.12), left, 1, right, highest),
		line(draw.LineStyle{Color: vermillion, Width: 2}, left, 1, right, 1),
		note("not accepted", foreground, text.XLeft, left, 1, 8, 12))
	table := [][]string{{"lesson", "type", "shape", "accumulation", "worst_of_bound", "how"}}
	for _, m := range all {
		for _, s := range series() {
			if s.typ == m.Type {
				hollow := s.ours
				hollow.hollow = true
				p.Add(point(hollow, float64(m.Shape.K), m.Worst))
			}
		}
		table = append(table, []string{m.Combined.Lesson, m.Type, m.Shape.String(), "f32", fmt.Sprintf("%.4f", m.Worst), "recorded"})
	}
	other := marker{triangle, green, false}
	for _, m := range half {
		worst := inexactShare(m)
		p.Add(point(other, float64(m.Shape.K), worst), note(fmt.Sprintf("about %.1f", worst), foreground, text.XRight, float64(m.Shape.K), worst, -10, 0))
		table = append(table, []string{m.Combined.Lesson, m.Type, m.Shape.String(), "f16", fmt.Sprintf("%.2f", worst), fmt.Sprintf("estimated: %.4f of half a standard deviation of C", m.Worst)})
	}
	var key []entry
	for _, s := range series() {
		hollow := s.ours
		hollow.hollow = true
		key = append(key, markerKey(hollow, s.typ+", added in f32"))
	}
	key = append(key, markerKey(other, "f16, added in f16"))
	return figure{
		name: "precision", title: "The largest error of each recorded product, against float64", key: key,
		panels: []panel{p}, table: table,
		caption: []string{
			"Every element has a bound of its own: half a unit in the last place of its type, plus a share of Σ|a||b| that grows with K, for the additions. A mark is the largest share of its bound that an element of a product has used; all lessons at the same shape lie in one place. With a larger K the second part outweighs the first, and less of the bound is used.",
			fmt.Sprintf("The kernel that adds in f16 is held to another bound, half a standard deviation of C. Its largest error, %.3f of one, is placed here beside the bound that an element of the expected Σ|a||b| would have.", half[0].Worst/2),
			provenance(all, half)},
	}, nil
}
