package main

import (
	"fmt"
	"strings"
)

// query is what is asked: a figure, and what its controls are set to. A control
// that is left out has its default.
type query struct {
	Figure string            `json:"figure"`
	Set    map[string]string `json:"set"`
	// Changed is the control that was touched last. It decides where two
	// controls say the same thing.
	Changed string `json:"changed,omitempty"`
}

// answer is a figure in one state.
type answer struct {
	Figure string `json:"figure"`
	// Wrong says what is wrong with what was asked, "" for nothing. There is
	// no drawing then.
	Wrong    string    `json:"wrong,omitempty"`
	Controls []control `json:"controls"`
	Drawing  string    `json:"drawing,omitempty"` // SVG
	Said     string    `json:"said,omitempty"`    // what is to be seen, in words
	Output   string    `json:"output,omitempty"`  // what the emulator found
	Table    table     `json:"table"`
}

// table is the values of a drawing: its text alternative.
type table struct {
	Caption string     `json:"caption"`
	Head    []string   `json:"head"`
	Rows    [][]string `json:"rows"`
}

func (t *table) add(cells ...string) { t.Rows = append(t.Rows, cells) }

// figure is one of the figures. Its draw puts the drawing, the words and the
// table into an answer, and reports what is wrong through the settings.
type figure struct {
	name     string
	controls func() []control
	draw     func(*settings, *answer)
}

// figures is all of them, in the order of the page. They may keep what took long
// to compute, so a program has one set.
func figures() []figure {
	kept := &orders{}
	return []figure{
		{"swizzle", swizzleControls, drawSwizzle},
		{"descriptor", descriptorControls, drawDescriptor},
		{"mbarrier", mbarrierControls, drawMbarrier},
		{"raster", rasterControls, kept.draw},
	}
}

// answer computes one of the figures.
func (q query) answer(all []figure) answer {
	var names []string
	for _, f := range all {
		if f.name == q.Figure {
			return f.answer(q)
		}
		names = append(names, f.name)
	}
	return answer{Figure: q.Figure, Wrong: fmt.Sprintf("there is no figure %q; there are %s", q.Figure, strings.Join(names, ", "))}
}

func (f figure) answer(q query) answer {
	a := answer{Figure: f.name}
	s := newSettings(f.controls(), q)
	if s.wrong == nil {
		f.draw(s, &a)
	}
	if s.wrong != nil {
		a = answer{Figure: f.name, Wrong: s.wrong.Error()}
	}
	a.Controls = s.controls
	return a
}
