package plots

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// track is a row of a timeline.
type track struct {
	name    string
	boxes   []numbered
	ink     ink
	hatched bool
}

// numbered is a span and the slice of K that it is about, by number; -1 for
// none.
type numbered struct {
	span
	slice int
}

// tracks is the rows of a trace, in the order of a slice's way: the stages that
// are filled, the products that read them, the stores of the result.
func (t trace) tracks() []track {
	all := t.stages()
	if len(t.products(0)) == 0 {
		all = append(all, track{name: "the warps multiply", boxes: t.readings(), ink: blue})
	}
	for warpgroup := 0; len(t.products(warpgroup)) > 0; warpgroup++ {
		all = append(all, track{name: fmt.Sprintf("warpgroup %d multiplies", warpgroup), boxes: count(t.products(warpgroup), true), ink: blue})
	}
	if stores := merge(t.stores()); len(stores) > 0 {
		all = append(all, track{name: "the result is stored", boxes: count(stores, false), ink: green})
	}
	return all
}

// stages is a row for each stage. Slices go round the ring: number n is in
// stage n modulo the number of stages.
func (t trace) stages() []track {
	byLane := map[string][]span{}
	for _, s := range t.fills() {
		byLane[s.lane] = append(byLane[s.lane], s)
	}
	var all []track
	lanes := slices.SortedFunc(maps.Keys(byLane), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) // full[9] before full[10]
	})
	for stage, lane := range lanes {
		row := track{name: fmt.Sprintf("stage %d is filled", stage), ink: vermillion, hatched: true}
		for round, s := range byLane[lane] {
			row.boxes = append(row.boxes, numbered{s, round*len(byLane) + stage})
		}
		all = append(all, row)
	}
	return all
}

// readings is for a kernel without wgmma: from the first to the last read of
// each slice by any warp, between two ends of fills.
func (t trace) readings() []numbered {
	var all []numbered
	fills := t.fills()
	for _, s := range t.reads() {
		filled := -1
		for _, f := range fills {
			if f.to <= s.from {
				filled++
			}
		}
		if n := len(all); n > 0 && all[n-1].slice == filled {
			all[n-1].to = max(all[n-1].to, s.to)
			continue
		}
		all = append(all, numbered{s, filled})
	}
	return all
}

// count numbers spans in their order, if each is about one slice.
func count(spans []span, each bool) []numbered {
	var all []numbered
	for i, s := range spans {
		if !each {
			i = -1
		}
		all = append(all, numbered{s, i})
	}
	return all
}

// merge joins the spans that overlap, of spans sorted by their beginning.
func merge(spans []span) []span {
	var all []span
	for _, s := range spans {
		if n := len(all); n > 0 && s.from <= all[n-1].to {
			all[n-1].to = max(all[n-1].to, s.to)
			continue
		}
		all = append(all, s)
	}
	return all
}

// timeline shows the pipeline of a lesson: in which order stages are filled,
// multiplied and stored, and what overlaps. Ticks of the emulator order events
// and are no times, so each start and each end is one step to the right.
func timeline(t trace) (figure, error) {
	tracks := t.tracks()
	if len(t.stages()) == 0 {
		return figure{}, fmt.Errorf("%s shows no stage that is filled: write it again with lesson trace", t.path)
	}
	var moments []float64
	var names []string
	for _, row := range tracks {
		names = append(names, row.name)
		for _, s := range row.boxes {
			moments = append(moments, s.from, s.to)
		}
	}
	slices.Sort(moments)
	moments = slices.Compact(moments)
	step := func(at float64) float64 { i, _ := slices.BinarySearch(moments, at); return float64(i) }

	p := newPanel(vg.Length(40+30*len(tracks)), "", "every start and every end is one step; lengths are no times")
	p.rows(names)
	p.X.Min, p.X.Max = -0.5, float64(len(moments))-0.5
	p.X.Tick.Marker = plot.ConstantTicks{}
	table := [][]string{{"row", "slice", "from_step", "to_step", "from_tick", "to_tick"}}
	for i, row := range tracks {
		busy := math.Inf(-1) // until when the upper half of the row is
		beside := overlap(row.boxes)
		for _, b := range row.boxes {
			half := 0 // of the row that the box takes: 1 the upper one, -1 the lower
			if beside {
				half = 1
				if b.from < busy {
					half = -1
				} else {
					busy = b.to
				}
			}
			number := ""
			if b.slice >= 0 {
				number = fmt.Sprint(b.slice)
			}
			p.Add(piece(row, number, step(b.from), step(b.to), float64(-i), half))
			table = append(table, []string{row.name, number, whole(step(b.from)), whole(step(b.to)), whole(b.from), whole(b.to)})
		}
	}
	means := "a group of wgmma is in flight"
	if len(t.products(0)) == 0 {
		means = "warps read the stage and multiply"
	}
	key := []entry{boxKey(vermillion, true, "TMA fills a stage"), boxKey(blue, false, means)}
	if len(t.stores()) > 0 {
		key = append(key, boxKey(green, false, "TMA stores a part of the result"))
	}
	return figure{
		name: "timeline-" + t.lesson.Name, title: t.lesson.Name + ": " + t.lesson.Title, key: key,
		panels: []panel{p}, table: table,
		caption: []string{
			"Numbers count the slices of K as the CTA takes them, from tile to tile: a box is a fill or a product of that slice. Boxes above each other overlap.",
			fmt.Sprintf("Emulated, not measured: the first CTA of %s on the emulator, in one order that the hardware allows. No GPU was used.", t.kernel)},
	}, nil
}

// overlap reports whether a box begins before one ahead of it ends.
func overlap(boxes []numbered) bool {
	for i := 1; i < len(boxes); i++ {
		if boxes[i].from < boxes[i-1].to {
			return true
		}
	}
	return false
}

// piece is the box of a span, with its number if there is room. It takes the
// upper half of its row, 1, the lower, -1, or all of it, 0.
func piece(row track, number string, from, to, vy float64, half int) mark {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		const height = 13
		middle := y(vy) + vg.Length(half)*(height+1)/2
		r := vg.Rectangle{Min: vg.Point{X: x(from), Y: middle - height/2}, Max: vg.Point{X: x(to), Y: middle + height/2}}
		box(&c, row.ink, row.hatched, r)
		style := words(captionSize, foreground)
		style.XAlign, style.YAlign = text.XCenter, text.YCenter
		if w := style.Width(number); number != "" && r.Max.X-r.Min.X > w+2 {
			at := center(r)
			fill(&c, paper, vg.Rectangle{Min: vg.Point{X: at.X - w/2 - 1, Y: at.Y - 5}, Max: vg.Point{X: at.X + w/2 + 1, Y: at.Y + 5}})
			c.FillText(style, at, number)
		}
	}
}
