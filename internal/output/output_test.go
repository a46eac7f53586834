package output

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var song = Kind{Name: "a song", Is: func(data []byte) bool { return bytes.HasPrefix(data, []byte("la")) }}

func TestWrite(t *testing.T) {
	for _, c := range []struct {
		why, before, want string // before "-": there is no file
	}{
		{"a new file", "-", ""},
		{"an empty file, as mktemp makes them", "", ""},
		{"one of the same kind", "la la", ""},
		{"something of another kind", "notes", "exists and is not a song: choose another path, or remove it"},
	} {
		t.Run(c.why, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "file")
			if c.before != "-" {
				require.NoError(t, os.WriteFile(path, []byte(c.before), 0o600))
			}
			for _, err := range []error{song.Writable(path), song.Write(path, []byte("la di da"))} {
				if c.want == "" {
					require.NoError(t, err)
				} else {
					require.ErrorContains(t, err, c.want)
				}
			}
			left, err := os.ReadFile(path)
			require.NoError(t, err)
			if c.want == "" {
				assert.Equal(t, "la di da", string(left))
			} else {
				assert.Equal(t, c.before, string(left))
			}
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			assert.Len(t, entries, 1, "nothing half-written stays")
		})
	}
}

func TestWritableIsAsked(t *testing.T) {
	dir := t.TempDir()
	assert.NoError(t, song.Writable(filepath.Join(dir, "new")))
	assert.ErrorContains(t, song.Writable(filepath.Join(dir, "no", "new")), "cannot be written")
	assert.ErrorContains(t, song.Writable(dir), "is a directory")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, entries, "asking leaves nothing behind")
}
