package plots

import (
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of the key, in pixels.
const (
	keyHeight = 21 // of a row
	keySample = 24 // width of a sample
	keyGap    = 6  // between a sample and its meaning
	keySpace  = 20 // between entries
	keyBelow  = 10
)

// width is what an entry takes of a row.
func (e entry) width() vg.Length {
	return keySample + keyGap + words(textSize, foreground).Width(e.means) + keySpace
}

// draw draws the entry to the right of at and returns its width.
func (e entry) draw(c *draw.Canvas, at vg.Point) vg.Length {
	e.sample(c, vg.Rectangle{Min: vg.Point{X: at.X, Y: at.Y - 6}, Max: vg.Point{X: at.X + keySample, Y: at.Y + 6}})
	style := words(textSize, foreground)
	style.YAlign = text.YCenter
	c.FillText(style, vg.Point{X: at.X + keySample + keyGap, Y: at.Y}, e.means)
	return e.width()
}

// keyRows puts as many entries into a row as it has room for.
func (f figure) keyRows(width vg.Length) [][]entry {
	var rows [][]entry
	room := vg.Length(0)
	for _, e := range f.key {
		if w := e.width(); len(rows) == 0 || w-keySpace > room {
			rows = append(rows, nil)
			room = width
		}
		last := len(rows) - 1
		rows[last] = append(rows[last], e)
		room -= e.width()
	}
	return rows
}

func center(r vg.Rectangle) vg.Point {
	return vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
}

// markerKey explains a marker.
func markerKey(m marker, means string) entry {
	return entry{func(c *draw.Canvas, at vg.Rectangle) { m.draw(c, center(at)) }, means}
}

// lineKey explains a line.
func lineKey(style draw.LineStyle, means string) entry {
	return entry{func(c *draw.Canvas, at vg.Rectangle) {
		y := center(at).Y
		c.StrokeLine2(style, at.Min.X, y, at.Max.X, y)
	}, means}
}

// areaKey explains a filled area.
func areaKey(of ink, means string) entry {
	return entry{func(c *draw.Canvas, at vg.Rectangle) { fill(c, of, at) }, means}
}
