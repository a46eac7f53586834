package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/event"
)

// The table of the exhibits stands between these lines of lesson.md.
const hallBegins, hallEnds = "<!-- begin exhibits -->\n", "<!-- end exhibits -->\n"

// TestHall holds the table of the entrance to the exhibits.
func TestHall(t *testing.T) {
	var table strings.Builder
	table.WriteString("| exhibit | what went wrong | rule | lesson | seen in |\n|---|---|---|---|---|\n")
	for _, e := range exhibits() {
		var seen []string
		for _, address := range e.Seen {
			seen = append(seen, fmt.Sprintf("[%s](%s)", nameOf(address), address))
		}
		fmt.Fprintf(&table, "| [%s](%s.md) | %s | [`%s`](../../%s#%s) | [%s](../%s/lesson.md) | %s |\n", short(e.ID), e.ID, e.Title,
			e.Rule, event.RulesPage, e.Rule, strings.ToUpper(e.Lesson), e.Lesson, strings.Join(seen, ", "))
	}
	text, err := os.ReadFile("lesson.md")
	require.NoError(t, err)
	before, rest, begins := strings.Cut(string(text), hallBegins)
	_, after, ends := strings.Cut(rest, hallEnds)
	require.True(t, begins && ends, "lesson.md has lost the lines around its table")
	golden(t, "lesson.md", before+hallBegins+"\n"+table.String()+"\n"+hallEnds+after)
}

var thread = regexp.MustCompile(`^https://github\.com/[^/]+/([^/]+)/(?:issues|pull)/(\d+)$`)

// nameOf is an issue or a pull request in short, as in "FlashKDA 24".
func nameOf(address string) string {
	m := thread.FindStringSubmatch(address)
	if m == nil {
		return address
	}
	return m[1] + " " + m[2]
}

// short is an exhibit's name as the pages write it, "B4" for "b04".
func short(id string) string {
	return strings.ToUpper(id[:1]) + strings.TrimPrefix(id[1:], "0")
}

func TestNames(t *testing.T) {
	assert.Equal(t, "B4", short("b04"))
	assert.Equal(t, "B20", short("b20"), "a zero at the end stays")
	assert.Equal(t, "cutlass 3314", nameOf("https://github.com/NVIDIA/cutlass/pull/3314"))
	assert.Equal(t, "https://example.org/x", nameOf("https://example.org/x"), "anything else is shown whole")
}
