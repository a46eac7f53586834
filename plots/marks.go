package plots

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mark draws a part of a panel. X and y say where values are on the page.
type mark func(c draw.Canvas, x, y func(float64) vg.Length)

// Plot makes a mark a plot.Plotter.
func (m mark) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	m(c, x, y)
}

// data is a mark of values that must be in sight: adding it to a panel widens
// the axes to hold them.
type data struct {
	mark
	xMin, xMax, yMin, yMax float64
}

// DataRange makes data a plot.DataRanger.
func (d data) DataRange() (xMin, xMax, yMin, yMax float64) { return d.xMin, d.xMax, d.yMin, d.yMax }

// shape is the outline of a marker.
type shape int

const (
	circle shape = iota
	square
	triangle
	diamond
	bar // a short line, that shows on both sides of another marker
)

// marker is how the points of a series look. A hollow one has the paper
// inside.
type marker struct {
	shape  shape
	ink    ink
	hollow bool
}

const radius = 4.5 // of a marker

// draw puts the marker at pt.
func (m marker) draw(c *draw.Canvas, pt vg.Point) {
	var p vg.Path
	corner := func(x, y float64) {
		at := vg.Point{X: pt.X + vg.Length(x*radius), Y: pt.Y + vg.Length(y*radius)}
		if len(p) == 0 {
			p.Move(at)
		} else {
			p.Line(at)
		}
	}
	switch m.shape {
	case circle:
		p.Arc(pt, radius, 0, 2*math.Pi)
	case square:
		corner(-0.9, -0.9)
		corner(0.9, -0.9)
		corner(0.9, 0.9)
		corner(-0.9, 0.9)
	case triangle:
		corner(-1.1, -0.8)
		corner(1.1, -0.8)
		corner(0, 1.1)
	case diamond:
		corner(0, -1.3)
		corner(1.3, 0)
		corner(0, 1.3)
		corner(-1.3, 0)
	}
	if m.shape == bar {
		c.StrokeLine2(draw.LineStyle{Color: m.ink, Width: 2.5}, pt.X-2*radius, pt.Y, pt.X+2*radius, pt.Y)
		return
	}
	p.Close()
	inside := m.ink
	if m.hollow {
		inside = paper
	}
	c.SetColor(inside)
	c.Fill(p)
	c.SetLineStyle(draw.LineStyle{Color: m.ink, Width: 1.6})
	c.Stroke(p)
}

// point is a marker at a value.
func point(m marker, vx, vy float64) data { return beside(m, vx, vy, 0) }

// beside is a marker that stands aside of its value by some pixels, where
// several would cover each other.
func beside(m marker, vx, vy float64, pixels vg.Length) data {
	return data{func(c draw.Canvas, x, y func(float64) vg.Length) {
		m.draw(&c, vg.Point{X: x(vx) + pixels, Y: y(vy)})
	}, vx, vx, vy, vy}
}

// line joins two values.
func line(style draw.LineStyle, x0, y0, x1, y1 float64) mark {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		c.StrokeLine2(style, x(x0), y(y0), x(x1), y(y1))
	}
}

// bracket is the range of values at one place, with a stroke across each end.
func bracket(of ink, vx, from, to float64, aside vg.Length) data {
	return data{func(c draw.Canvas, x, y func(float64) vg.Length) {
		style := draw.LineStyle{Color: of, Width: 1.6}
		at := x(vx) + aside
		c.StrokeLine2(style, at, y(from), at, y(to))
		for _, end := range []float64{from, to} {
			c.StrokeLine2(style, at-4, y(end), at+4, y(end))
		}
	}, vx, vx, from, to}
}

// area fills a rectangle between values.
func area(of ink, x0, y0, x1, y1 float64) mark {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		fill(&c, of, vg.Rectangle{Min: vg.Point{X: x(x0), Y: y(y0)}, Max: vg.Point{X: x(x1), Y: y(y1)}})
	}
}

func fill(c *draw.Canvas, of ink, r vg.Rectangle) {
	c.SetColor(of)
	c.Fill(r.Path())
}

// outline draws the edge of a rectangle, hatched if it is asked.
func outline(c *draw.Canvas, of ink, r vg.Rectangle, hatched bool) {
	if hatched {
		var p vg.Path
		const gap = 6
		height := r.Max.Y - r.Min.Y
		for from := r.Min.X - height + gap/2; from < r.Max.X; from += gap {
			a, b := max(from, r.Min.X), min(from+height, r.Max.X)
			p.Move(vg.Point{X: a, Y: r.Min.Y + a - from})
			p.Line(vg.Point{X: b, Y: r.Min.Y + b - from})
		}
		c.SetLineStyle(draw.LineStyle{Color: of, Width: 0.8})
		c.Stroke(p)
	}
	c.SetLineStyle(draw.LineStyle{Color: of, Width: 1.2})
	c.Stroke(r.Path())
}

// note writes text at some pixels from a value.
func note(txt string, of ink, align text.XAlignment, vx, vy float64, right, up vg.Length) mark {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		style := words(textSize, of)
		style.XAlign, style.YAlign = align, text.YCenter
		c.FillText(style, vg.Point{X: x(vx) + right, Y: y(vy) + up}, txt)
	}
}
