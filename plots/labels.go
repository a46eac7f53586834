package plots

import (
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// named is a value with a marker and a name.
type named struct {
	marker
	name string
	x, y float64
}

// stroke is a line between two values.
type stroke struct{ x0, y0, x1, y1 float64 }

// names draws the markers and writes each name on a side where it is inside of
// the panel and covers neither a marker nor another name nor one of the lines;
// to the right if no side is free.
func names(points []named, lines []stroke) data {
	d := data{xMin: math.Inf(1), xMax: math.Inf(-1), yMin: math.Inf(1), yMax: math.Inf(-1)}
	for _, p := range points {
		d.xMin, d.xMax, d.yMin, d.yMax = min(d.xMin, p.x), max(d.xMax, p.x), min(d.yMin, p.y), max(d.yMax, p.y)
	}
	d.mark = func(c draw.Canvas, x, y func(float64) vg.Length) {
		var taken []vg.Rectangle
		around := func(at vg.Point, left, right, down, up vg.Length) vg.Rectangle {
			return vg.Rectangle{Min: vg.Point{X: at.X - left, Y: at.Y - down}, Max: vg.Point{X: at.X + right, Y: at.Y + up}}
		}
		for _, p := range points {
			at := vg.Point{X: x(p.x), Y: y(p.y)}
			taken = append(taken, around(at, radius, radius, radius, radius))
			p.draw(&c, at)
		}
		for _, l := range lines {
			const pieces = 200
			dx, dy := (x(l.x1)-x(l.x0))/pieces, (y(l.y1)-y(l.y0))/pieces
			for i := range pieces {
				taken = append(taken, around(vg.Point{X: x(l.x0) + vg.Length(i)*dx, Y: y(l.y0) + vg.Length(i)*dy}, 2, 2, 2, 2))
			}
		}
		style := words(textSize, foreground)
		style.YAlign = text.YCenter
		for _, p := range points {
			at := vg.Point{X: x(p.x), Y: y(p.y)}
			w, h := style.Width(p.name), vg.Length(textSize*capitals)
			const gap = radius + 5
			sides := []vg.Point{
				{X: gap + w/2}, {Y: gap + h/2}, {Y: -gap - h/2}, {X: -gap - w/2},
				{X: gap + w/2, Y: gap}, {X: gap + w/2, Y: -gap}, {X: -gap - w/2, Y: gap}, {X: -gap - w/2, Y: -gap},
			}
			best := sides[0]
			for _, side := range sides {
				r := around(at.Add(side), w/2, w/2, h/2, h/2)
				if c.Contains(r.Min) && c.Contains(r.Max) && free(r, taken) {
					best = side
					break
				}
			}
			taken = append(taken, around(at.Add(best), w/2, w/2, h/2, h/2))
			centred := style
			centred.XAlign = text.XCenter
			c.FillText(centred, at.Add(best), p.name)
		}
	}
	return d
}

// free reports whether a rectangle overlaps none of the others.
func free(r vg.Rectangle, taken []vg.Rectangle) bool {
	for _, t := range taken {
		if r.Min.X < t.Max.X && t.Min.X < r.Max.X && r.Min.Y < t.Max.Y && t.Min.Y < r.Max.Y {
			return false
		}
	}
	return true
}
