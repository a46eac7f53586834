package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The kinds of controls.
const (
	selectKind = "select" // one of Options
	numberKind = "number" // a whole number, Min to Max in steps of Step
	turnKind   = "turn"   // a number with buttons for the one before and after
	playKind   = "play"   // a turn that can be played
	textKind   = "text"   // a line of text; Options are appended to it by buttons
)

// control is one setting of a figure, as the page shows it.
type control struct {
	Name    string   `json:"name"`
	Label   string   `json:"label"`
	Kind    string   `json:"kind"`
	Value   string   `json:"value"`
	Min     int      `json:"min"`
	Max     int      `json:"max"`
	Step    int      `json:"step"`
	Long    bool     `json:"long,omitempty"` // it takes a line of its own
	Options []option `json:"options,omitempty"`
}

// option is one choice of a control.
type option struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

func number(name, label string, value, least, most, step int) control {
	return control{Name: name, Label: label, Kind: numberKind, Value: strconv.Itoa(value), Min: least, Max: most, Step: step}
}

func choice(name, label, value string, options ...option) control {
	c := control{Name: name, Label: label, Kind: selectKind, Value: value, Options: options}
	for _, o := range options {
		c.Long = c.Long || len(o.Label) > 22
	}
	return c
}

// settings is the controls of a figure as they were asked for. The first thing
// that is wrong is kept; after it the values mean nothing.
type settings struct {
	controls []control
	changed  string
	wrong    error
}

// newSettings applies a query to the controls. A value outside of a number's
// limits is an error, and so is a name that no control has.
func newSettings(controls []control, q query) *settings {
	s := &settings{controls: controls, changed: q.Changed}
	known := map[string]bool{}
	for i := range controls {
		known[controls[i].Name] = true
		if value, ok := q.Set[controls[i].Name]; ok {
			controls[i].Value = strings.TrimSpace(value)
			s.check(controls[i])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(q.Set)) {
		if !known[name] {
			s.fail("the figure %s has no setting %q", q.Figure, name)
		}
	}
	return s
}

// fail keeps the first thing that is wrong.
func (s *settings) fail(format string, args ...any) {
	if s.wrong == nil {
		s.wrong = fmt.Errorf(format, args...)
	}
}

// check refuses a value that a control cannot have.
func (s *settings) check(c control) {
	switch c.Kind {
	case selectKind:
		var values []string
		for _, o := range c.Options {
			if o.Value == c.Value {
				return
			}
			values = append(values, o.Value)
		}
		s.fail("%s is %q; it is one of %s", c.Label, c.Value, strings.Join(values, ", "))
	case textKind:
	default:
		n, err := strconv.Atoi(c.Value)
		switch {
		case err != nil:
			s.fail("%s is %q; give a whole number", c.Label, c.Value)
		case n < c.Min || n > c.Max:
			s.fail("%s is %d; it is %d to %d", c.Label, n, c.Min, c.Max)
		case (n-c.Min)%max(1, c.Step) != 0:
			s.fail("%s is %d; it goes in steps of %d from %d", c.Label, n, c.Step, c.Min)
		}
	}
}

// at is the control of a name.
func (s *settings) at(name string) *control {
	for i := range s.controls {
		if s.controls[i].Name == name {
			return &s.controls[i]
		}
	}
	return &control{}
}

// text is a setting's value.
func (s *settings) text(name string) string { return s.at(name).Value }

// whole is a number's value, which has been checked.
func (s *settings) whole(name string) int {
	n, err := strconv.Atoi(s.at(name).Value)
	if err != nil {
		s.fail("%s is %q; give a whole number", name, s.at(name).Value)
	}
	return n
}

// put changes a setting to follow another one.
func (s *settings) put(name string, value any) { s.at(name).Value = fmt.Sprint(value) }

// within is a number's value under a limit that other settings give. What is
// beyond it is taken back to it.
func (s *settings) within(name string, most int) int {
	c := s.at(name)
	c.Max = most
	n := min(s.whole(name), most)
	s.put(name, n)
	return n
}
