package main

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// wide is the width of every drawing, in its own units. A phone shows it
// nearly one to one.
const wide = 400

// style is the look of all drawings. The colours are the page's; a drawing that
// stands alone has the light ones.
const style = `<style>
.drawing{display:block;width:100%;height:auto}
.drawing text{font:11.5px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;fill:var(--ink,#1d2429);text-anchor:middle}
.drawing .ground{fill:var(--ground,#fff)}
.drawing .veil{fill:var(--ground,#fff);fill-opacity:.72;pointer-events:none}
.drawing .cell{fill:var(--raised,#f5f7f8);stroke:var(--rule,#d8dfe4)}
.drawing .read{fill:var(--lit,#ffe9a8);stroke:var(--soft,#56626c)}
.drawing .chosen{fill:var(--accent,#12664f);stroke:var(--accent,#12664f)}
.drawing .bad{fill:var(--gone,#ffe3e0);stroke:var(--soft,#56626c)}
.drawing .mark{fill:var(--accent,#12664f);stroke:none}
.drawing .now{fill:var(--number,#8a4300);stroke:none}
.drawing .frame{fill:none;stroke:var(--accent,#12664f);stroke-width:1.5}
.drawing .thin{fill:none;stroke:var(--ground,#fff);stroke-width:.5;pointer-events:none}
.drawing .path{pointer-events:none;fill:none;stroke:var(--ground,#fff);stroke-width:1.2;stroke-linejoin:round}
.drawing .f0{fill:var(--call,#0b4f9e)} .drawing .f1{fill:var(--number,#8a4300)} .drawing .f2{fill:var(--string,#0a6a30)}
.drawing .f3{fill:var(--key,#7a3396)} .drawing .f4{fill:var(--type,#0b6471)} .drawing .f5{fill:var(--rule,#d8dfe4)}
.drawing .on{fill:var(--on-accent,#fff)}
.drawing .soft{fill:var(--soft,#56626c)}
.drawing .words{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
.drawing .small{font-size:10px}
.drawing .start{text-anchor:start} .drawing .end{text-anchor:end}
.drawing [data-set]{cursor:pointer}
</style>
`

// svg is a drawing in the making.
type svg struct {
	body strings.Builder
	high float64 // of what has been drawn
}

// num is a number with at most two decimals.
func num(x float64) string { return strconv.FormatFloat(math.Round(x*100)/100, 'f', -1, 64) }

// rect is a rectangle. What it sets when it is clicked is "name=value" with
// spaces between, "" for nothing.
func (d *svg) rect(class string, x, y, w, h float64, sets string) {
	d.high = max(d.high, y+h)
	fmt.Fprintf(&d.body, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"%s/>`+"\n", class, num(x), num(y), num(w), num(h), attribute(sets))
}

func attribute(sets string) string {
	if sets == "" {
		return ""
	}
	return ` data-set="` + html.EscapeString(sets) + `"`
}

// text is a line of text whose base line is at y. A click goes through it.
func (d *svg) text(class string, x, y float64, text string) {
	d.high = max(d.high, y+4)
	fmt.Fprintf(&d.body, `<text class="%s" x="%s" y="%s" pointer-events="none">%s</text>`+"\n", class, num(x), num(y), html.EscapeString(text))
}

// path is a shape by its SVG commands.
func (d *svg) path(class, commands string) {
	if commands != "" {
		fmt.Fprintf(&d.body, `<path class="%s" d="%s"/>`+"\n", class, commands)
	}
}

// finish is the drawing with a title, which a screen reader reads in its place.
func (d *svg) finish(title string) string {
	high := num(math.Ceil(d.high + 4))
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" class="drawing" viewBox="0 0 %d %s" role="img" aria-label="%s">`+"\n%s"+
		`<rect class="ground" width="%d" height="%s"/>`+"\n%s</svg>\n", wide, high, html.EscapeString(title), style, wide, high, d.body.String())
}
