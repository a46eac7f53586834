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

var update = flag.Bool("update", false, "rewrite the generated sections of README.md")

// root is the repository's, from this folder.
const root = "../.."

// TestSections compares each generated section of README.md, from its comment
// "begin" to its comment "end", with what it should say today.
func TestSections(t *testing.T) {
	for _, s := range []struct {
		name string
		text func(t *testing.T) string
	}{
		{"results", recorded(ladder, ladderTable)},
		{"sweep", recorded(sweep, sweepTable)},
		{"lessons", list},
		{"run", run},
		{"hang", hang},
		{"latent", latent},
		{"mistake", mistake},
	} {
		t.Run(s.name, func(t *testing.T) {
			want := s.text(t)
			path := filepath.Join(root, "README.md")
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			before, has, after := cut(t, string(text), s.name)
			if *update && timeless(has) != timeless(want) {
				require.NoError(t, os.WriteFile(path, []byte(before+want+after), 0o644))
				has = want
			}
			assert.Equal(t, timeless(want), timeless(has), "README.md is stale: go test ./internal/readme -update")
		})
	}
}

// cut divides the README at a section; the comments stay outside of it.
func cut(t *testing.T, text, name string) (before, section, after string) {
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->\n"
	require.Equal(t, 1, strings.Count(text, begin), "README.md has one line %q", begin)
	require.Equal(t, 1, strings.Count(text, end), "README.md has one line %q", end)
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
