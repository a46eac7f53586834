package plots

import (
	"fmt"
	"path/filepath"
	"slices"

	"gohopper/internal/report"
	"gohopper/lessons"
)

// records is all that the figures are drawn from.
type records struct {
	ladder    recorded // every lesson at one shape, in several processes
	sweep     recorded // the last lesson at many shapes
	shapes    recorded // the first lessons at odd shapes
	ablations recorded // V6 with one decision changed
	profile   notes    // of one launch, by Nsight Compute
	card      notes    // what the card can do
	traces    []trace  // of the lessons on the emulator, where they are recorded
}

// recorded is one report.
type recorded struct {
	path    string
	results []report.Result
}

// readRecords reads the records in a folder. What the emulator or a model has
// made is left out.
func readRecords(dir string) (r records, err error) {
	for _, report := range []struct {
		name string
		to   *recorded
	}{{"ladder.json", &r.ladder}, {"sweep.json", &r.sweep}, {"shapes.json", &r.shapes}, {"ablations.json", &r.ablations}} {
		if *report.to, err = readReport(filepath.Join(dir, report.name)); err != nil {
			return r, err
		}
	}
	for _, noted := range []struct {
		name string
		to   *notes
	}{{"profile.json", &r.profile}, {"card.json", &r.card}} {
		if *noted.to, err = readNotes(filepath.Join(dir, noted.name)); err != nil {
			return r, err
		}
	}
	r.traces, err = readTraces(filepath.Join(dir, "timelines"))
	return r, err
}

func readReport(path string) (recorded, error) {
	results, err := report.Read(path)
	measured := slices.DeleteFunc(results, func(r report.Result) bool { return r.Origin != report.Recorded })
	return recorded{path, measured}, err
}

// measured is one kernel on one shape, verified and timed beside the library.
type measured struct {
	report.Combined
	runs []report.Result // one of each process
}

// summaries is what the timing of each process comes to.
func (m measured) summaries() []report.Summary {
	var all []report.Summary
	for _, r := range m.runs {
		all = append(all, *r.Summarise())
	}
	return all
}

// find returns what was measured under each name that name gives, in the order
// of their first appearance; it gives "" for what is not wanted. A result
// without a speed, since it was wrong or had no library beside it, is an
// error, and so are two kinds of result under one name.
func (r recorded) find(name func(report.Result) string) ([]measured, error) {
	var names []string
	runs := map[string][]report.Result{}
	for _, result := range r.results {
		n := name(result)
		if n == "" {
			continue
		}
		if runs[n] == nil {
			names = append(names, n)
		}
		runs[n] = append(runs[n], result)
	}
	var found []measured
	for _, n := range names {
		all := report.Combine(runs[n])
		if len(all) > 1 {
			return nil, fmt.Errorf("%s: %s is recorded twice, with another tile, seed or machine: keep one", r.path, n)
		}
		if all[0].TFLOPS == nil || all[0].Ratio == nil {
			return nil, fmt.Errorf("%s: %s has no verified speed, or no library beside it: record it again with lesson bench", r.path, n)
		}
		found = append(found, measured{all[0], runs[n]})
	}
	return found, nil
}

// The work of the ladder.
const ladderType = "f16"

func ladderShape() report.Shape { return report.Shape{M: 8192, N: 8192, K: 8192} }

// step is a lesson of the ladder.
type step struct {
	lessons.Lesson
	measured
}

// steps is the ladder, in the order of the lessons, and the names of those
// that are not recorded.
func (r records) steps() (ladder []step, missing []string, err error) {
	all, err := r.ladder.find(func(r report.Result) string {
		if r.Type != ladderType || r.Shape != ladderShape() {
			return ""
		}
		return r.Lesson
	})
	if err != nil {
		return nil, nil, err
	}
	for _, l := range lessons.All() {
		i := slices.IndexFunc(all, func(m measured) bool { return m.Combined.Lesson == l.Name })
		if i < 0 {
			missing = append(missing, l.Name)
			continue
		}
		ladder = append(ladder, step{l, all[i]})
	}
	if len(ladder) == 0 {
		return nil, nil, fmt.Errorf("%s has no lesson in %s at %v: record the ladder with lesson bench", r.ladder.path, ladderType, ladderShape())
	}
	return ladder, missing, nil
}

// provenance says what the results were measured on, with which library, and
// when.
func provenance(all ...[]measured) string {
	var machines, dates []string
	for _, m := range slices.Concat(all...) {
		for _, r := range m.runs {
			machines, dates = append(machines, r.Machine.String()), append(dates, r.Day())
		}
	}
	return fmt.Sprintf("Recorded: %s; %s.", report.Distinct(machines, " and "), report.Distinct(dates, " and "))
}
