package excerpt

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/report"
)

// result is what a process of v6 recorded, with its time and the library's.
func result(process int, oursMS, libraryMS float64) report.Result {
	series := func(ms float64) *report.Series {
		return &report.Series{SamplesMS: []float64{ms}, After: &report.Reading{SMClockMHz: 1690, PowerW: 660.4, TempC: 60}}
	}
	return report.Result{
		Lesson: "v6", Kernel: "matmul_v6", Origin: report.Recorded, Process: process, Date: "2026-11-29T14:03:05Z",
		Shape: report.Shape{M: 8192, N: 8192, K: 8192}, Type: "f16", Seed: 1,
		Machine: report.Machine{Device: "NVIDIA H200", Driver: "580.159", CUDA: "13.0", Library: "cuBLAS 13.1"},
		Build:   &report.Build{CompileMS: 150.4, Registers: 168, SharedBytes: 188636},
		Before:  report.Verification{OK: true, Worst: 0.25, MeanError: 0.000144, MaxError: 0.00231},
		After:   &report.Verification{OK: true, Worst: 0.5},
		Timing: &report.Timing{
			Method:        report.Method{WarmUps: 5, Iterations: 30, PauseS: 3},
			LibraryBefore: series(libraryMS), Ours: *series(oursMS), LibraryAfter: series(libraryMS),
		},
	}
}

func emulated() report.Result {
	return report.Result{
		Lesson: "v0", Kernel: "matmul_v0", Origin: report.Emulated, Process: 1, Date: "2026-11-29T14:03:05Z",
		Shape: report.Shape{M: 64, N: 64, K: 64}, Type: "f16", Seed: 1,
		Machine: report.Machine{Device: "emulator"},
		Before:  report.Verification{OK: true, Worst: 0.25},
	}
}

func TestField(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	require.NoError(t, report.Write(path, []report.Result{result(1, 1.5, 1.6), result(2, 1.4, 1.6), result(3, 1.6, 1.6), emulated()}))
	wants := map[string]string{
		"tflops": "733", "tflops_range": "687 to 785", "library": "687", "library_range": "687 to 687",
		"ratio": "1.067", "ratio_range": "1.000 to 1.143",
		"registers": "168", "spill_bytes": "0", "shared_bytes": "188636", "compile_ms": "150",
		"clock_mhz": "1690", "power_w": "660", "temp_c": "60",
		"device": "NVIDIA H200", "driver": "580.159", "cuda": "13.0", "library_name": "cuBLAS 13.1",
		"origin": "recorded", "date": "2026-11-29", "processes": "3", "worst": "0.50",
		"mean_error": "0.00014", "max_error": "0.0023",
	}
	for field, want := range wants {
		got, err := Field(path, "v6/f16/8192x8192x8192/"+field)
		require.NoError(t, err)
		assert.Equal(t, want, got, field)
	}
	assert.Len(t, wants, len(fields), "every field has a line above")
}

// TestFieldOfKernel: a report of ablations has many kernels of one lesson.
func TestFieldOfKernel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	alone, both := result(1, 2, 1), result(1, 1, 1)
	alone.Kernel, both.Kernel = "cluster/no cluster", "cluster/cluster of 2"
	require.NoError(t, report.Write(path, []report.Result{both, alone}))
	for fragment, want := range map[string]string{
		"v6:cluster/no%20cluster/f16/8192x8192x8192/ratio":       "0.500",
		"v6:cluster/cluster%20of%202/f16/8192x8192x8192/ratio":   "1.000",
		"v6:cluster/cluster%20of%202/f16/8192x8192x8192/worst":   "0.50",
		"v6:cluster/cluster of 2/f16/8192x8192x8192/registers":   "168",
		"v6:cluster/no%20cluster/f16/8192x8192x8192/spill_bytes": "0",
	} {
		got, err := Field(path, fragment)
		require.NoError(t, err)
		assert.Equal(t, want, got, fragment)
	}
	for _, c := range []struct{ why, fragment, want string }{
		{"no kernel named", "v6/f16/8192x8192x8192/ratio", "has 2 results of v6 in f16 at 8192x8192x8192: a field is quoted of one; of several kernels, name one as in v6:KERNEL/f16"},
		{"part of a name", "v6:cluster/f16/8192x8192x8192/ratio", "has 0 results of v6 cluster in f16"},
		{"another lesson's", "v5:cluster/no%20cluster/f16/8192x8192x8192/ratio", "has 0 results of v5 cluster/no cluster in f16"},
		{"an empty name", "v6:/f16/8192x8192x8192/ratio", "a fragment is lesson/type/MxNxK/field or lesson:kernel"},
		{"without the colon", "v6/cluster/no%20cluster/f16/8192x8192x8192/ratio", "a fragment is lesson/type/MxNxK/field or lesson:kernel"},
		{"a bad escape", "v6:no%cluster/f16/8192x8192x8192/ratio", "a fragment is lesson/type/MxNxK/field or lesson:kernel"},
	} {
		_, err := Field(path, c.fragment)
		assert.ErrorContains(t, err, c.want, c.why)
	}
}

func TestFieldRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.json")
	tuned := result(1, 1.5, 1.6)
	tuned.Shape.M, tuned.Config = 4096, map[string]int{"stages": 3}
	other := tuned
	other.Config = map[string]int{"stages": 4}
	require.NoError(t, report.Write(path, []report.Result{result(1, 1.5, 1.6), tuned, other, emulated()}))
	for _, c := range []struct{ why, path, fragment, want string }{
		{"no file", filepath.Join(dir, "no.json"), "v6/f16/8192x8192x8192/tflops", "cannot read the report"},
		{"too few parts", path, "v6/tflops", "a fragment is lesson/type/MxNxK/field or lesson:kernel/type/MxNxK/field"},
		{"no such field", path, "v6/f16/8192x8192x8192/speed", `there is no field "speed": it is one of clock_mhz, compile_ms`},
		{"no such result", path, "v6/bf16/8192x8192x8192/tflops", "has 0 results of v6 in bf16 at 8192x8192x8192"},
		{"several tiles of one lesson", path, "v6/f16/4096x8192x8192/tflops", "has 2 results of v6 in f16 at 4096x8192x8192"},
		{"the emulator has no speed", path, "v0/f16/64x64x64/tflops", "the result of v0 in f16 at 64x64x64 has no tflops"},
		{"nor registers", path, "v0/f16/64x64x64/registers", "has no registers"},
		{"nor a clock", path, "v0/f16/64x64x64/clock_mhz", "has no clock_mhz"},
		{"nor a driver", path, "v0/f16/64x64x64/driver", "has no driver"},
		{"nor a range", path, "v0/f16/64x64x64/ratio_range", "has no ratio_range"},
	} {
		_, err := Field(c.path, c.fragment)
		assert.ErrorContains(t, err, c.want, c.why)
	}
}
