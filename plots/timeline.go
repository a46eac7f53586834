package plots

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// track is a row of a timeline: what one thing does, one after the other.
type track struct {
	name    string
	spans   []span
	numbers []int // of the slices of K that the spans are about, -1 for none
	ink     ink
	hatched bool
}

// tracks is the rows of a trace, in the order of a slice's way: the stages that
// are filled, the products that read them, the stores of the result.
func (t trace) tracks() []track {
	var all []track
	stages := map[string]int{} // rows by lane
	for number, s := range t.fills() {
		at, ok := stages[s.lane]
		if !ok {
			at = len(all)
			stages[s.lane] = at
			all = append(all, track{name: fmt.Sprintf("stage %d is filled", at), ink: vermillion, hatched: true})
		}
		all[at].spans, all[at].numbers = append(all[at].spans, s), append(all[at].numbers, number)
	}
	for warpgroup := 0; ; warpgroup++ {
		products := t.products(warpgroup)
		if len(products) == 0 {
			break
		}
		row := track{name: fmt.Sprintf("warpgroup %d multiplies", warpgroup), spans: products, ink: blue}
		for number := range products {
			row.numbers = append(row.numbers, number)
		}
		all = append(all, row)
	}
	if stores := t.stores(); len(stores) > 0 {
		all = append(all, track{name: "the result is stored", spans: stores, numbers: slices.Repeat([]int{-1}, len(stores)), ink: green})
	}
	return all
}

// timeline shows the pipeline of a lesson: in which order stages are filled,
// multiplied and stored, and what overlaps. Ticks of the emulator order events
// and are no times, so each start and each end is one step to the right.
func timeline(t trace) (figure, error) {
	tracks := t.tracks()
	if len(tracks) == 0 {
		return figure{}, fmt.Errorf("%s shows no stage that is filled: write it again with lesson trace", t.path)
	}
	var moments []float64
	var names []string
	for _, row := range tracks {
		names = append(names, row.name)
		for _, s := range row.spans {
			moments = append(moments, s.from, s.to)
		}
	}
	slices.Sort(moments)
	moments = slices.Compact(moments)
	step := func(at float64) float64 { i, _ := slices.BinarySearch(moments, at); return float64(i) }

	p := newPanel(vg.Length(40+30*len(tracks)), "", "every start and every end is one step; lengths are no times")
	p.rows(names)
	p.X.Min, p.X.Max = 0, float64(len(moments)-1)
	p.X.Tick.Marker = plot.ConstantTicks{}
	table := [][]string{{"row", "slice", "from_step", "to_step", "from_tick", "to_tick"}}
	for i, row := range tracks {
		for j, s := range row.spans {
			number := ""
			if row.numbers[j] >= 0 {
				number = fmt.Sprint(row.numbers[j])
			}
			p.Add(piece(row, number, step(s.from), step(s.to), float64(-i)))
			table = append(table, []string{row.name, number, whole(step(s.from)), whole(step(s.to)), whole(s.from), whole(s.to)})
		}
	}
	key := []entry{boxKey(vermillion, true, "TMA fills a stage"), boxKey(blue, false, "a group of wgmma is in flight")}
	if len(t.stores()) > 0 {
		key = append(key, boxKey(green, false, "TMA stores a part of the result"))
	}
	return figure{
		name: "timeline-" + t.lesson.Name, title: "The pipeline of " + t.lesson.Name + ": " + t.lesson.Title, key: key,
		panels: []panel{p}, table: table,
		caption: []string{
			"Numbers are slices of K: a box with a number is filled, or read, for that slice. Boxes above each other overlap.",
			fmt.Sprintf("Emulated, not measured: the first CTA of %s on the emulator, in one order that the hardware allows. No GPU was used.", t.kernel)},
	}, nil
}

// piece is the box of a span, with its number if there is room.
func piece(row track, number string, from, to, vy float64) mark {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		r := vg.Rectangle{Min: vg.Point{X: x(from), Y: y(vy) - 9}, Max: vg.Point{X: x(to), Y: y(vy) + 9}}
		box(&c, row.ink, row.hatched, r)
		style := words(captionSize, foreground)
		style.XAlign, style.YAlign = text.XCenter, text.YCenter
		if w := style.Width(number); number != "" && r.Max.X-r.Min.X > w+2 {
			at := center(r)
			fill(&c, paper, vg.Rectangle{Min: vg.Point{X: at.X - w/2 - 2, Y: at.Y - 6}, Max: vg.Point{X: at.X + w/2 + 2, Y: at.Y + 6}})
			c.FillText(style, at, number)
		}
	}
}
