package plots

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"html"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// figure is what is drawn, and the numbers in it.
type figure struct {
	name    string // of its files
	title   string
	key     []entry // what the marks mean
	panels  []panel // one above the other
	caption []string
	table   [][]string // the head, then a row for each mark
}

// entry is a line of the key: what is drawn and what it means.
type entry struct {
	sample func(c *draw.Canvas, at vg.Rectangle) // in a small field
	means  string
}

const (
	width  = 720
	margin = 16
)

// svg draws the figure.
func (f figure) svg() []byte {
	inner := vg.Length(width - 2*margin)
	rows := f.keyRows(inner)
	var caption []string
	for _, paragraph := range f.caption {
		caption = append(caption, wrap(paragraph, inner)...)
	}
	height := vg.Length(margin + titleSize + 12)
	height += vg.Length(len(rows))*keyHeight + keyBelow
	for _, p := range f.panels {
		height += p.height + between
	}
	height += vg.Length(len(caption))*captionSize*leading + margin

	svg := &canvas{height: height}
	vg.Initialize(svg)
	c := draw.Canvas{Canvas: svg, Rectangle: vg.Rectangle{Max: vg.Point{X: width, Y: height}}}
	fill(&c, paper, c.Rectangle)

	top := height - margin
	title := words(titleSize, foreground)
	title.Font.Weight = bold
	title.YAlign = draw.YTop
	c.FillText(title, vg.Point{X: margin, Y: top}, f.title)
	top -= titleSize + 12
	for _, row := range rows {
		at := vg.Length(margin)
		for _, e := range row {
			at += e.draw(&c, vg.Point{X: at, Y: top - keyHeight/2})
		}
		top -= keyHeight
	}
	top -= keyBelow
	f.drawPanels(c, top)

	style := words(captionSize, muted)
	for i, text := range caption {
		c.FillText(style, vg.Point{X: margin, Y: margin + vg.Length(len(caption)-1-i)*captionSize*leading}, text)
	}
	return f.document(svg)
}

// between is the room below a panel.
const between = 14

// drawPanels draws the panels from top down, their vertical axes in one line.
func (f figure) drawPanels(c draw.Canvas, top vg.Length) {
	places := make([]vg.Rectangle, len(f.panels))
	fields := make([]draw.Canvas, len(f.panels))
	var left, right vg.Length = 0, width
	for i, p := range f.panels {
		places[i] = vg.Rectangle{Min: vg.Point{X: margin, Y: top - p.height}, Max: vg.Point{X: width - margin, Y: top}}
		top -= p.height + between
		fields[i] = draw.Canvas{Canvas: c.Canvas, Rectangle: p.field(places[i])}
		data := p.DataCanvas(fields[i])
		left, right = max(left, data.Min.X), min(right, data.Max.X)
	}
	for i, p := range f.panels {
		data := p.DataCanvas(fields[i])
		p.Draw(draw.Crop(fields[i], left-data.Min.X, right-data.Max.X, 0, 0))
		p.label(&c, places[i], left, right)
	}
}

// document puts what was drawn into an SVG.
func (f figure) document(drawn *canvas) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 %d %s" width="%d" height="%s" role="img" aria-labelledby="plot-%s-title plot-%s-desc" font-family="Arial, 'Liberation Sans', Helvetica, sans-serif">`+"\n",
		width, number(float64(drawn.height)), width, number(float64(drawn.height)), f.name, f.name)
	fmt.Fprintf(&b, "<title id=\"plot-%s-title\">%s</title>\n", f.name, html.EscapeString(f.title))
	fmt.Fprintf(&b, "<desc id=\"plot-%s-desc\">%s</desc>\n", f.name, html.EscapeString(strings.Join(f.caption, " ")))
	fmt.Fprintf(&b, "<style>\n%s</style>\n", styleSheet())
	b.Write(drawn.out.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// csv is the table as a file.
func (f figure) csv() ([]byte, error) {
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(f.table)
	return b.Bytes(), err
}

// wrap breaks text into lines that are as wide as the figure.
func wrap(txt string, width vg.Length) []string {
	style := words(captionSize, muted)
	var lines []string
	last := ""
	for word := range strings.FieldsSeq(txt) {
		longer := strings.TrimSpace(last + " " + word)
		if last != "" && style.Width(longer) > width {
			lines = append(lines, last)
			longer = word
		}
		last = longer
	}
	return append(lines, last)
}
