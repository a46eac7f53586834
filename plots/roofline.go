package plots

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// intensity is the operations that a CTA does for each byte of A and B that it
// asks for, elements of 2 bytes: for a slice of K, 2·M·N·K operations on
// M·K elements of A and N·K of B, of which a CTA of a cluster fetches its share.
func (k kernel) intensity(columns int) float64 {
	m, n := float64(k.rows), float64(columns)
	return 2 * m * n / (2 * (m + n/float64(k.cluster)))
}

// roofline places the lessons between what the tensor cores can do and what
// can be fetched for them.
func roofline(r records) (figure, error) {
	ladder, _, err := r.steps()
	if err != nil {
		return figure{}, err
	}
	card, err := r.card.numbers("h200", "sms", "flop_per_clock", "highest_clock_ghz", "copy_tb_per_s", "l2_tb_per_s")
	if err != nil {
		return figure{}, err
	}
	clock, err := r.profile.number("v7", "clock_ghz")
	if err != nil {
		return figure{}, err
	}
	perGHz := card[0] * card[1] / 1e3 // TFLOP/s
	highest, memory, l2 := card[2], card[3], card[4]

	const left, right, lowest = 32, 1024, 200 // of the panel
	p := newPanel(400, "TFLOP/s", "operations for each byte")
	logarithmic(&p.X)
	logarithmic(&p.Y)
	scale(&p.X, whole, left, 64, 128, 256, 512, right)
	scale(&p.Y, whole, lowest, 300, 400, 600, 800, 1200)

	var roofs []stroke
	// A roof rises with the bytes that are served, up to the tensor cores'.
	roof := func(style draw.LineStyle, rate, peak float64, name string) {
		from, to := max(left, lowest/rate), peak/rate
		roofs = append(roofs, stroke{from, from * rate, to, peak})
		p.Add(line(style, from, from*rate, to, peak), along(name, from*1.04, from*1.04*rate, to, peak))
	}
	roof(draw.LineStyle{Color: vermillion, Width: 2}, memory, perGHz*highest, fmt.Sprintf("memory, %.2f TB/s", memory))
	roof(draw.LineStyle{Color: purple, Width: 2, Dashes: []vg.Length{7, 4}}, l2, perGHz*highest, fmt.Sprintf("L2, %.1f TB/s (published)", l2))
	for _, ghz := range []float64{highest, clock} {
		peak := perGHz * ghz
		roofs = append(roofs, stroke{peak / l2, peak, right, peak})
		p.Add(line(draw.LineStyle{Color: foreground, Width: 2}, peak/l2, peak, right, peak),
			note(fmt.Sprintf("tensor cores at %.2f GHz: %.0f", ghz, peak), foreground, text.XRight, right, peak, -4, 12))
	}

	tile, launch := marker{circle, blue, false}, marker{diamond, green, false}
	table := [][]string{{"mark", "intensity_flop_per_byte", "tflops", "source"}}
	var all []measured
	var points []named
	for _, s := range ladder {
		k, err := s.kernel()
		if err != nil {
			return figure{}, err
		}
		columns, ok := s.Config["tile-n"]
		if rows, said := s.Config["tile-m"]; !ok || said && rows != k.rows {
			return figure{}, fmt.Errorf("%s: the tile of %s is %v: it must have tile-n, and the tile-m of plots/kernels.go, %d", r.ladder.path, s.Name, s.Config, k.rows)
		}
		all = append(all, s.measured)
		x, y := k.intensity(columns), s.TFLOPS.Median
		points = append(points, named{tile, s.Name, x, y})
		table = append(table, []string{s.Name, fmt.Sprintf("%.1f", x), fmt.Sprintf("%.1f", y), "tile"})
	}
	for _, name := range []string{"v7", "library"} {
		gb, err := r.profile.number(name, "dram_gb")
		if err != nil {
			return figure{}, err
		}
		for _, s := range ladder {
			if s.Name != "v7" {
				continue
			}
			y, label := s.TFLOPS.Median, "v7"
			if name == "library" {
				y, label = s.Library.Median, "cuBLAS"
			}
			x := 2 * work(s.Shape) / (gb * 1e9)
			points = append(points, named{launch, label, x, y})
			table = append(table, []string{label, fmt.Sprintf("%.1f", x), fmt.Sprintf("%.1f", y), "memory traffic of a launch"})
		}
	}
	p.Add(names(points, roofs))
	for _, ghz := range []float64{highest, clock} {
		table = append(table, []string{fmt.Sprintf("tensor cores at %.2f GHz", ghz), "", fmt.Sprintf("%.1f", perGHz*ghz), "card"})
	}
	for _, of := range []struct {
		name string
		rate float64
	}{{"memory", memory}, {"L2", l2}} {
		table = append(table, []string{fmt.Sprintf("%s, %v TB/s", of.name, of.rate), fmt.Sprintf("%.1f", perGHz*highest/of.rate), fmt.Sprintf("%.1f", perGHz*highest), "card: where the roofs meet"})
	}
	return figure{
		name: "roofline", title: "Roofs: what is fetched, and what is computed from it",
		key: []entry{
			markerKey(tile, "a lesson, by the bytes that its tile asks for"),
			markerKey(launch, "by the bytes that a launch moved to and from memory"),
		},
		panels: []panel{p}, table: table,
		caption: []string{
			"A tile of M × N in a cluster of c that shares B asks for (M + N/c) · 2 bytes for each 2 · M · N operations: M · N / (M + N/c) operations a byte. Most of these bytes come from the L2, so a lesson may lie above the roof of the memory; by what memory moved, V7 and cuBLAS are far to its right.",
			fmt.Sprintf("%s, M = N = K = %d, medians of the ladder; a launch's bytes and the clock of %.2f GHz under load are from a profile of %s. The memory's roof is a copy, reads and writes together. The L2's was not measured here: it is published for ordinary reads, and TMA may do better.",
				ladderType, ladderShape().M, clock, r.profile.Date),
			provenance(all)},
	}, nil
}

// along writes text above a line that rises, a little after its beginning.
func along(txt string, x0, y0, x1, y1 float64) mark {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		from, to := vg.Point{X: x(x0), Y: y(y0)}, vg.Point{X: x(x1), Y: y(y1)}
		style := words(textSize, foreground)
		style.Rotation = math.Atan2(float64(to.Y-from.Y), float64(to.X-from.X))
		sin, cos := math.Sincos(style.Rotation)
		const up = 6
		c.FillText(style, vg.Point{X: from.X - up*vg.Length(sin), Y: from.Y + up*vg.Length(cos)}, txt)
	}
}
