package lab

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/cuda"
)

// call runs a lesson as a program would.
func call(l Lesson[tile], args string) (status int, stdout, stderr string) {
	var out, err strings.Builder
	status = Main(l, strings.Fields(args), &out, &err)
	return status, out.String(), err.String()
}

func TestMainShowsWhatRan(t *testing.T) {
	status, stdout, stderr := call(fixture(none), "-device emu -seed 3")
	require.Zero(t, status, stderr)
	assert.Empty(t, stderr)
	for _, want := range []string{
		"fixture: a lesson for tests\n",
		"kernel   fixture, 128 threads, 16 KiB shared, tile-m 64, tile-n 64\n",
		"device   emulator, seed 3 (results only; no GPU is used)\n",
		"shape    C[72 x 80] = A[72 x 136] B[80 x 136]ᵀ, f16, 4 CTAs\n",
		"result   right: 5760 elements within their bounds",
	} {
		assert.Contains(t, stdout, want)
	}
}

// TestAFailureIsNoResult: a kernel that is wrong, that misbehaves, hangs or
// cannot be recorded ends in status 1, one message, and no report.
func TestAFailureIsNoResult(t *testing.T) {
	for _, c := range []struct {
		why   string
		make  mistake
		flags string
		want  []string
	}{
		{"a wrong result is diagnosed", incorrect, "",
			[]string{"C = A·Bᵀ of 72x80x136 in f16 is wrong", "the first K tile is missing"}},
		{"misbehaviour names the line", hasty, "",
			[]string{"fixture_test.go", "the kernel misbehaved"}},
		{"a hang is found, not waited for", waiting, "",
			[]string{"[stuck]", "fixture_test.go", "the kernel misbehaved"}},
		{"every mistake in a tile is listed", none, "-tile-m 72 -tile-n 100",
			[]string{"fixture: kernel fixture cannot be recorded:\n", "a tile of 100 rows: rows come in swizzle atoms of 8", "an accumulator of 72 x 100: rows come in blocks of 64"}},
		{"and what is too large is added up", none, "-tile-n 1792",
			[]string{"the kernel takes 237576 bytes of shared memory, 5128 more than the 232448 that a CTA may have", "229376 bytes, 1 x tile of 1792 x 64 f16"}},
		{"also when only PTX is asked for", none, "-ptx -tile-n 100",
			[]string{"a tile of 100 rows"}},
	} {
		t.Run(c.why, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.json")
			status, stdout, stderr := call(fixture(c.make), "-device emu -json "+path+" "+c.flags)
			assert.Equal(t, 1, status)
			assert.NotContains(t, stdout, "right")
			assert.NotContains(t, stdout, ".entry")
			for _, want := range c.want {
				assert.Contains(t, stderr, want)
			}
			assert.NoFileExists(t, path)
		})
	}
}

func TestPTXIsWhatTheDeviceGets(t *testing.T) {
	status, stdout, stderr := call(fixture(none), "-ptx")
	require.Zero(t, status, stderr)
	dev := newCard()
	p, err := NewProduct(dev, fixture(none).Small, F16, 1)
	require.NoError(t, err)
	w := work(t, p, fixture(none))
	assert.Equal(t, w.Text, stdout, "byte for byte")

	var said strings.Builder
	assert.Equal(t, 1, Main(fixture(none), []string{"-ptx"}, pipe{}, &said), "a reader that goes away is a failure")
	assert.Equal(t, "fixture: io: read/write on closed pipe\n", said.String())
}

// TestWithoutGPU: what needs a GPU says so and does not run something else.
func TestWithoutGPU(t *testing.T) {
	if cuda.Probe().Err() == nil {
		t.Skip("this machine has a GPU")
	}
	for args, want := range map[string]string{
		"-bench":       "need a GPU: the emulator computes results, not seconds\n",
		"-tune":        "need a GPU: the emulator computes results, not seconds\n",
		"-device cuda": "use -device emu",
	} {
		status, stdout, stderr := call(fixture(none), args)
		assert.Equal(t, 1, status, args)
		assert.Empty(t, stdout, args)
		assert.Contains(t, stderr, want, args)
	}
	status, stdout, _ := call(fixture(none), "")
	assert.Zero(t, status, "by itself it runs on the emulator")
	assert.Contains(t, stdout, "device   emulator, seed 1")
}

// TestTuneIsNotForEveryProgram: V0 has no tile space, so the flag belongs to
// lessons that have one.
func TestTuneIsNotForEveryProgram(t *testing.T) {
	o, said := options(t, "-m 8")
	assert.Error(t, o.fs.Parse([]string{"-tune"}))
	assert.Contains(t, said.String(), "-tune")
}

func TestValidFlagsTouchNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	status, _, _ := call(fixture(none), "-device emu -json "+path+" -n 7")
	assert.Equal(t, 2, status)
	assert.NoFileExists(t, path)

	require.NoError(t, os.WriteFile(path, []byte("notes"), 0o644))
	status, stdout, stderr := call(fixture(none), "-device emu -json "+path)
	assert.Equal(t, 2, status, "refused before anything runs")
	assert.Empty(t, stdout)
	assert.Equal(t, "fixture: "+path+" exists and is not a report: choose another path, or remove it\n", stderr)
	left, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "notes", string(left))
	assert.Equal(t, 1, Main(fixture(incorrect), []string{"-device", "emu"}, io.Discard, io.Discard))
}
