package excerpt

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// file writes a file for one test.
func file(t *testing.T, name, content string) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	return path
}

func TestRegion(t *testing.T) {
	path := file(t, "kernel.go", `package main

func f() {
	//region outer
	for {
		//region inner
		g()

			h()
		//endregion inner
	}
	//endregion outer
}
`)
	inner, err := Region(path, "inner")
	require.NoError(t, err)
	assert.Equal(t, Lines{Text: "g()\n\n\th()\n", First: 7}, inner, "outdented, with blank lines and depth kept")

	outer, err := Region(path, "outer")
	require.NoError(t, err)
	assert.Equal(t, Lines{Text: "for {\n\tg()\n\n\t\th()\n}\n", First: 5}, outer, "without the markers inside it")

	_, err = Region(path, "main loop")
	assert.EqualError(t, err, path+` has no region "main loop": it has inner, outer`)
	_, err = Region(filepath.Join(t.TempDir(), "no.go"), "x")
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestRegionMarkersMustPair(t *testing.T) {
	for _, c := range []struct{ why, content, want string }{
		{"no end", "//region a\nx\n", `:1: region "a" has no end: write //endregion a`},
		{"no beginning", "x\n//endregion a\n", ":2: //endregion a does not end the region that was opened last"},
		{"overlap", "//region a\nx\n//region b\ny\n//endregion a\n//endregion b\n", ":5: //endregion a does not end"},
		{"twice", "//region a\nx\n//endregion a\n//region a\ny\n//endregion a\n", `:4: a second region "a"`},
		{"empty", "//region a\n//endregion a\n", `:1: region "a" is empty`},
	} {
		_, err := Regions(file(t, "kernel.go", c.content))
		assert.ErrorContains(t, err, c.want, c.why)
	}
	none, err := Regions(file(t, "kernel.go", "package main\n"))
	require.NoError(t, err, "a file need not have regions")
	assert.Empty(t, none)
}
