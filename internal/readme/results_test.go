package readme

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/report"
	"gohopper/lessons"
)

// The work that the README's table shows.
const elem = "f16"

var shape = report.Shape{M: 8192, N: 8192, K: 8192}

// ladder is the report of all lessons, from the root of the repository.
const ladder = "plots/data/ladder.json"

// recorded is the table of the recorded results.
func recorded(t *testing.T) string {
	results, err := report.Read(filepath.Join(root, filepath.FromSlash(ladder)))
	if errors.Is(err, fs.ErrNotExist) {
		return "No results are recorded yet: they will stand here once `" + ladder + "` exists.\n"
	}
	require.NoError(t, err)
	text, err := table(results)
	require.NoError(t, err)
	return text
}

// table shows each lesson's speed and its share of the library's, with the
// range over the processes, and what they were measured on.
func table(results []report.Result) (string, error) {
	var b strings.Builder
	b.WriteString("| lesson | idea | TFLOP/s | of cuBLAS |\n|---|---|---:|---:|\n")
	shown := map[string]report.Combined{}
	for _, c := range report.Combine(results) {
		if c.Origin != report.Recorded || c.Type != elem || c.Shape != shape {
			continue
		}
		if _, twice := shown[c.Lesson]; twice {
			return "", fmt.Errorf("%s is recorded twice for %s %v, with another tile, seed or machine", c.Lesson, elem, shape)
		}
		if c.TFLOPS == nil || c.Ratio == nil {
			return "", fmt.Errorf("%s %s %v has no verified speed, or no library beside it", c.Lesson, elem, shape)
		}
		shown[c.Lesson] = c
	}
	var machines, processes, dates []string
	for _, l := range lessons.All() {
		c, ok := shown[l.Name]
		if !ok {
			fmt.Fprintf(&b, "| [%s](%s) | %s | not recorded | |\n", l.Name, l.Folder, l.Idea)
			continue
		}
		fmt.Fprintf(&b, "| [%s](%s) | %s | %.0f | %.1f %% (%.1f to %.1f) |\n", l.Name, l.Folder, l.Idea,
			c.TFLOPS.Median, 100*c.Ratio.Median, 100*c.Ratio.Min, 100*c.Ratio.Max)
		m := c.Machine
		machines = append(machines, fmt.Sprintf("%s, driver %s, CUDA %s, %s", m.Device, m.Driver, m.CUDA, m.Library))
		processes = append(processes, fmt.Sprint(c.Processes))
		dates = append(dates, c.Date[:len("2006-01-02")])
	}
	fmt.Fprintf(&b, "\nM = N = K = %d, %s, standard normal data. Median, and range in brackets, of %s fresh processes a lesson, cuBLAS timed before and after in the same process. %s; %s.\n",
		shape.M, elem, distinct(processes), distinct(machines), distinct(dates))
	return b.String(), nil
}

// distinct lists the different texts once each, in order.
func distinct(texts []string) string {
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), " and ")
}

// result is a measured lesson: the library takes a millisecond, and we take ms.
func result(lesson string, process int, ms float64) report.Result {
	return report.Result{
		Lesson: lesson, Kernel: "matmul_" + lesson, Origin: report.Recorded, Process: process, Date: "2026-11-29T14:03:05Z",
		Shape: shape, Type: elem, Seed: 1,
		Machine: report.Machine{Device: "NVIDIA H200", Driver: "580.159", CUDA: "13.0", Library: "cuBLAS 13.1"},
		Before:  report.Verification{OK: true}, After: &report.Verification{OK: true},
		Timing: &report.Timing{
			Method:        report.Method{WarmUps: 5, Iterations: 30, PauseS: 3},
			LibraryBefore: &report.Series{SamplesMS: []float64{1}},
			Ours:          report.Series{SamplesMS: []float64{ms}},
		},
	}
}

func TestTable(t *testing.T) {
	all := []report.Result{result("v0", 1, 2), result("v0", 2, 2.5), result("v0", 3, 1.6)}
	other := result("v1", 1, 2)
	other.Type = "bf16"
	got, err := table(append(all, other))
	require.NoError(t, err)
	assert.Contains(t, got, "| 550 | 50.0 % (40.0 to 62.5) |\n", "median and range of the three")
	assert.Contains(t, got, "of 3 fresh processes a lesson")
	assert.Contains(t, got, "NVIDIA H200, driver 580.159, CUDA 13.0, cuBLAS 13.1; 2026-11-29.\n")
	assert.Regexp(t, `\| \[v1\].* \| not recorded \| \|\n`, got, "another type is other work")
	assert.Equal(t, 4+len(lessons.All()), strings.Count(got, "\n"), "every lesson has a line")
}

func TestTableRefuses(t *testing.T) {
	twice := result("v0", 1, 2)
	twice.Seed = 2
	alone := result("v0", 1, 2)
	alone.Timing.LibraryBefore = nil
	wrong := result("v0", 1, 2)
	wrong.After.OK = false
	for _, c := range []struct {
		why     string
		results []report.Result
		want    string
	}{
		{"two candidates for one line", []report.Result{result("v0", 1, 2), twice}, "v0 is recorded twice"},
		{"no share without a library", []report.Result{alone}, "no library beside it"},
		{"no speed without a right answer", []report.Result{wrong}, "no verified speed"},
	} {
		t.Run(c.why, func(t *testing.T) {
			_, err := table(c.results)
			require.ErrorContains(t, err, c.want)
		})
	}
}
