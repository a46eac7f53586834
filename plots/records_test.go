package plots

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/matrix"
	"gohopper/internal/report"
	"gohopper/lessons"
)

// row is the row of a figure's table that begins with these values.
func row(t *testing.T, f figure, begins ...string) []string {
	t.Helper()
	for _, r := range f.table {
		if strings.Join(r[:len(begins)], "|") == strings.Join(begins, "|") {
			return r
		}
	}
	require.Fail(t, "no such row", "%s %v", f.name, begins)
	return nil
}

// TestNumbers reads the files without the packages that the figures use, and
// does the arithmetic again.
func TestNumbers(t *testing.T) {
	type series struct {
		Samples []float64 `json:"samples_ms"`
	}
	type result struct {
		Lesson, Kernel, Type string
		Process              int
		Shape                struct{ M, N, K float64 }
		Timing               struct {
			Ours   series `json:"ours"`
			Before series `json:"library_before"`
			After  series `json:"library_after"`
		}
		Verified struct{ Worst float64 } `json:"verified_before"`
	}
	load := func(name string) (all []result) {
		text, err := os.ReadFile(filepath.Join("data", name))
		require.NoError(t, err)
		var f struct{ Results []result }
		require.NoError(t, json.Unmarshal(text, &f))
		return f.Results
	}
	speed := func(r result, s series) float64 {
		require.Len(t, s.Samples, 1)
		return 2 * r.Shape.M * r.Shape.N * r.Shape.K / s.Samples[0] / 1e9
	}
	ratio := func(r result) float64 {
		return (r.Timing.Before.Samples[0] + r.Timing.After.Samples[0]) / 2 / r.Timing.Ours.Samples[0]
	}
	all := map[string]figure{}
	for _, f := range every(t) {
		all[f.name] = f
	}

	results := load("ladder.json")
	require.Len(t, all["ladder"].table, 1+len(results), "every process of every lesson is drawn")
	for _, r := range results {
		got := row(t, all["ladder"], r.Lesson, fmt.Sprint(r.Process))
		assert.Equal(t, []string{
			fmt.Sprintf("%.1f", speed(r, r.Timing.Ours)), fmt.Sprintf("%.1f", speed(r, r.Timing.Before)),
			fmt.Sprintf("%.1f", speed(r, r.Timing.After)), fmt.Sprintf("%.4f", ratio(r)),
		}, got[2:])
	}
	speeds, ratios := map[[2]string][]float64{}, map[[2]string][]float64{}
	for _, r := range load("sweep.json") {
		shape := fmt.Sprintf("%.0fx%.0fx%.0f", r.Shape.M, r.Shape.N, r.Shape.K)
		assert.Equal(t, fmt.Sprintf("%.4f", r.Verified.Worst), row(t, all["precision"], r.Lesson, r.Type, shape)[4])
		if r.Lesson == "v7" {
			key := [2]string{shape, r.Type}
			speeds[key], ratios[key] = append(speeds[key], speed(r, r.Timing.Ours)), append(ratios[key], ratio(r))
		}
	}
	require.NotEmpty(t, speeds)
	for key := range speeds { // one process or three, of which the middle one is the median
		slices.Sort(speeds[key])
		slices.Sort(ratios[key])
		got := row(t, all["sweep"], key[0], key[1])
		assert.Equal(t, fmt.Sprintf("%.1f", speeds[key][len(speeds[key])/2]), got[3])
		assert.Equal(t, fmt.Sprintf("%.4f", ratios[key][len(ratios[key])/2]), got[5])
	}
	for _, r := range load("ablations.json") {
		if ablation, name, _ := strings.Cut(r.Kernel, "/"); r.Kernel == "setmaxnreg/168 for all" {
			assert.Equal(t, fmt.Sprintf("%.4f", ratio(r)), row(t, all["ablations"], ablation, name)[4])
		}
	}
	assert.Equal(t, "64.0", row(t, all["roofline"], "v0")[1], "128·128/(128+128) operations a byte")
	assert.Equal(t, "142.2", row(t, all["roofline"], "v6")[1], "128·320/(128+320/2)")
	assert.Equal(t, "1070.5", row(t, all["roofline"], "tensor cores at 1.98 GHz")[2], "132·4096·1.98/1000")
}

// TestMarks measures the ladder's drawing: each circle stands at the height
// of its number, by the scale that the labels of the axis give.
func TestMarks(t *testing.T) {
	r, err := readRecords("data")
	require.NoError(t, err)
	f, err := ladder(r)
	require.NoError(t, err)
	text := string(f.svg())
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		require.NoError(t, err)
		return v
	}
	// The lines of the grid of the upper panel, from 40 to 110 %.
	var lines []float64
	for _, m := range regexp.MustCompile(`line grid" d="M[\d.]+ ([\d.]+)L`).FindAllStringSubmatch(text, 8) {
		lines = append(lines, number(m[1]))
	}
	circles := regexp.MustCompile(`line blue" stroke-width="1.6" d="M[\d.]+ ([\d.]+)A`).FindAllStringSubmatch(text, -1)
	require.Len(t, circles, 1+2*(len(f.table)-1), "one in the key, and one in each panel for each process")
	for i, row := range f.table[1:] {
		y := number(circles[1+i][1])
		percent := 40 + 70*(y-lines[0])/(lines[7]-lines[0])
		assert.InDelta(t, 100*number(row[5]), percent, 0.05, "%v", row[:2])
	}
}

// TestRefuses: what is missing from the records is said, with what to do.
func TestRefuses(t *testing.T) {
	without := func(from *recorded, drop func(report.Result) bool) {
		var kept []report.Result
		for _, r := range from.results {
			if !drop(r) {
				kept = append(kept, r)
			}
		}
		from.results = kept
	}
	for _, c := range []struct {
		why  string
		draw func(records) (figure, error)
		edit func(*records)
		want string
	}{
		{"an empty ladder", ladder, func(r *records) { r.ladder.results = nil },
			"data/ladder.json has no lesson in f16 at 8192x8192x8192: record the ladder with lesson bench"},
		{"a wrong result", ladder, func(r *records) { r.ladder.results[0].After.OK = false },
			"data/ladder.json: v0 has no verified speed"},
		{"no library beside it", ladder, func(r *records) {
			r.ladder.results[1].Timing.LibraryBefore, r.ladder.results[1].Timing.LibraryAfter = nil, nil
		},
			"data/ladder.json: v1 has no verified speed, or no library beside it"},
		{"two tiles of a lesson", ladder, func(r *records) { r.ladder.results[0].Seed = 99 },
			"data/ladder.json: v0 is recorded twice, with another tile, seed or machine: keep one"},
		{"no sweep", sweep, func(r *records) { r.sweep.results = nil },
			"data/sweep.json and data/ladder.json must both have v7"},
		{"a missing case", ablations, func(r *records) {
			without(&r.ablations, func(r report.Result) bool { return r.Kernel == "raster/row by row" })
		},
			"data/ablations.json has no raster/row by row: record it with lessons/v6 -ablate raster"},
		{"an ablation without a claim", ablations, func(r *records) { r.ablations.results[0].Kernel = "prefetch/none" },
			`data/ablations.json: nothing is known of an ablation "prefetch"`},
		{"nothing to compare with", ablations, func(r *records) {
			without(&r.ablations, func(r report.Result) bool {
				for _, c := range claims() {
					if r.Kernel == c.ablation+"/"+c.changed {
						return false
					}
				}
				return true
			})
		}, "data/ablations.json has no run of the unchanged kernel"},
		{"no bandwidth", roofline, func(r *records) { delete(r.card.Figures["h200"], "copy_tb_per_s") },
			"data/card.json has no figure h200/copy_tb_per_s above 0"},
		{"no clock", roofline, func(r *records) { r.profile.Figures["v7"]["clock_ghz"] = 0 },
			"data/profile.json has no figure v7/clock_ghz above 0"},
		{"another tile than was thought", roofline, func(r *records) {
			for _, one := range r.ladder.results {
				if one.Lesson == "v4" {
					one.Config["tile-m"] = 256
				}
			}
		}, "the tile of v4 is map["},
		{"no build", budget, func(r *records) { r.ladder.results[0].Build = nil },
			"data/ladder.json does not say what the driver made of v0"},
		{"too large for an SM", budget, func(r *records) {
			r.ladder.results[slices.IndexFunc(r.ladder.results, func(r report.Result) bool { return r.Lesson == "v7" })].Build.SharedBytes = 300_000
		},
			"by its record, no CTA of v7 fits an SM"},
		{"no f16 sums", precision, func(r *records) { without(&r.ablations, func(r report.Result) bool { return r.Kernel == inexact }) },
			"data/ablations.json has no half/f16, 256 x 256: record it with lessons/v6 -ablate half"},
	} {
		t.Run(c.why, func(t *testing.T) {
			r, err := readRecords("data")
			require.NoError(t, err)
			_, err = c.draw(r)
			require.NoError(t, err, "before the edit")
			c.edit(&r)
			_, err = c.draw(r)
			require.ErrorContains(t, err, c.want)
		})
	}
}

// TestMissingFiles: without one of the records nothing is drawn.
func TestMissingFiles(t *testing.T) {
	present := files(t, "data")
	for _, name := range []string{"ladder.json", "sweep.json", "shapes.json", "ablations.json", "profile.json", "card.json"} {
		t.Run(name, func(t *testing.T) {
			dir, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
			for n, text := range present {
				if n != name {
					require.NoError(t, os.WriteFile(filepath.Join(dir, n), []byte(text), 0o644))
				}
			}
			_, err := Draw(dir, out)
			require.ErrorContains(t, err, filepath.Join(dir, name))
			assert.NoDirExists(t, out)
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(`{"schema": "another 1"}`), 0o644))
			_, err = Draw(dir, out)
			require.ErrorContains(t, err, `schema is "another 1", but this program knows only "gohopper `)
		})
	}
}

// TestUnrecorded: a lesson that is not recorded is named.
func TestUnrecorded(t *testing.T) {
	r, err := readRecords("data")
	require.NoError(t, err)
	var kept []report.Result
	for _, one := range r.ladder.results {
		if one.Lesson != "v3" {
			kept = append(kept, one)
		}
	}
	r.ladder.results = kept
	f, err := ladder(r)
	require.NoError(t, err)
	assert.Equal(t, "Not recorded: v3.", f.caption[len(f.caption)-1])
}

// TestKernels compares the table with the goldens and with the records.
func TestKernels(t *testing.T) {
	for name, k := range kernels() {
		l, ok := lessons.Find(name)
		require.True(t, ok, name)
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(l.Folder), "testdata", "kernel.ptx"))
		require.NoError(t, err)
		assert.Contains(t, string(text), fmt.Sprintf("\n.maxntid %d, 1, 1\n", k.threads), l.Name)
		cluster := 1
		if m := regexp.MustCompile(`\n\.reqnctapercluster (\d+), 1, 1\n`).FindStringSubmatch(string(text)); m != nil {
			cluster, _ = strconv.Atoi(m[1])
		}
		assert.Equal(t, cluster, k.cluster, l.Name)
	}
}

// TestFootprint: how many CTAs fit, by what is short.
func TestFootprint(t *testing.T) {
	for _, c := range []struct {
		why                        string
		threads, registers, shared int
		want                       footprint
	}{
		{"registers, all of them", 256, 128, 1000, footprint{32768, 2048, 2}},
		{"a warp's registers are rounded up", 128, 154, 32776, footprint{20480, 33920, 3}},
		{"shared memory", 128, 32, 100_000, footprint{4096, 101120, 2}},
		{"warps", 1024, 32, 0, footprint{32768, 1024, 2}},
		{"the ninth warp is the third of its part of the SM", 288, 200, 0, footprint{9 * 6400, 1024, 0}},
		{"all of the shared memory that a CTA may have", 384, 168, 232448, footprint{64512, 233472, 1}},
	} {
		t.Run(c.why, func(t *testing.T) {
			assert.Equal(t, c.want, kernel{threads: c.threads}.footprint(report.Build{Registers: c.registers, SharedBytes: c.shared}))
		})
	}
}

// TestBound compares the bound with the verification's.
func TestBound(t *testing.T) {
	for _, k := range []int{1, 8, 968, 8192, 16384} {
		assert.Equal(t, matrix.Gamma(k, matrix.UnitF32), gamma(k))
	}
}

// TestClaims: the lesson's table and the figure have the same ablations, in
// the same order, and the same numbers.
func TestClaims(t *testing.T) {
	text, err := os.ReadFile("../lessons/v6/lesson.md")
	require.NoError(t, err)
	var have []string
	said := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| ([^|]+) \\|").FindAllStringSubmatch(string(text), -1) {
		have = append(have, m[1])
		said[m[1]] = m[2]
	}
	var want []string
	for _, c := range claims() {
		if len(want) == 0 || want[len(want)-1] != c.ablation {
			want = append(want, c.ablation)
		}
		if c.speed > 0 {
			assert.Equal(t, -1, c.way, "a part of the speed is slower")
		}
	}
	assert.Equal(t, have, want)
	assert.Contains(t, said["remote-arrive"], "halve the speed")
	assert.Contains(t, said["branch-order"], "costs 5 percent")
	assert.Contains(t, said["setmaxnreg"], "five times slower")
}
