package plots

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of type, in pixels of a figure that is 720 wide.
const (
	titleSize   = 17
	textSize    = 13
	captionSize = 12

	bold = 3 // the weight, as golang.org/x/image/font has it
)

// words is the style of text in a figure.
func words(size vg.Length, of ink) text.Style {
	return text.Style{
		Color:   of,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: newLettering(),
	}
}

// panel is one pair of axes of a figure. It has the labels of its axes itself,
// lying: gonum stands one up, and leaves them too much room beside a
// logarithmic axis.
type panel struct {
	*plot.Plot
	height vg.Length
	above  string // label of the vertical axis
	below  string // of the horizontal one
	lines  *plotter.Grid
}

// newPanel makes the axes that all figures have: a line below, a grid of
// horizontal lines, no box.
func newPanel(height vg.Length, above, below string) panel {
	p := plot.New()
	p.BackgroundColor = nil // the figure has a paper
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		align := a.Tick.Label.XAlign
		a.Tick.Label = words(textSize, foreground)
		a.Tick.Label.XAlign = align
		a.Padding = 0
		a.LineStyle = draw.LineStyle{Color: muted, Width: 1}
		a.Tick.LineStyle = a.LineStyle
		a.Tick.Length = 4
	}
	// Gonum lifts labels by what its own alignment would lower them.
	p.X.Tick.Label.YAlign, p.Y.Tick.Label.YAlign = -1.6, -0.8
	p.Y.LineStyle.Width, p.Y.Tick.LineStyle.Width = 0, 0
	lines := plotter.NewGrid()
	lines.Vertical.Color = nil
	lines.Horizontal = draw.LineStyle{Color: grid, Width: 1}
	p.Add(lines)
	return panel{p, height, above, below, lines}
}

// labelHeight is what the label of an axis takes of a panel's height.
const labelHeight = 20

// field is the part of a panel that gonum draws in, without the labels.
func (p panel) field(r vg.Rectangle) vg.Rectangle {
	if p.above != "" {
		r.Max.Y -= labelHeight
	}
	if p.below != "" {
		r.Min.Y += labelHeight
	}
	return r
}

// label writes the labels of a panel whose data lies from left to right.
func (p panel) label(c *draw.Canvas, r vg.Rectangle, left, right vg.Length) {
	style := words(textSize, muted)
	style.YAlign = text.YTop
	c.FillText(style, vg.Point{X: r.Min.X, Y: r.Max.Y}, p.above)
	style.XAlign, style.YAlign = text.XCenter, text.YBottom
	c.FillText(style, vg.Point{X: (left + right) / 2, Y: r.Min.Y + 4}, p.below)
}

// categories divides the horizontal axis into one part for each name, with 0
// in the middle of the first.
func (p panel) categories(names []string) {
	var ticks plot.ConstantTicks
	for i, name := range names {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: name})
	}
	p.X.Tick.Marker = ticks
	p.X.Tick.Length = 0
	p.X.Min, p.X.Max = -0.5, float64(len(names))-0.5
}

// rows divides the vertical axis in the same way, the first name on top. The
// lines of the grid then stand.
func (p panel) rows(names []string) {
	var ticks plot.ConstantTicks
	for i, name := range names {
		ticks = append(ticks, plot.Tick{Value: float64(-i), Label: name})
	}
	p.Y.Tick.Marker = ticks
	p.Y.Tick.Length = 0
	p.lines.Vertical, p.lines.Horizontal = p.lines.Horizontal, p.lines.Vertical
	p.Y.Min, p.Y.Max = 0.5-float64(len(names)), 0.5
}

// scale sets an axis from the first of its ticks to the last, which are
// written by label. Data that lies outside of them widens the axis.
func scale(a *plot.Axis, label func(float64) string, at ...float64) {
	var ticks plot.ConstantTicks
	for _, v := range at {
		ticks = append(ticks, plot.Tick{Value: v, Label: label(v)})
	}
	a.Tick.Marker = ticks
	a.Min, a.Max = at[0], at[len(at)-1]
}

// steps is the values from one to the other in equal steps.
func steps(from, to, by float64) []float64 {
	var all []float64
	for i := range int(math.Round((to-from)/by)) + 1 {
		all = append(all, from+float64(i)*by)
	}
	return all
}

// logarithmic makes an axis so. Its values must be above 0.
func logarithmic(a *plot.Axis) { a.Scale = plot.LogScale{} }
