package labtest

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/lab"
	"gohopper/internal/report"
	"gohopper/pkg/hopper/ptx"
)

// Run is a lesson's program: it takes what follows the program's name and
// returns the exit status.
type Run func(args []string, stdout, stderr io.Writer) int

// Main is the program of a lesson that the lab runs.
func Main[T any](l lab.Lesson[T]) Run {
	return func(args []string, stdout, stderr io.Writer) int { return lab.Main(l, args, stdout, stderr) }
}

// call runs the program on the emulator.
func (run Run) call(args string) (status int, stdout, stderr string) {
	var out, err strings.Builder
	status = run(append([]string{"-device", "emu"}, strings.Fields(args)...), &out, &err)
	return status, out.String(), err.String()
}

// CommandLine uses a lesson's program as a person would: it must do what the
// flags say, and answer any nonsense with one message and the right status.
func CommandLine[T any](t *testing.T, run Run, tile func(*flag.FlagSet, *T)) {
	t.Run("use", func(t *testing.T) { commandUse(t, run) })
	t.Run("mistakes", func(t *testing.T) { commandMistakes(t, run) })
	t.Run("timeline", func(t *testing.T) { Trace(t, run, "-m 129 -n 72 -k 456 -seed 3") })
	t.Run("tiles", func(t *testing.T) { commandTiles(t, run, tile) })
	t.Run("on a GPU", func(t *testing.T) { commandGPU(t, run) })
}

func commandUse(t *testing.T, run Run) {
	path := filepath.Join(t.TempDir(), "run.json")
	for _, args := range []string{"-m 1 -n 8 -k 8 -json " + path, "-m 129 -n 72 -k 136 -type bf16 -seed 7", "-sanitize=false -m 129 -n 72 -k 136"} {
		status, stdout, stderr := run.call(args)
		require.Zero(t, status, "%s: %s", args, stderr)
		assert.Contains(t, stdout, "right: ", args)
		assert.Empty(t, stderr, args)
	}
	results, err := report.Read(path)
	require.NoError(t, err)
	require.Len(t, results, 1)
	assert.Equal(t, report.Emulated, results[0].Origin)
	assert.Nil(t, results[0].Timing, "the emulator has no times")

	status, stdout, stderr := run.call("-ptx")
	require.Zero(t, status, stderr)
	_, err = ptx.Parse(stdout)
	assert.NoError(t, err, "-ptx prints the module and nothing else")

	status, stdout, stderr = run.call("-h")
	assert.Zero(t, status, "help that was asked for is no failure")
	assert.Empty(t, stdout)
	assert.Contains(t, stderr, "  -tile-n int\n")
}

func commandMistakes(t *testing.T, run Run) {
	dir := t.TempDir()
	other := filepath.Join(dir, "notes.txt")
	require.NoError(t, os.WriteFile(other, []byte("not a report\n"), 0o644))
	for _, c := range []struct{ args, want string }{
		{"-fast", "flag provided but not defined: -fast"},
		{"-m", "flag needs an argument: -m"},
		{"-m many", `invalid value "many" for flag -m`},
		{"-m 0", "-m 0: a matrix has at least one row"},
		{"-m -5", "-m -5: a matrix has at least one row"},
		{"-m 3000000000", "-m 3000000000: at most 1048576"},
		{"-m 1048576 -k 1048576", "A would have 1048576 x 1048576 elements"},
		{"-n 7", "n and k must be multiples of 8; the next is 8"},
		{"-k 12", "n and k must be multiples of 8; the next is 16"},
		{"-seed -1", "-seed -1: a seed is 0 or more"},
		{"-type f8", "it is f16 or bf16"},
		{"-device tpu", "-device tpu: it is auto, emu or cuda"},
		{"-bench", "need a GPU"},
		{"-m 8 extra", `"extra" is not a flag`},
		{"-json " + other, "exists and is not a report"},
		{"-json " + filepath.Join(dir, "no", "run.json"), "cannot be written"},
		{"-json " + dir, "is a directory"},
		{"-trace " + other, "exists and is not a trace"},
		{"-trace " + filepath.Join(dir, "no", "trace.json"), "cannot be written"},
		{"-trace t.json -json t.json", "-trace and -json name the same file"},
		{"-device cuda -trace t.json", "-trace needs the emulator"},
	} {
		t.Run(c.args, func(t *testing.T) {
			status, stdout, stderr := run.call(c.args)
			assert.Equal(t, 2, status)
			assert.Empty(t, stdout, "nothing may run")
			assert.Contains(t, stderr, c.want)
		})
	}
	left, err := os.ReadFile(other)
	require.NoError(t, err)
	assert.Equal(t, "not a report\n", string(left))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1, "nothing half-written stays")
}

// parameters is the integer flags of a tile, in order.
func parameters[T any](tile func(*flag.FlagSet, *T)) []string {
	var zero T
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	tile(fs, &zero)
	var names []string
	fs.VisitAll(func(f *flag.Flag) {
		if _, ok := f.Value.(flag.Getter).Get().(int); ok {
			names = append(names, f.Name)
		}
	})
	return names
}

// commandTiles sets each parameter of the tile to good and impossible values.
// Whatever a value leads to, it is a right result, or a failure with a message
// and without a result.
func commandTiles[T any](t *testing.T, run Run, tile func(*flag.FlagSet, *T)) {
	for _, name := range parameters(tile) {
		for _, value := range []int{-1, 0, 1, 2, 3, 8, 64, 72, 100, 512, 5000} {
			args := fmt.Sprintf("-m 130 -n 136 -k 200 -%s %d", name, value)
			t.Run(args, func(t *testing.T) {
				status, stdout, stderr := run.call(args)
				switch {
				case status == 0:
					assert.Contains(t, stdout, "right: ")
					assert.Empty(t, stderr)
				case value < 1 || value == 5000:
					assert.Equal(t, 2, status)
					assert.Contains(t, stderr, fmt.Sprintf("-%s %d: it is 1 to 4096", name, value))
				default:
					assert.Equal(t, 1, status)
					assert.NotContains(t, stdout, "right: ")
					assert.NotEmpty(t, stderr)
				}
			})
		}
	}
}

// commandGPU runs the program on the GPU, where it verifies, times and
// verifies again.
func commandGPU(t *testing.T, run Run) {
	if gpu, missing := openGPU(t); gpu == nil {
		t.Skip(missing)
	}
	if testing.Short() {
		t.Skip("-short: the pauses before the measurements take seconds")
	}
	var stdout, stderr strings.Builder
	path := filepath.Join(t.TempDir(), "timeline.json")
	assert.Equal(t, 1, run([]string{"-trace", path}, &stdout, &stderr), "a GPU makes no timeline, and nothing runs instead")
	assert.Contains(t, stderr.String(), "-trace needs the emulator")
	assert.NoFileExists(t, path)
	stdout.Reset()
	stderr.Reset()
	status := run(strings.Fields("-device cuda -m 129 -n 264 -k 520"), &stdout, &stderr)
	require.Zero(t, status, stderr.String())
	assert.Contains(t, stdout.String(), "right: ")
	assert.Contains(t, stdout.String(), "TFLOP/s")
	assert.Contains(t, stdout.String(), "verified again after timing")
}
