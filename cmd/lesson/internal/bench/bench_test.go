package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/report"
)

// TestMain lets this program stand in for a lesson when it is started by a
// lesson's name, through a link.
func TestMain(m *testing.M) {
	if name := filepath.Base(os.Args[0]); strings.HasPrefix(name, "v") {
		os.Exit(pretend(name, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// pretend is a lesson: it records a result without computing one, or fails in
// its own way.
func pretend(name string, args []string) int {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	m, n, k := fs.Int("m", 0, ""), fs.Int("n", 0, ""), fs.Int("k", 0, "")
	seed, pause := fs.Uint64("seed", 0, ""), fs.Duration("pause", 0, "")
	elem, dev, file := fs.String("type", "", ""), fs.String("device", "", ""), fs.String("json", "", "")
	bench, kept := fs.Bool("bench", false, ""), fs.String("reference", "", "")
	if err := fs.Parse(args); err != nil || *dev != "cuda" || !*bench {
		return 2
	}
	if info, err := os.Stat(*kept); err != nil || !info.IsDir() {
		return 2
	}
	r := report.Result{
		Lesson: name, Kernel: "matmul_" + name, Origin: report.Recorded, Process: 1, Date: "2026-11-29T14:03:05Z",
		Shape: report.Shape{M: *m, N: *n, K: *k}, Type: *elem, Seed: *seed,
		Machine: report.Machine{Device: "NVIDIA H200", Library: "cuBLAS 13.1.0"},
		Before:  report.Verification{OK: true, Worst: 0.5}, After: &report.Verification{OK: true, Worst: 0.5},
		Timing: &report.Timing{
			Method:        report.Method{WarmUps: 5, Iterations: 30, PauseS: pause.Seconds()},
			LibraryBefore: &report.Series{SamplesMS: []float64{1}},
			Ours:          report.Series{SamplesMS: []float64{2}},
			LibraryAfter:  &report.Series{SamplesMS: []float64{1}},
		},
	}
	switch name {
	case "v1":
		if *elem == "bf16" {
			fmt.Fprintln(os.Stderr, "note: something before\nv1: the result is wrong")
			return 1
		}
	case "v2":
		return 0 // without a report
	case "v3":
		time.Sleep(time.Minute)
	case "v4":
		r.Shape.M++
	case "v5":
		r.Timing, r.After = nil, nil
	}
	if err := report.Write(*file, []report.Result{r}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func programs(t *testing.T, names ...string) []Program {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	var all []Program
	for _, name := range names {
		path := filepath.Join(dir, name)
		require.NoError(t, os.Symlink(self, path))
		all = append(all, Program{name, path})
	}
	return all
}

func cube(n int) report.Shape { return report.Shape{M: n, N: n, K: n} }

func nothing([]report.Result) error { return nil }

func TestJobsTakeTurns(t *testing.T) {
	var order []string
	for _, j := range (Plan{Programs: []Program{{"v0", ""}, {"v1", ""}}, Shapes: []report.Shape{cube(64), cube(128)}, Types: []string{"f16"}, Processes: 2}).Jobs() {
		order = append(order, j.String())
	}
	assert.Equal(t, []string{
		"v0 f16 64x64x64 process 1", "v1 f16 64x64x64 process 1", "v0 f16 128x128x128 process 1", "v1 f16 128x128x128 process 1",
		"v0 f16 64x64x64 process 2", "v1 f16 64x64x64 process 2", "v0 f16 128x128x128 process 2", "v1 f16 128x128x128 process 2",
	}, order)
}

func TestRunMerges(t *testing.T) {
	plan := Plan{Programs: programs(t, "v0", "v6"), Shapes: []report.Shape{cube(1024), {M: 8, N: 16, K: 24}}, Types: []string{"f16", "bf16"}, Processes: 3, Seed: 7}
	file := filepath.Join(t.TempDir(), "run.json")
	kept := 0
	var progress strings.Builder
	out, err := Run(context.Background(), plan, &progress, func(r []report.Result) error {
		kept++
		assert.Len(t, r, kept, "kept after every process")
		return report.Write(file, r)
	})
	require.NoError(t, err)
	require.NoError(t, out.Err())
	stored, err := report.Read(file)
	require.NoError(t, err)
	require.Len(t, stored, 24)
	for _, c := range report.Combine(stored) {
		assert.Equal(t, 3, c.Processes, "%s %s %v", c.Lesson, c.Type, c.Shape)
		assert.EqualValues(t, 7, c.Seed)
	}
	lines := strings.Split(strings.TrimSpace(progress.String()), "\n")
	require.Len(t, lines, 24)
	assert.Equal(t, "1 of 24: v0 f16 1024x1024x1024 process 1 ... 1.1 TFLOP/s, 0.500 of cuBLAS 13.1.0", lines[0])
	assert.Contains(t, lines[23], "24 of 24, about ")
	assert.Contains(t, lines[23], "v6 bf16 8x16x24 process 3 ... ")
}

func TestFailuresAreCountedAndNotRepeated(t *testing.T) {
	plan := Plan{Programs: programs(t, "v0", "v1"), Shapes: []report.Shape{cube(64)}, Types: []string{"f16", "bf16"}, Processes: 2}
	var progress strings.Builder
	out, err := Run(context.Background(), plan, &progress, nothing)
	require.NoError(t, err)
	assert.Len(t, out.Results, 6)
	require.Len(t, out.Failures, 2)
	assert.EqualError(t, out.Err(), "2 of 8 processes failed; the first, v1 bf16 64x64x64 process 1: v1: the result is wrong")
	assert.Equal(t, 1, strings.Count(progress.String(), "failed: v1: the result is wrong"), "the second process of a work that failed is not started")
}

func TestRunRefusesOtherRecords(t *testing.T) {
	for _, c := range []struct{ why, program, want string }{
		{"no report", "v2", "v2 ended well but left no report: "},
		{"another shape", "v4", "recorded v4 f16 65x64x64, which is other work than was asked for"},
		{"no times", "v5", "v5 recorded no times"},
		{"no program", "missing", "no such file"},
	} {
		t.Run(c.why, func(t *testing.T) {
			plan := Plan{Programs: []Program{{"missing", "/nonexistent"}}, Shapes: []report.Shape{cube(64)}, Types: []string{"f16"}, Processes: 1}
			if c.program != "missing" {
				plan.Programs = programs(t, c.program)
			}
			out, err := Run(context.Background(), plan, &strings.Builder{}, nothing)
			require.NoError(t, err)
			require.ErrorContains(t, out.Err(), c.want)
			assert.Empty(t, out.Results)
		})
	}
}

func TestInterruptedRunKeepsWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	plan := Plan{Programs: programs(t, "v0", "v3"), Shapes: []report.Shape{cube(64)}, Types: []string{"f16"}, Processes: 3}
	kept := 0
	start := time.Now()
	out, err := Run(ctx, plan, &strings.Builder{}, func(r []report.Result) error {
		kept = len(r)
		time.AfterFunc(50*time.Millisecond, cancel) // while v3 sleeps
		return nil
	})
	require.NoError(t, err)
	assert.True(t, out.Interrupted)
	assert.Equal(t, 1, kept)
	assert.Len(t, out.Results, 1)
	assert.EqualError(t, out.Err(), "interrupted: 1 of 6 processes measured")
	assert.Less(t, time.Since(start), 20*time.Second, "the lesson that runs is stopped")
}

func TestRunStopsWhereItCannotKeep(t *testing.T) {
	plan := Plan{Programs: programs(t, "v0"), Shapes: []report.Shape{cube(64)}, Types: []string{"f16"}, Processes: 3}
	full := errors.New("the disk is full")
	out, err := Run(context.Background(), plan, &strings.Builder{}, func([]report.Result) error { return full })
	assert.ErrorIs(t, err, full)
	assert.Len(t, out.Results, 1)
}

func TestPaceGoesByShape(t *testing.T) {
	job := func(n int) Job { return Job{Shape: cube(n)} }
	p := newPace([]Job{job(64), job(128), job(64), job(128), job(256)})
	assert.Empty(t, p.left(), "nothing is known yet")
	p.took(10 * time.Second)
	assert.Equal(t, ", about 40s left", p.left(), "the mean of all stands in for a new shape")
	p.took(30 * time.Second)
	assert.Equal(t, ", about 1m0s left", p.left(), "10 s, 30 s, and their mean")
	p.skip()
	assert.Equal(t, ", about 50s left", p.left())
}

func TestParseShapes(t *testing.T) {
	for _, c := range []struct {
		text string
		want []report.Shape
		err  string
	}{
		{"8192", []report.Shape{cube(8192)}, ""},
		{"64, 8x16x24", []report.Shape{cube(64), {M: 8, N: 16, K: 24}}, ""},
		{"12x3", nil, `shape "12x3" has 2 sizes`},
		{"", nil, `shape "": write M x N x K`},
		{"64,", nil, `shape "": write M x N x K`},
		{"-8", nil, `shape "-8": write`},
		{"8x8x0", nil, `shape "8x8x0": write`},
		{"big", nil, `shape "big": write`},
	} {
		got, err := ParseShapes(c.text)
		assert.Equal(t, c.want, got, "%q", c.text)
		if c.err == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, c.err)
		}
	}
}

func TestParseTypes(t *testing.T) {
	types, err := ParseTypes("f16, bf16")
	require.NoError(t, err)
	assert.Equal(t, []string{"f16", "bf16"}, types)
	_, err = ParseTypes("f16,f8")
	assert.EqualError(t, err, `type "f8": it is f16 or bf16`)
}
