package site

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// declared is a name that a script gives to all scripts of its page.
var declared = regexp.MustCompile(`(?m)^(?:async function|function|const|let|class) (\w+)`)

// scripts is the scripts that a page names, in their order.
func scripts(page []byte) (names []string) {
	for _, m := range references.FindAllStringSubmatch(string(page), -1) {
		if strings.Contains(m[0], "src=") && path.Ext(m[1]) == ".js" {
			names = append(names, m[1])
		}
	}
	return names
}

// TestScriptsShareOneScope: the scripts of a page see each other's names, and
// one that declares a name a second time does not run at all.
func TestScriptsShareOneScope(t *testing.T) {
	files, err := Make(repository)
	require.NoError(t, err)
	found := scripts(files["v3.html"])
	require.Contains(t, found, "assets/timeline.js")
	from := map[string]string{}
	for _, name := range found {
		for _, m := range declared.FindAllStringSubmatch(string(files[name]), -1) {
			assert.Empty(t, from[m[1]], "%s declares %s again", name, m[1])
			from[m[1]] = name
		}
	}
	assert.Equal(t, "assets/trace.js", from["readTrace"])
	assert.NotContains(t, scripts(files["method.html"]), "assets/timeline.js", "a page that runs nothing loads nothing for it")
}

// TestTimelineHasItsParts: what the scripts look up by name is in the page.
func TestTimelineHasItsParts(t *testing.T) {
	files, err := Make(repository)
	require.NoError(t, err)
	page := string(files["v3.html"])
	asked := regexp.MustCompile(`byId\("([\w-]+)"\)`)
	count := 0
	for _, name := range []string{"assets/timeline.js", "assets/timeline-draw.js", "assets/run.js"} {
		for _, m := range asked.FindAllStringSubmatch(string(files[name]), -1) {
			assert.Contains(t, page, ` id="`+m[1]+`"`, name)
			count++
		}
	}
	assert.Greater(t, count, 20)
	kinds := regexp.MustCompile(`colours\.(\w+)`)
	for _, m := range kinds.FindAllStringSubmatch(string(files["assets/timeline-draw.js"]), -1) {
		if m[1] != "ink" && m[1] != "paper" && m[1] != "rule" && m[1] != "accent" { // those are the picture's own
			assert.Contains(t, page, `data-colour="`+m[1]+`"`, "the key shows each colour, and the script takes it from there")
		}
	}
}
