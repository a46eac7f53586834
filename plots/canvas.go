package plots

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// canvas is a vg.Canvas that writes the elements of an SVG, one on a line,
// with the inks' names for classes. A unit is a pixel.
//
// The embedded interface is nil: it stands for what no figure here uses,
// transformations and images.
type canvas struct {
	vg.Canvas
	height vg.Length
	out    bytes.Buffer

	ink   ink
	width vg.Length
	dash  []vg.Length
}

func (c *canvas) SetLineWidth(w vg.Length)                     { c.width = w }
func (c *canvas) SetLineDash(pattern []vg.Length, _ vg.Length) { c.dash = pattern }

// SetColor takes inks; any other colour is a default of gonum's and is black.
func (c *canvas) SetColor(clr color.Color) {
	i, ok := clr.(ink)
	if !ok {
		i = foreground
	}
	c.ink = i
}

func (c *canvas) Fill(p vg.Path) {
	fmt.Fprintf(&c.out, `<path class="%s"`, c.ink.name)
	if c.ink.opacity != 1 {
		fmt.Fprintf(&c.out, ` fill-opacity="%s"`, number(c.ink.opacity))
	}
	fmt.Fprintf(&c.out, " d=\"%s\"/>\n", c.path(p))
}

func (c *canvas) Stroke(p vg.Path) {
	if c.width <= 0 {
		return
	}
	fmt.Fprintf(&c.out, `<path class="line %s"`, c.ink.name)
	if c.width != 1 {
		fmt.Fprintf(&c.out, ` stroke-width="%s"`, number(float64(c.width)))
	}
	if len(c.dash) > 0 {
		var lengths []string
		for _, d := range c.dash {
			lengths = append(lengths, number(float64(d)))
		}
		fmt.Fprintf(&c.out, ` stroke-dasharray="%s"`, strings.Join(lengths, " "))
	}
	fmt.Fprintf(&c.out, " d=\"%s\"/>\n", c.path(p))
}

// path is p as path data. Its arcs are whole circles.
func (c *canvas) path(p vg.Path) string {
	var b strings.Builder
	at := func(letter string, pt vg.Point) {
		b.WriteString(letter + number(float64(pt.X)) + " " + number(float64(c.height-pt.Y)))
	}
	for _, step := range p {
		switch step.Type {
		case vg.MoveComp:
			at("M", step.Pos)
		case vg.LineComp:
			at("L", step.Pos)
		case vg.ArcComp:
			r := number(float64(step.Radius))
			left, right := step.Pos, step.Pos
			left.X -= step.Radius
			right.X += step.Radius
			at("M", left)
			at("A"+r+" "+r+" 0 1 0 ", right)
			at("A"+r+" "+r+" 0 1 0 ", left)
		case vg.CloseComp:
			b.WriteString("Z")
		}
	}
	return b.String()
}

// lettering draws text as SVG text. It measures with the fonts that gonum
// brings, and anchors each line where the style aligns it, so that a figure
// stays in order in a font of another width.
type lettering struct {
	text.Plain
}

const (
	capitals = 0.72 // height of a capital, of the font's size
	leading  = 1.2  // from line to line, of the font's size
)

func newLettering() lettering { return lettering{text.Plain{Fonts: font.DefaultCache}} }

// Draw writes the lines of txt. Vertically a style aligns the capitals of the
// first line.
func (l lettering) Draw(on vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	c := page(on)
	c.SetColor(sty.Color)
	anchor := map[text.XAlignment]string{text.XCenter: "middle", text.XRight: "end"}[sty.XAlign]
	sin, cos := math.Sincos(sty.Rotation)
	for i, line := range l.Lines(txt) {
		down := sty.Font.Size * vg.Length(capitals*float64(sty.YAlign)-leading*float64(i))
		x, y := pt.X-down*vg.Length(sin), c.height-pt.Y-down*vg.Length(cos)
		fmt.Fprintf(&c.out, `<text class="%s" x="%s" y="%s" font-size="%s"`,
			c.ink.name, number(float64(x)), number(float64(y)), number(float64(sty.Font.Size)))
		if sty.Font.Weight == bold {
			c.out.WriteString(` font-weight="bold"`)
		}
		if anchor != "" {
			fmt.Fprintf(&c.out, ` text-anchor="%s"`, anchor)
		}
		if sty.Rotation != 0 {
			fmt.Fprintf(&c.out, ` transform="rotate(%s %s %s)"`,
				number(-sty.Rotation*180/math.Pi), number(float64(x)), number(float64(y)))
		}
		fmt.Fprintf(&c.out, ">%s</text>\n", html.EscapeString(line))
	}
}

// page is the canvas inside of those that gonum puts around it.
func page(c vg.Canvas) *canvas {
	switch c := c.(type) {
	case draw.Canvas:
		return page(c.Canvas)
	case *draw.Canvas:
		return page(c.Canvas)
	}
	return c.(*canvas)
}

// number writes v with at most two digits behind the point. The first rounding
// takes away what the last bits of a machine's arithmetic may add, so that a
// half goes the same way on all of them.
func number(v float64) string {
	v = math.Round(math.Round(v*1e6)/1e4) / 100
	if v == 0 {
		return "0" // not -0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
