package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// mostTiles is the most tiles that a drawing has.
const mostTiles = 4096

func rasterControls() []control {
	return []control{
		number("m", "M", 8192, 256, 16384, 256),
		number("n", "N", 8192, 256, 16384, 256),
		number("k", "K", 8192, 64, 16384, 64),
		number("tile-m", "tile, rows", 128, 64, 256, 64),
		number("tile-n", "tile, columns", 256, 64, 256, 64),
		choice("order", "order", "columns", option{"linear", "row by row"}, option{"columns", "groups of columns"}, option{"rows", "groups of rows"}),
		number("group", "width of a group", 8, 1, 64, 1),
		number("sms", "tiles in progress", 132, 8, 256, 1),
		{Name: "wave", Label: "wave", Kind: playKind, Value: "3", Min: 1, Max: 16, Step: 1},
	}
}

// orders keeps the order that was last asked for: the waves of one are looked at
// one after the other.
type orders struct {
	of    grid
	tiles []place
}

// order is the order of a grid.
func (o *orders) order(g grid) ([]place, error) {
	if o.tiles == nil || o.of != g {
		tiles, err := g.order()
		if err != nil {
			return nil, err
		}
		o.of, o.tiles = g, tiles
	}
	return o.tiles, nil
}

func (o *orders) draw(s *settings, a *answer) {
	g := grid{tileM: s.whole("tile-m"), tileN: s.whole("tile-n"), group: s.whole("group"), across: s.text("order") == "rows"}
	g.rows, g.cols = (s.whole("m")+g.tileM-1)/g.tileM, (s.whole("n")+g.tileN-1)/g.tileN
	if s.text("order") == "linear" { // one group of all columns
		g.group = g.cols
	}
	if n := g.rows * g.cols; n > mostTiles {
		s.fail("%d x %d tiles are %d, and the drawing has room for %d; take larger tiles, or a smaller M or N", g.rows, g.cols, n, mostTiles)
		return
	}
	order, err := o.order(g)
	if err != nil {
		s.fail("%v", err)
		return
	}
	all := waves(order, s.whole("sms"))
	at := s.within("wave", len(all)) - 1
	k := s.whole("k")
	a.Drawing = g.draw(all, at)
	w := all[at]
	shared, alone := w.operands(g)
	a.Said = fmt.Sprintf("Wave %d of %d: %s touch %s of A and %s of B. They need %d rows of operands, %s MB at K = %d, where %d rows would be fetched if nothing were shared: %s %%.",
		at+1, len(all), count(len(w.tiles), "tile"), count(len(w.rows), "row"), count(len(w.cols), "column"),
		shared, megabytes(shared, k), k, alone, percent(shared, alone))
	a.Table = table{Caption: "The waves", Head: []string{"wave", "tiles", "rows of A", "columns of B", "MB, shared", "MB, nothing shared", "share"}}
	total, unshared := 0, 0
	for i, w := range all {
		shared, alone := w.operands(g)
		total, unshared = total+shared, unshared+alone
		if len(all) <= 40 || i == at {
			a.Table.add(strconv.Itoa(i+1), strconv.Itoa(len(w.tiles)), strconv.Itoa(len(w.rows)), strconv.Itoa(len(w.cols)),
				megabytes(shared, k), megabytes(alone, k), percent(shared, alone)+" %")
		}
	}
	a.Table.add("all", strconv.Itoa(len(order)), "", "", megabytes(total, k), megabytes(unshared, k), percent(total, unshared)+" %")
	a.Said += fmt.Sprintf(" Over all waves %s MB, %s %%.", megabytes(total, k), percent(total, unshared))
}

func percent(part, of int) string {
	return strconv.FormatFloat(100*float64(part)/float64(max(of, 1)), 'f', 1, 64)
}

// Where the tiles are drawn, and the bars of A and B beside them.
const (
	tilesLeft = 44.0
	tilesTop  = 40.0
	barWide   = 10.0
	tilesHigh = 400.0
)

// draw is the tiles, a shade for each wave, with the present wave marked and its
// order as a line, and what it touches of A and B.
func (g grid) draw(all []wave, at int) string {
	d := &svg{}
	size := min((wide-tilesLeft-2)/float64(g.cols), tilesHigh/float64(g.rows), 40)
	width, height := size*float64(g.cols), size*float64(g.rows)
	now := all[at]
	d.text("small words start", tilesLeft, 12, fmt.Sprintf("B: %d of %d columns", len(now.cols), g.cols))
	d.text("small words start", 0, tilesTop-8, "A:")
	d.text("small words start", 0, tilesTop+10, fmt.Sprintf("%d of", len(now.rows)))
	d.text("small words start", 0, tilesTop+23, strconv.Itoa(g.rows))
	d.text("small words start", 0, tilesTop+36, "rows")
	d.rect("cell", tilesLeft, tilesTop-barWide-6, width, barWide, "")
	d.rect("cell", tilesLeft-barWide-4, tilesTop, barWide, height, "")
	for col := range g.cols {
		if now.cols[col] {
			d.rect("now", tilesLeft+size*float64(col)+.5, tilesTop-barWide-6, size-.5, barWide, "")
		}
	}
	for row := range g.rows {
		if now.rows[row] {
			d.rect("now", tilesLeft-barWide-4, tilesTop+size*float64(row)+.5, barWide, size-.5, "")
		}
	}
	d.rect("cell", tilesLeft, tilesTop, width, height, "")
	for i, w := range all {
		class, sets := "now", fmt.Sprintf("wave=%d", i+1)
		opacity := 1.0
		if i != at { // from dark to light, so that the order is seen
			class, opacity = "mark", .75-.6*float64(i)/float64(max(1, len(all)-1))
		}
		fmt.Fprintf(&d.body, `<path class="%s" fill-opacity="%s" d="%s"%s/>`+"\n", class, num(opacity), w.shape(size), attribute(sets))
	}
	d.path("thin", g.columns(size))
	d.path("path", now.line(size))
	d.high = tilesTop + height
	d.text("small soft words start", 0, d.high+16, fmt.Sprintf("wave %d of %d in progress; strong colours come early, faint ones late", at+1, len(all)))
	return d.finish(fmt.Sprintf("%d by %d tiles of C in waves; wave %d touches %d of %d rows of A and %d of %d columns of B",
		g.rows, g.cols, at+1, len(now.rows), g.rows, len(now.cols), g.cols))
}

// columns is the lines between the columns of tiles; "" where they are too
// narrow for lines.
func (g grid) columns(size float64) string {
	var b strings.Builder
	for col := 1; col < g.cols && size >= 5; col++ {
		fmt.Fprintf(&b, "M%s %sv%s", num(tilesLeft+size*float64(col)), num(tilesTop), num(size*float64(g.rows)))
	}
	return b.String()
}

// shape is the tiles of a wave as the commands of a path, neighbours in a row
// as one rectangle.
func (w wave) shape(size float64) string {
	in := map[place]bool{}
	for _, p := range w.tiles {
		in[p] = true
	}
	gap := min(1, size/8)
	var b strings.Builder
	for _, p := range sortedPlaces(w.tiles) {
		if in[place{p.row, p.col - 1}] {
			continue
		}
		n := 1
		for in[place{p.row, p.col + n}] {
			n++
		}
		fmt.Fprintf(&b, "M%s %sh%sv%sh%sz", num(tilesLeft+size*float64(p.col)), num(tilesTop+size*float64(p.row)),
			num(size*float64(n)-gap), num(size-gap), num(gap-size*float64(n)))
	}
	return b.String()
}

// line leads through the tiles of a wave in their order; "" where they are too
// small for one.
func (w wave) line(size float64) string {
	if size < 5 {
		return ""
	}
	var b strings.Builder
	last := place{math.MinInt32, 0}
	for i, p := range w.tiles {
		x, y := tilesLeft+size*(float64(p.col)+.5), tilesTop+size*(float64(p.row)+.5)
		if i == 0 {
			fmt.Fprintf(&b, "M%s %s", num(x), num(y))
		} else if next := i + 1; next == len(w.tiles) || !between(last, p, w.tiles[next]) {
			fmt.Fprintf(&b, "L%s %s", num(x), num(y))
		}
		last = p
	}
	return b.String()
}

// between reports whether b lies halfway from a to c, so that a line from a to
// c passes it anyway.
func between(a, b, c place) bool { return 2*b.row == a.row+c.row && 2*b.col == a.col+c.col }
