package matrix

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/num"
)

// kept is the one file of a folder.
func kept(t *testing.T, dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, files, 1, "one reference, and nothing half written")
	return files[0]
}

// A screened reference, as a large product has, comes back as it was.
func TestKeptScreen(t *testing.T) {
	a, b := Fill(300, 72, num.FormatF16, 1, 0), Fill(200, 72, num.FormatF16, 1, 1)
	want, err := newReference(a, b, Options{}, 1, 1)
	require.NoError(t, err)
	require.NotNil(t, want.screen)
	path := filepath.Join(t.TempDir(), "x")
	require.NoError(t, want.keep(path))
	got, err := outline(a, b, Options{}, 1, 1)
	require.NoError(t, err)
	require.False(t, got.whole(), "an outline has no answer")
	require.NoError(t, got.read(path))
	assert.Equal(t, want, got)

	other, err := outline(a, Fill(100, 72, num.FormatF16, 1, 1), Options{}, 1, 1)
	require.NoError(t, err)
	assert.ErrorContains(t, other.read(path), "too few or too many values")
}

func TestKeptReference(t *testing.T) {
	a, b := Fill(300, 72, num.FormatF16, 1, 0), Fill(200, 72, num.FormatF16, 1, 1)
	dir := t.TempDir()
	first, err := KeptReference(dir, a, b, Options{Seed: 3})
	require.NoError(t, err)
	file := kept(t, dir)
	again, err := KeptReference(dir, a, b, Options{Seed: 3})
	require.NoError(t, err)
	assert.Equal(t, first, again, "read and computed are the same")
	assert.Equal(t, file, kept(t, dir))

	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, c := range []struct {
		why  string
		data []byte
	}{
		{"cut off", whole[:len(whole)-1]},
		{"empty", nil},
		{"of another version", append([]byte("gohopper reference 0\n"), whole[len(keptFormat):]...)},
	} {
		require.NoError(t, os.WriteFile(file, c.data, 0o644))
		r, err := KeptReference(dir, a, b, Options{Seed: 3})
		require.NoError(t, err, c.why)
		assert.Equal(t, first, r, "%s: computed anew", c.why)
		mended, err := os.ReadFile(kept(t, dir))
		require.NoError(t, err)
		assert.Equal(t, whole, mended, "%s: and replaced", c.why)
	}
}

func TestKeptIsOfItsData(t *testing.T) {
	a, b := Fill(30, 40, num.FormatF16, 1, 0), Fill(20, 40, num.FormatF16, 1, 1)
	own := digest(a, b, Options{})
	other := a.Clone()
	other.SetCode(29, 39, a.Code(29, 39)^1)
	assert.NotEqual(t, own, digest(other, b, Options{}), "one bit of A")
	assert.NotEqual(t, own, digest(b, a, Options{}), "exchanged operands")
	assert.NotEqual(t, own, digest(a, b, Options{Seed: 1}), "other samples")
}

func TestNothingKept(t *testing.T) {
	a := Fill(8, 8, num.FormatF16, 1, 0)
	missing := filepath.Join(t.TempDir(), "missing")
	r, err := KeptReference(missing, a, a, Options{})
	require.NoError(t, err, "it is computed all the same")
	assert.True(t, r.whole())
	assert.ErrorContains(t, r.keep(filepath.Join(missing, "x")), "the reference product cannot be kept")
}
