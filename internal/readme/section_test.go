package readme

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/lessons"
)

var update = flag.Bool("update", false, "rewrite the generated sections of README.md and docs/results.md")

// root is the repository's, from this folder.
const root = "../.."

// The pages that have generated sections, from the root of the repository.
const (
	front   = "README.md"
	results = "docs/results.md"
)

// TestSections compares each generated section of a page, from its comment
// "begin" to its comment "end", with what it should say today.
func TestSections(t *testing.T) {
	for _, s := range []struct {
		page, name string
		text       func(t *testing.T) string
	}{
		{front, "results", recorded(ladder, ladderTable)},
		{front, "sweep", recorded(sweep, sweepTable)},
		{front, "lessons", list},
		{front, "run", run},
		{front, "hang", hang},
		{front, "latent", latent},
		{front, "mistake", mistake},
		{results, "shapes", recorded(sweep, shapesTable)},
		{results, "tiles", recorded(tune, tilesTable)},
	} {
		t.Run(s.name, func(t *testing.T) {
			want := s.text(t)
			path := filepath.Join(root, filepath.FromSlash(s.page))
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			before, has, after := cut(t, s.page, string(text), s.name)
			if *update && timeless(has) != timeless(want) {
				require.NoError(t, os.WriteFile(path, []byte(before+want+after), 0o644))
				has = want
			}
			assert.Equal(t, timeless(want), timeless(has), "%s is stale: go test ./internal/readme -update", s.page)
		})
	}
}

// cut divides a page at a section; the comments stay outside of it.
func cut(t *testing.T, page, text, name string) (before, section, after string) {
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->\n"
	require.Equal(t, 1, strings.Count(text, begin), "%s has one line %q", page, begin)
	require.Equal(t, 1, strings.Count(text, end), "%s has one line %q", page, end)
	before, rest, _ := strings.Cut(text, begin)
	section, after, ok := strings.Cut(rest, end)
	require.True(t, ok, "%q comes before %q", begin, end)
	return before + begin, section, end + after
}

// list is the lessons, a line each.
func list(*testing.T) string {
	var b strings.Builder
	b.WriteString("| lesson | what it is | idea | new |\n|---|---|---|---|\n")
	for _, l := range lessons.All() {
		b.WriteString("| [" + l.Name + "](" + l.Folder + ") | " + l.Title + " | " + l.Idea + " | " + l.New + " |\n")
	}
	return b.String()
}
