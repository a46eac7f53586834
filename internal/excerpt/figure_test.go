package excerpt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const noted = `{
  "schema": "gohopper figures 1",
  "about": "one profile",
  "date": "2026-11-29",
  "machine": {"device": "NVIDIA H200"},
  "means": {"clock_ghz": "clock of the SMs, GHz", "change_percent": "of time"},
  "figures": {"v7": {"clock_ghz": 1.530, "change_percent": -5}, "tried/hints": {"change_percent": 0}}
}
`

func TestFigure(t *testing.T) {
	path := file(t, "noted.json", noted)
	require.True(t, isFigures(path))
	for fragment, want := range map[string]string{
		"v7/clock_ghz": "1.530", "v7/change_percent": "-5", "tried/hints/change_percent": "0",
	} {
		got, err := Figure(path, fragment)
		require.NoError(t, err)
		assert.Equal(t, want, got, "%s, with the digits of the file", fragment)
	}
	for _, c := range []struct{ why, fragment, want string }{
		{"no name", "clock_ghz", "#clock_ghz: a fragment is name/figure"},
		{"no such name", "v8/clock_ghz", "has no figures of v8: it has those of tried/hints, v7"},
		{"no such figure", "v7/clock", "v7 has no clock: it has change_percent, clock_ghz"},
	} {
		_, err := Figure(path, c.fragment)
		assert.ErrorContains(t, err, c.want, c.why)
	}
}

// TestFigureRefuses: a number without a source or a meaning cannot be quoted.
func TestFigureRefuses(t *testing.T) {
	for _, c := range []struct{ why, old, new, want string }{
		{"another version", "figures 1", "figures 2", `schema is "gohopper figures 2", but this program knows only "gohopper figures 1"`},
		{"no source", `"one profile"`, `""`, "does not say where its figures come from"},
		{"no date", "2026-11-29", "", "does not say where its figures come from"},
		{"no card", "NVIDIA H200", "", "does not say where its figures come from"},
		{"no meaning", `"clock_ghz": "clock of the SMs, GHz", `, "", "v7/clock_ghz has no line in means"},
		{"a text for a number", "-5", `"five"`, "is not a file of figures"},
		{"a misspelt field", `"about"`, `"abuot"`, `unknown field "abuot"`},
	} {
		text := strings.Replace(noted, c.old, c.new, 1)
		require.NotEqual(t, noted, text)
		path := file(t, "noted.json", text)
		assert.True(t, isFigures(path), c.why)
		_, err := Figure(path, "v7/clock_ghz")
		assert.ErrorContains(t, err, c.want, c.why)
	}
	missing := filepath.Join(t.TempDir(), "no.json")
	_, err := Figure(missing, "v7/clock_ghz")
	assert.ErrorIs(t, err, os.ErrNotExist)
	assert.False(t, isFigures(missing))
	assert.False(t, isFigures(file(t, "run.json", `{"schema": "gohopper report 1"}`)))
}
