package report

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// measured is a complete result of one process, with few samples.
func measured(process int, ours ...float64) Result {
	reading := func(clock int, power float64) *Reading {
		return &Reading{SMClockMHz: clock, MemClockMHz: 3201, PowerW: power, TempC: 41}
	}
	library := func(factor float64) *Series {
		s := &Series{Before: reading(1980, 130), After: reading(1700, 655.5)}
		for _, ms := range ours {
			s.SamplesMS = append(s.SamplesMS, ms*factor)
		}
		return s
	}
	return Result{
		Lesson: "v6", Kernel: "matmul_v6", Origin: Recorded, Process: process, Date: "2026-11-29T14:03:05Z",
		Shape: Shape{M: 8192, N: 8192, K: 8192}, Type: "f16", Seed: 1,
		Config:  map[string]int{"tile_m": 128, "tile_n": 320, "stages": 3, "cluster": 2},
		Machine: Machine{Device: "NVIDIA H200", Driver: "580.159", CUDA: "13.0", Library: "cuBLAS 13.1"},
		Build:   &Build{CompileMS: 150, Registers: 168, SharedBytes: 188636},
		Before:  Verification{OK: true, Worst: 0.25},
		After:   &Verification{OK: true, Worst: 0.25},
		Timing: &Timing{
			Method:        Method{WarmUps: 5, Iterations: 30, PauseS: 3},
			LibraryBefore: library(1.01),
			Ours:          Series{SamplesMS: ours, Before: reading(1980, 128), After: reading(1690, 660)},
			LibraryAfter:  library(1.03),
		},
	}
}

func emulated() Result {
	return Result{
		Lesson: "v0", Kernel: "matmul_v0", Origin: Emulated, Process: 1, Date: "2026-11-29T15:00:00+01:00",
		Shape: Shape{M: 256, N: 128, K: 192}, Type: "bf16", Seed: 7,
		Machine: Machine{Device: "emulator"},
		Before:  Verification{OK: true, Worst: 0.5},
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run the test with -update if the change is meant")
}

// TestStoredForm: the golden is the contract with figures and pages.
func TestStoredForm(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	results := []Result{measured(1, 1.5, 1.4375, 1.625), emulated()}
	require.NoError(t, Write(path, results))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	golden(t, "run.json", data)

	got, err := Read(path)
	require.NoError(t, err)
	assert.NotNil(t, got[0].Summary)
	assert.Nil(t, results[0].Summary, "the caller's results stay as they are")
	got[0].Summary = nil
	assert.Equal(t, results, got)
}

func TestTable(t *testing.T) {
	slow := measured(1, 2.0, 2.1, 2.2)
	slow.Shape.M = 4096
	slow.Timing.LibraryBefore, slow.Timing.LibraryAfter = nil, nil
	wrong := measured(1, 1.0, 1.0, 1.0)
	wrong.Type = "bf16"
	wrong.After = &Verification{Worst: 17}
	var b bytes.Buffer
	require.NoError(t, Table(&b, []Result{
		measured(1, 1.5, 1.4375, 1.625), emulated(), measured(2, 1.52, 1.51, 1.53), slow, measured(3, 1.45, 1.44, 1.46), wrong,
	}))
	golden(t, "table.txt", b.Bytes())
}

func TestWriteReplacesReportsOnly(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.json")
	require.NoError(t, Write(path, []Result{emulated()}))
	require.NoError(t, Write(path, []Result{emulated()}), "a report may be replaced")
	require.NoError(t, os.WriteFile(path, []byte(`{"schema": "gohopper report 99"}`), 0o644))
	require.NoError(t, Write(path, []Result{emulated()}), "of another version, too")
	require.NoError(t, os.WriteFile(path, nil, 0o644))
	require.NoError(t, Write(path, []Result{emulated()}), "an empty file holds nothing")

	for _, content := range []string{"package main\n", `{"schema": "other"}`, `[1, 2]`} {
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		assert.EqualError(t, Write(path, []Result{emulated()}), path+" exists and is not a report: choose another path, or remove it")
		assert.EqualError(t, Writable(path), path+" exists and is not a report: choose another path, or remove it")
		left, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, content, string(left))
	}
	assert.ErrorContains(t, Write(dir, []Result{emulated()}), "cannot see whether "+dir)
	missing := filepath.Join(dir, "no", "run.json")
	assert.ErrorContains(t, Write(missing, []Result{emulated()}), missing+" was not written: ")
	assert.ErrorContains(t, Writable(missing), missing+" cannot be written: ")

	invalid := emulated()
	invalid.Lesson = ""
	fresh := filepath.Join(dir, "fresh.json")
	assert.ErrorContains(t, Write(fresh, []Result{invalid}), fresh+" was not written: results[0]")
	assert.NoError(t, Writable(fresh))
	assert.NoFileExists(t, fresh, "neither a failed Write nor the question leaves a file")
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	require.NoError(t, err)
	assert.Empty(t, left, "no temporary file stays")
}

func TestReadRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	_, err := Read(path)
	require.ErrorContains(t, err, "cannot read the report: open "+path)

	require.NoError(t, Write(path, []Result{measured(1, 1.5)}))
	right, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, c := range []struct{ why, old, new, want string }{
		{"not JSON", "{", "[", "is not a report: "},
		{"another version", Schema, "gohopper report 99", `schema is "gohopper report 99", but this program knows only "gohopper report 1"`},
		{"another program's file", `"schema"`, `"format"`, `schema is ""`},
		{"a misspelt field", `"lesson"`, `"lession"`, `unknown field "lession"`},
		{"an edited sample", "1.5\n", "1.4\n", "summary does not follow from the samples"},
		{"an edited summary", `"median": 733`, `"median": 833`, "summary does not follow from the samples"},
	} {
		t.Run(c.why, func(t *testing.T) {
			edited := bytes.Replace(right, []byte(c.old), []byte(c.new), 1)
			require.NotEqual(t, right, edited)
			require.NoError(t, os.WriteFile(path, edited, 0o644))
			_, err := Read(path)
			require.ErrorContains(t, err, path)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestValidate(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		why  string
		edit func(*Result)
		want string
	}{
		{"no kernel", func(r *Result) { r.Kernel = "" }, "kernel is missing"},
		{"no device", func(r *Result) { r.Machine.Device = "" }, "machine.device is missing"},
		{"origin", func(r *Result) { r.Origin = "guessed" }, `origin is "guessed": it must be "recorded", "modelled" or "emulated"`},
		{"process", func(r *Result) { r.Process = 0 }, "process is 0: the first process is 1"},
		{"date", func(r *Result) { r.Date = "yesterday" }, `date is "yesterday": write it as RFC 3339`},
		{"shape", func(r *Result) { r.Shape.K = -1 }, "shape is 8192x8192x-1"},
		{"registers", func(r *Result) { r.Build.Registers = -1 }, "build has a negative or impossible value"},
		{"no samples", func(r *Result) { r.Timing.Ours.SamplesMS = nil }, "timing.ours has no samples"},
		{"NaN sample", func(r *Result) { r.Timing.Ours.SamplesMS[1] = nan }, "timing.ours.samples_ms[1] is NaN"},
		{"negative sample", func(r *Result) { r.Timing.LibraryAfter.SamplesMS[0] = -1 }, "timing.library_after.samples_ms[0] is -1"},
		{"zero sample", func(r *Result) { r.Timing.LibraryBefore.SamplesMS[0] = 0 }, "timing.library_before.samples_ms[0] is 0"},
		{"infinite sample", func(r *Result) { r.Timing.Ours.SamplesMS[0] = math.Inf(1) }, "timing.ours.samples_ms[0] is +Inf"},
		{"missing samples", func(r *Result) { r.Timing.LibraryAfter.SamplesMS = []float64{1} }, "timing.library_after has 1 samples and timing.ours 2"},
		{"method", func(r *Result) { r.Timing.Method.Iterations = 0 }, "timing.method is"},
		{"reading", func(r *Result) { r.Timing.Ours.After.PowerW = nan }, "timing.ours has an impossible reading"},
		{"not verified after", func(r *Result) { r.After = nil }, "verified_after is missing"},
		{"timed though wrong", func(r *Result) { r.Before = Verification{Worst: 3} }, "timing is given for a result that was wrong before it"},
		{"right beyond its bound", func(r *Result) { r.Before.Worst = 1.5 }, "verified_before.worst is 1.5"},
		{"errors out of order", func(r *Result) { r.Before.MeanError, r.Before.MaxError = 2, 1 }, "verified_before has a mean error of 2"},
		{"NaN error", func(r *Result) { r.Before.MaxError = nan }, "verified_before has a mean error of 0 and a largest of NaN"},
		{"NaN ratio", func(r *Result) { r.After.Worst = nan }, "verified_after.worst is NaN"},
		{"emulator with times", func(r *Result) { r.Origin = Emulated }, "the emulator has no times"},
		{"summary without times", func(r *Result) { r.Timing, r.Summary = nil, &Summary{} }, "summary is given without timing"},
	} {
		t.Run(c.why, func(t *testing.T) {
			r := measured(1, 1.5, 1.6)
			require.NoError(t, File{Schema, []Result{r}}.Validate())
			c.edit(&r)
			err := File{Schema, []Result{emulated(), r}}.Validate()
			require.ErrorContains(t, err, "results[1] (")
			require.ErrorContains(t, err, c.want)
		})
	}
	assert.EqualError(t, File{Schema: Schema}.Validate(), "there are no results")
	err := File{Schema, []Result{measured(1, 1.5), measured(2, 1.5), measured(2, 1.6)}}.Validate()
	assert.EqualError(t, err, "results[2] (v6 matmul_v6 f16 8192x8192x8192 process 2): the same work was recorded before for this process: give each process its own number")
}

func TestStatistics(t *testing.T) {
	values := []float64{4, 1, 3, 2}
	assert.Equal(t, Range{Median: 2.5, Min: 1, Max: 4}, RangeOf(values))
	assert.Equal(t, []float64{4, 1, 3, 2}, values, "the caller's order stays")
	for _, c := range []struct{ p, want float64 }{{0, 1}, {25, 1.75}, {50, 2.5}, {90, 3.7}, {100, 4}} {
		assert.InDelta(t, c.want, Percentile(values, c.p), 1e-15)
	}
	assert.Equal(t, Range{7, 7, 7}, RangeOf([]float64{7}))
}

// TestRatioIsPaired: a slow moment that both see does not move the ratio.
func TestRatioIsPaired(t *testing.T) {
	r := measured(1, 1, 1, 3)
	s := r.Summarise()
	assert.InDelta(t, 1.02, s.Ratio.Min, 1e-12)
	assert.InDelta(t, 1.02, s.Ratio.Max, 1e-12)
	assert.InDelta(t, 1099.5, s.TFLOPS.Median, 0.1, "2·8192³ operations in a millisecond")
	assert.InDelta(t, 1099.5/3, s.TFLOPS.Min, 0.1)

	r.Timing.LibraryAfter = nil
	assert.InDelta(t, 1.01, r.Summarise().Ratio.Median, 1e-12, "one library series is enough")
	r.Timing.LibraryBefore = nil
	assert.Nil(t, r.Summarise().Ratio)
}

func TestCombine(t *testing.T) {
	all := Combine([]Result{measured(1, 1.0, 1.1, 1.2), measured(2, 1.3, 1.4, 1.5), measured(3, 1.6, 1.7, 1.8)})
	require.Len(t, all, 1)
	shape := all[0].Shape
	assert.Equal(t, 3, all[0].Processes)
	assert.Equal(t, shape.TFLOPS(1.4), all[0].TFLOPS.Median, "the median of the processes' medians")
	assert.Equal(t, shape.TFLOPS(1.7), all[0].TFLOPS.Min)
	assert.Equal(t, shape.TFLOPS(1.1), all[0].TFLOPS.Max)

	one := Combine([]Result{measured(1, 1.0, 1.1, 1.2)})[0]
	assert.Equal(t, shape.TFLOPS(1.2), one.TFLOPS.Min, "of a single process, the range of its samples")

	untimed := measured(2, 1)
	untimed.Timing = nil
	assert.Nil(t, Combine([]Result{measured(1, 1), untimed})[0].TFLOPS, "not every process was timed")
	wrong := measured(2, 1)
	wrong.After.OK = false
	assert.Nil(t, Combine([]Result{measured(1, 1), wrong})[0].TFLOPS, "no speed without a right answer")
	other := measured(1, 1)
	other.Config = map[string]int{"stages": 4}
	assert.Len(t, Combine([]Result{measured(1, 1), other}), 2, "another configuration is other work")
}
