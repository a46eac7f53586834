package report

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"
)

// Validate refuses what cannot be a record: an unknown schema, a missing
// name, a date or shape that is none, samples that are missing, not positive
// or not finite, a time that was published without a verification. The error
// lists all that is wrong, a line each, with the result and the JSON field.
func (f File) Validate() error {
	if f.Schema != Schema {
		return fmt.Errorf("schema is %q, but this program knows only %q: record it again or use the program that wrote it", f.Schema, Schema)
	}
	if len(f.Results) == 0 {
		return errors.New("there are no results")
	}
	var all []error
	seen := map[string]bool{}
	for i, r := range f.Results {
		for _, err := range r.problems() {
			all = append(all, fmt.Errorf("results[%d] (%s): %w", i, r.name(), err))
		}
		key := fmt.Sprintf("%s|%d", r.work(), r.Process)
		if seen[key] {
			all = append(all, fmt.Errorf("results[%d] (%s): the same work was recorded before for this process: give each process its own number", i, r.name()))
		}
		seen[key] = true
	}
	return errors.Join(all...)
}

// work identifies what was computed, where and how, but not when.
func (r Result) work() string {
	return fmt.Sprint(r.Lesson, "|", r.Kernel, "|", r.Origin, "|", r.Shape, "|", r.Type, "|", r.Seed, "|", r.Config, "|", r.Machine)
}

// problems lists what is wrong with r.
func (r Result) problems() []error {
	var p []error
	add := func(format string, args ...any) { p = append(p, fmt.Errorf(format, args...)) }

	for _, f := range []struct{ name, value string }{
		{"lesson", r.Lesson}, {"kernel", r.Kernel}, {"type", r.Type}, {"machine.device", r.Machine.Device},
	} {
		if f.value == "" {
			add("%s is missing", f.name)
		}
	}
	switch r.Origin {
	case Recorded, Modelled, Emulated:
	default:
		add("origin is %q: it must be %q, %q or %q", r.Origin, Recorded, Modelled, Emulated)
	}
	if r.Process < 1 {
		add("process is %d: the first process is 1", r.Process)
	}
	if _, err := time.Parse(time.RFC3339, r.Date); err != nil {
		add("date is %q: write it as RFC 3339, 2026-11-29T14:03:05Z", r.Date)
	}
	if r.Shape.M < 1 || r.Shape.N < 1 || r.Shape.K < 1 {
		add("shape is %v: each dimension must be at least 1", r.Shape)
	}
	if b := r.Build; b != nil {
		if !finite(b.CompileMS) || b.Registers < 0 || b.SpillBytes < 0 || b.SharedBytes < 0 {
			add("build has a negative or impossible value: %+v", *b)
		}
	}
	p = append(p, r.Before.problems("verified_before")...)
	if r.After != nil {
		p = append(p, r.After.problems("verified_after")...)
	}
	if r.Timing == nil {
		if r.Summary != nil {
			add("summary is given without timing")
		}
		return p
	}
	return append(p, r.timingProblems()...)
}

// timingProblems lists what is wrong with the times of r.
func (r Result) timingProblems() []error {
	var p []error
	add := func(format string, args ...any) { p = append(p, fmt.Errorf(format, args...)) }

	t := r.Timing
	if r.Origin == Emulated {
		add("timing is given, but the emulator has no times: the origin must be %q or %q", Recorded, Modelled)
	}
	if !r.Before.OK {
		add("timing is given for a result that was wrong before it")
	}
	if r.After == nil && r.Origin == Recorded {
		add("verified_after is missing: a measured result is checked again after timing")
	}
	if t.Method.WarmUps < 0 || t.Method.Iterations < 1 || !finite(t.Method.PauseS) {
		add("timing.method is %+v: a sample is the mean of at least 1 iteration, and nothing is negative", t.Method)
	}
	for _, s := range []struct {
		name string
		*Series
	}{{"library_before", t.LibraryBefore}, {"ours", &t.Ours}, {"library_after", t.LibraryAfter}} {
		if s.Series == nil {
			continue
		}
		if len(s.SamplesMS) != len(t.Ours.SamplesMS) {
			add("timing.%s has %d samples and timing.ours %d: ratios are paired, so the counts must agree", s.name, len(s.SamplesMS), len(t.Ours.SamplesMS))
		}
		p = append(p, s.problems("timing."+s.name)...)
	}
	if len(p) == 0 && r.Summary != nil && !reflect.DeepEqual(r.Summary, r.Summarise()) {
		add("summary does not follow from the samples: the file was changed after it was written")
	}
	return p
}

func (v Verification) problems(name string) []error {
	// A wrong result may be off by infinitely many bounds, but not in JSON.
	if !finite(v.Worst) || v.OK && v.Worst > 1 {
		return []error{fmt.Errorf("%s.worst is %v: a right result is within 1, and a wrong one has a finite number", name, v.Worst)}
	}
	if !finite(v.MeanError) || !finite(v.MaxError) || v.MeanError > v.MaxError {
		return []error{fmt.Errorf("%s has a mean error of %v and a largest of %v: both are finite, and the mean is the smaller", name, v.MeanError, v.MaxError)}
	}
	return nil
}

func (s Series) problems(name string) []error {
	var p []error
	if len(s.SamplesMS) == 0 {
		p = append(p, fmt.Errorf("%s has no samples", name))
	}
	for i, ms := range s.SamplesMS {
		if !finite(ms) || ms == 0 {
			p = append(p, fmt.Errorf("%s.samples_ms[%d] is %v: a time is positive and finite", name, i, ms))
		}
	}
	for _, r := range []*Reading{s.Before, s.After} {
		if r != nil && (r.SMClockMHz < 0 || r.MemClockMHz < 0 || !finite(r.PowerW)) {
			p = append(p, fmt.Errorf("%s has an impossible reading: %+v", name, *r))
		}
	}
	return p
}

// finite reports whether v is a number from zero up; NaN is not.
func finite(v float64) bool { return v >= 0 && !math.IsInf(v, 1) }
