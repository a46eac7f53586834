package excerpt

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"gohopper/internal/report"
)

// fields is what prose may quote of a result: how each field is written, and
// false where the result has none. Of several processes a rate or a ratio is
// the median of their medians, as report.Combine gives it; a range is the
// smallest and the largest.
var fields = map[string]func(report.Combined) (string, bool){
	"tflops":        median(func(c report.Combined) *report.Range { return c.TFLOPS }, 0),
	"tflops_range":  extremes(func(c report.Combined) *report.Range { return c.TFLOPS }, 0),
	"library":       median(func(c report.Combined) *report.Range { return c.Library }, 0),
	"library_range": extremes(func(c report.Combined) *report.Range { return c.Library }, 0),
	"ratio":         median(func(c report.Combined) *report.Range { return c.Ratio }, 3),
	"ratio_range":   extremes(func(c report.Combined) *report.Range { return c.Ratio }, 3),

	"registers":    built(func(b report.Build) string { return fmt.Sprint(b.Registers) }),
	"spill_bytes":  built(func(b report.Build) string { return fmt.Sprint(b.SpillBytes) }),
	"shared_bytes": built(func(b report.Build) string { return fmt.Sprint(b.SharedBytes) }),
	"compile_ms":   built(func(b report.Build) string { return fmt.Sprintf("%.0f", b.CompileMS) }),

	"clock_mhz": running(func(r report.Reading) string { return fmt.Sprint(r.SMClockMHz) }),
	"power_w":   running(func(r report.Reading) string { return fmt.Sprintf("%.0f", r.PowerW) }),
	"temp_c":    running(func(r report.Reading) string { return fmt.Sprint(r.TempC) }),

	"device":       text(func(c report.Combined) string { return c.Machine.Device }),
	"driver":       text(func(c report.Combined) string { return c.Machine.Driver }),
	"cuda":         text(func(c report.Combined) string { return c.Machine.CUDA }),
	"library_name": text(func(c report.Combined) string { return c.Machine.Library }),
	"origin":       text(func(c report.Combined) string { return string(c.Origin) }),
	"date":         text(func(c report.Combined) string { return c.Day() }),
	"processes":    text(func(c report.Combined) string { return fmt.Sprint(c.Processes) }),
	"mean_error":   erring(func(v report.Verification) float64 { return v.MeanError }),
	"max_error":    erring(func(v report.Verification) float64 { return v.MaxError }),
	"worst":        text(func(c report.Combined) string { return fmt.Sprintf("%.2f", c.Worst) }),
}

// Field is one field of a recorded report as text, without its unit. The
// fragment is "lesson/type/MxNxK/field", as in
// "v6/f16/8192x8192x8192/tflops"; rates are in TFLOP/s, ratios the library's
// time over ours. Where a report has several kernels of a lesson, as one of
// ablations has, the kernel follows the lesson after a colon, with %20 for a
// space: "v6:cluster/no%20cluster/f16/8192x8192x8192/ratio".
func Field(path, fragment string) (string, error) {
	w, err := parseWanted(fragment)
	if err != nil {
		return "", fmt.Errorf("%s#%s: %w", path, fragment, err)
	}
	results, err := report.Read(path)
	if err != nil {
		return "", err
	}
	var found []report.Combined
	for _, c := range report.Combine(results) {
		if w.is(c) {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%s has %d results of %s: a field is quoted of one; of several kernels, name one as in %s:KERNEL/%s", path, len(found), w, w.lesson, w.typ)
	}
	value, ok := fields[w.field](found[0])
	if !ok {
		return "", fmt.Errorf("%s: the result of %s has no %s", path, w, w.field)
	}
	return value, nil
}

// wanted is what a fragment asks for.
type wanted struct{ lesson, kernel, typ, shape, field string } // kernel is "" for whichever there is

// parseWanted takes a fragment apart. A kernel's name may have slashes, so the
// parts behind it are counted from the end.
func parseWanted(fragment string) (wanted, error) {
	const form = "a fragment is lesson/type/MxNxK/field or lesson:kernel/type/MxNxK/field"
	part := strings.Split(fragment, "/")
	behind := len(part) - 3
	if behind < 1 {
		return wanted{}, errors.New(form)
	}
	lesson, kernel, named := strings.Cut(strings.Join(part[:behind], "/"), ":")
	kernel, err := url.PathUnescape(kernel)
	if err != nil || strings.Contains(lesson, "/") || named && kernel == "" {
		return wanted{}, errors.New(form)
	}
	w := wanted{lesson, kernel, part[behind], part[behind+1], part[behind+2]}
	if _, ok := fields[w.field]; !ok {
		return wanted{}, fmt.Errorf("there is no field %q: it is one of %s", w.field, list(fields))
	}
	return w, nil
}

func (w wanted) is(c report.Combined) bool {
	return c.Lesson == w.lesson && (w.kernel == "" || c.Kernel == w.kernel) && c.Type == w.typ && c.Shape.String() == w.shape
}

func (w wanted) String() string {
	name := w.lesson
	if w.kernel != "" {
		name += " " + w.kernel
	}
	return fmt.Sprintf("%s in %s at %s", name, w.typ, w.shape)
}

func median(of func(report.Combined) *report.Range, digits int) func(report.Combined) (string, bool) {
	return func(c report.Combined) (string, bool) {
		r := of(c)
		if r == nil {
			return "", false
		}
		return fmt.Sprintf("%.*f", digits, r.Median), true
	}
}

func extremes(of func(report.Combined) *report.Range, digits int) func(report.Combined) (string, bool) {
	return func(c report.Combined) (string, bool) {
		r := of(c)
		if r == nil {
			return "", false
		}
		return fmt.Sprintf("%.*f to %.*f", digits, r.Min, digits, r.Max), true
	}
}

func built(of func(report.Build) string) func(report.Combined) (string, bool) {
	return func(c report.Combined) (string, bool) {
		if c.Build == nil {
			return "", false
		}
		return of(*c.Build), true
	}
}

// running quotes the state of the card while our kernel ran.
func running(of func(report.Reading) string) func(report.Combined) (string, bool) {
	return func(c report.Combined) (string, bool) {
		if c.Timing == nil || c.Timing.Ours.After == nil {
			return "", false
		}
		return of(*c.Timing.Ours.After), true
	}
}

// erring quotes an error, of the first verification: what a kernel computes does
// not depend on when it runs.
func erring(of func(report.Verification) float64) func(report.Combined) (string, bool) {
	return func(c report.Combined) (string, bool) {
		e := of(c.Before)
		return fmt.Sprintf("%.2g", e), e != 0
	}
}

func text(of func(report.Combined) string) func(report.Combined) (string, bool) {
	return func(c report.Combined) (string, bool) {
		s := of(c)
		return s, s != ""
	}
}

// list is the names of a map for a message.
func list[V any](m map[string]V) string {
	if len(m) == 0 {
		return "none"
	}
	return strings.Join(slices.Sorted(maps.Keys(m)), ", ")
}
