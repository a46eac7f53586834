package readme

import (
	"cmp"
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

// The reports that the pages show, from the root of the repository.
const (
	ladder = "plots/data/ladder.json" // every lesson at one shape
	sweep  = "plots/data/sweep.json"  // every lesson at many
	tune   = "plots/data/tune.json"   // every lesson's tiles at one shape
)

// The work that the table of the ladder shows.
const elem = "f16"

var shape = report.Shape{M: 8192, N: 8192, K: 8192}

// recorded makes a section from a report, where there is one.
func recorded(path string, table func([]report.Result) (string, error)) func(*testing.T) string {
	return func(t *testing.T) string {
		results, err := report.Read(filepath.Join(root, filepath.FromSlash(path)))
		if errors.Is(err, fs.ErrNotExist) {
			return "Not recorded yet: the results will stand here once `" + path + "` exists.\n"
		}
		require.NoError(t, err)
		text, err := table(results)
		require.NoError(t, err)
		return text
	}
}

// ladderTable shows each lesson's speed and its share of the library's, with
// the range over the processes, and what they were measured on.
func ladderTable(results []report.Result) (string, error) {
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
		if err := complete(c); err != nil {
			return "", err
		}
		shown[c.Lesson] = c
	}
	var rows []report.Combined
	var slower []string
	for _, l := range lessons.All() {
		c, ok := shown[l.Name]
		if !ok {
			fmt.Fprintf(&b, "| [%s](%s) | %s | not recorded | |\n", l.Name, l.Folder, l.Idea)
			continue
		}
		fmt.Fprintf(&b, "| [%s](%s) | %s | %s |\n", l.Name, l.Folder, l.Idea, speed(c))
		if len(rows) > 0 && c.Ratio.Median < rows[len(rows)-1].Ratio.Median {
			slower = append(slower, l.Name)
		}
		rows = append(rows, c)
	}
	fmt.Fprintf(&b, "\nM = N = K = %d, %s. %s\n", shape.M, elem, provenance(rows, ranges))
	if len(slower) > 0 {
		fmt.Fprintf(&b, "Not every step gains: %s stayed below the one before.\n", strings.Join(slower, ", "))
	}
	return b.String(), nil
}

// sweepTable shows the last lesson's kernel on the shapes of the sweep.
func sweepTable(results []report.Result) (string, error) {
	last := lessons.Names()[len(lessons.Names())-1]
	cells := map[report.Shape]map[string]string{}
	var shapes []report.Shape
	var rows []report.Combined
	for _, c := range report.Combine(results) {
		if c.Lesson != last || c.Origin != report.Recorded {
			continue
		}
		if err := complete(c); err != nil {
			return "", err
		}
		if cells[c.Shape] == nil {
			cells[c.Shape] = map[string]string{}
			shapes = append(shapes, c.Shape)
		}
		if cells[c.Shape][c.Type] != "" {
			return "", fmt.Errorf("%s is recorded twice for %s %v", c.Lesson, c.Type, c.Shape)
		}
		cells[c.Shape][c.Type] = speed(c)
		rows = append(rows, c)
	}
	slices.SortStableFunc(shapes, func(a, b report.Shape) int { return cmp.Compare(a.M*a.N*a.K, b.M*b.N*b.K) })
	var b strings.Builder
	fmt.Fprintf(&b, "| %s, M x N x K | f16 TFLOP/s | of cuBLAS | bf16 TFLOP/s | of cuBLAS |\n|---|---:|---:|---:|---:|\n", last)
	for _, s := range shapes {
		fmt.Fprintf(&b, "| %d x %d x %d |", s.M, s.N, s.K)
		for _, typ := range []string{"f16", "bf16"} {
			fmt.Fprintf(&b, " %s |", cmp.Or(cells[s][typ], "|"))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\n%s\n", provenance(rows, ranges))
	return b.String(), nil
}

// complete says what keeps a result out of a table.
func complete(c report.Combined) error {
	if c.TFLOPS == nil || c.Ratio == nil {
		return fmt.Errorf("%s %s %v has no verified speed, or no library beside it", c.Lesson, c.Type, c.Shape)
	}
	return nil
}

// speed is two cells: TFLOP/s and the share of the library's, with the range
// where there are several processes.
func speed(c report.Combined) string {
	s := fmt.Sprintf("%.0f | %.1f %%", c.TFLOPS.Median, 100*c.Ratio.Median)
	if c.Processes > 1 {
		s += fmt.Sprintf(" (%.1f to %.1f)", 100*c.Ratio.Min, 100*c.Ratio.Max)
	}
	return s
}

// ranges is what a table says that shows them beside its medians.
const ranges = ", and range in brackets,"

// provenance says how and on what the rows were measured. Spread is ranges, or
// "" for a table of medians alone.
func provenance(rows []report.Combined, spread string) string {
	var machines, dates []string
	var processes []int
	for _, c := range rows {
		machines = append(machines, c.Machine.String())
		processes = append(processes, c.Processes)
		dates = append(dates, c.Day())
	}
	return fmt.Sprintf("%s, with cuBLAS timed before and after in the same process. %s; %s.",
		counted(processes, spread), report.Distinct(machines, " and "), report.Distinct(dates, " and "))
}

// counted says what a figure is made of, given the numbers of processes.
func counted(processes []int, spread string) string {
	slices.Sort(processes)
	var several []string
	for _, n := range slices.Compact(processes) {
		if n > 1 {
			several = append(several, fmt.Sprint(n))
		}
	}
	median := fmt.Sprintf("edian%s of %s fresh processes each", spread, strings.Join(several, " or "))
	switch {
	case len(several) == 0:
		return "One process each"
	case processes[0] > 1:
		return "M" + median
	}
	return "One process each, or m" + median
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

func TestLadderTable(t *testing.T) {
	all := []report.Result{result("v0", 1, 2), result("v0", 2, 2.5), result("v0", 3, 1.6)}
	other := result("v1", 1, 2)
	other.Type = "bf16"
	got, err := ladderTable(append(all, other))
	require.NoError(t, err)
	assert.Contains(t, got, "| 550 | 50.0 % (40.0 to 62.5) |\n", "median and range of the three")
	assert.Contains(t, got, "of 3 fresh processes each")
	assert.Contains(t, got, "NVIDIA H200, driver 580.159, CUDA 13.0, cuBLAS 13.1; 2026-11-29.\n")
	assert.Regexp(t, `\| \[v1\].* \| not recorded \| \|\n`, got, "another type is other work")
	assert.NotContains(t, got, "Not every step gains")
	assert.Equal(t, 4+len(lessons.All()), strings.Count(got, "\n"), "every lesson has a line")
}

func TestTableAdmits(t *testing.T) {
	got, err := ladderTable([]report.Result{result("v0", 1, 2), result("v1", 1, 2.5), result("v2", 1, 1.5)})
	require.NoError(t, err)
	assert.Contains(t, got, "Not every step gains: v1 stayed below the one before.\n")
	assert.Contains(t, got, "One process each, with cuBLAS")
}

func TestCounted(t *testing.T) {
	assert.Equal(t, "One process each", counted([]int{1, 1}, ranges))
	assert.Equal(t, "Median, and range in brackets, of 3 or 6 fresh processes each", counted([]int{6, 3, 6}, ranges))
	assert.Equal(t, "One process each, or median, and range in brackets, of 3 fresh processes each", counted([]int{3, 1, 3}, ranges))
}

func TestSweepTable(t *testing.T) {
	last := lessons.Names()[len(lessons.Names())-1]
	small, brain := result(last, 1, 1.25), result(last, 1, 1)
	small.Shape.M = 128
	brain.Type = "bf16"
	got, err := sweepTable([]report.Result{brain, small, result("v0", 1, 2)})
	require.NoError(t, err)
	assert.Contains(t, got, "| 128 x 8192 x 8192 | 14 | 80.0 % | | |\n| 8192 x 8192 x 8192 | | | 1100 | 100.0 % |\n",
		"smallest first, empty cells for what was not measured, no other lesson")
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
			_, err := ladderTable(c.results)
			require.ErrorContains(t, err, c.want)
		})
	}
}
