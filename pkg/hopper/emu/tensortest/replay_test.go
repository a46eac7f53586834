// Package tensortest holds the arithmetic of the emulator's tensor core against
// an H200's, bit by bit.
//
// One kernel for each kind of mma.sync and wgmma executes it once on operands
// that a test chooses. Probes are made to show one thing each: how many bits of
// an addend are kept, what is added with what, how a sum is rounded. Random
// operands of ten distributions look for what nobody thought of. A model in
// whole numbers says what is believed. A recording of the H200 is replayed in
// every run; with -tags cuda a GPU computes again, on fresh operands.
// docs/tensor-core.md tells what was found.
//
// The package has only tests. It must not know how the emulator adds: it has a
// model of its own, which was found with the card and not with the emulator.
package tensortest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/emu"
	"gohopper/pkg/hopper/emu/tensor"
)

const recordingFile = "testdata/h200.gz"

func recorded(t *testing.T) recording {
	data, err := os.ReadFile(recordingFile)
	require.NoError(t, err)
	r, err := readRecording(data, instructions())
	require.NoError(t, err)
	return r
}

// The model and the emulator's arithmetic both give every bit that the H200
// gave: of all probes, and of random operands of every kind.
func TestRecording(t *testing.T) {
	r := recorded(t)
	for _, in := range instructions() {
		t.Run(in.key(), func(t *testing.T) {
			list := in.probes()
			var s tensor.Scratch
			for i, tile := range in.probeTiles(list) {
				d := in.emulate(&s, tile, 1)
				for j := 0; j < 8 && i*8+j < len(list); j++ {
					q := list[i*8+j]
					want := r.probes[in.String()][i*8+j]
					model := in.model.sum(in.a, in.b, in.d, q.a, q.b, q.c)
					if model != want || d[j*in.n+j] != want {
						require.Failf(t, "a probe differs", "%s, %s: GPU %x, model %x, emulator %x", q.family, q.about, want, model, d[j*in.n+j])
					}
				}
			}
			for i, want := range r.tiles[in.String()] {
				tile := in.randomTile(recordedSeed, i)
				name := distributions[i%len(distributions)].name
				require.Equal(t, want, in.predict(tile), "model: %s, tile %d", name, i)
				require.Equal(t, want, in.emulate(&s, tile, in.rows()/tensor.StripRows), "emulator: %s, tile %d", name, i)
			}
		})
	}
}

// The instructions themselves, in kernels on the emulator, do the arithmetic
// that is theirs.
func TestEmulator(t *testing.T) {
	m := emu.New(emu.Config{})
	for _, in := range instructions() {
		tiles := make([]tile, len(distributions))
		for i := range tiles {
			tiles[i] = in.randomTile(3, i)
		}
		out, err := in.execute(m, tiles)
		require.NoError(t, err)
		for i := range tiles {
			require.Equal(t, in.predict(tiles[i]), out[i], "%s, %s", in, distributions[i].name)
		}
	}
	for _, f := range m.Findings() {
		require.Fail(t, f.String())
	}
	require.NoError(t, m.Close())
}

// A comparison finds that the emulator agrees with itself, and what it records
// can be read again.
func TestCompare(t *testing.T) {
	dir := t.TempDir()
	list := slices.DeleteFunc(instructions(), func(in instruction) bool { return in.async || in.k != 32 || in.a.name != in.b.name })
	require.Len(t, list, 2)
	var log strings.Builder
	require.NoError(t, compare(emu.New(emu.Config{}), list, 5, 1000, dir, time.Minute, &log))
	f := readFigures(t, filepath.Join(dir, "agreement.json"))
	for _, in := range list {
		require.Equal(t, map[string]int{"probes": len(in.probes()), "probes_equal": len(in.probes()), "elements": 1024, "equal": 1024}, f.Figures[in.key()])
	}
	data, err := os.ReadFile(filepath.Join(dir, "h200.gz"))
	require.NoError(t, err)
	r, err := readRecording(data, list)
	require.NoError(t, err)
	for _, in := range list {
		for i, d := range r.tiles[in.String()] {
			require.Equal(t, in.predict(in.randomTile(recordedSeed, i)), d)
		}
	}
	_, err = readRecording(data, list[1:])
	require.ErrorContains(t, err, "record again")
}

// The agreement that the page quotes is whole: all instructions, a million
// elements of each, all equal.
func TestAgreement(t *testing.T) {
	f := readFigures(t, agreementFile)
	require.Len(t, f.Figures, len(instructions()))
	for _, in := range instructions() {
		of := f.Figures[in.key()]
		require.GreaterOrEqual(t, of["elements"], 1<<20, in.key())
		require.Equal(t, of["elements"], of["equal"], in.key())
		require.Equal(t, of["probes"], of["probes_equal"], in.key())
	}
}
