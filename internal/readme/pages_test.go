package readme

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/lab"
)

func read(t *testing.T, path string) string {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	require.NoError(t, err)
	return string(text)
}

// names are the different first groups of all matches, sorted.
func names(pattern, text string) []string {
	var all []string
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TestLinks: what a page points to inside the repository exists.
func TestLinks(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	for _, page := range append(pages, filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md"), filepath.Join(root, "CHANGELOG.md")) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, link := range names(`\]\(([^)]+)\)`, string(text)) {
			to, err := url.Parse(link)
			require.NoError(t, err, "%s: %s", page, link)
			if to.Scheme == "" && to.Path != "" {
				_, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(to.Path)))
				assert.NoError(t, err, "a link of %s", page)
			}
		}
	}
}

// TestMethod holds docs/method.md to the constants of the lab.
func TestMethod(t *testing.T) {
	page := read(t, "docs/method.md")
	for _, says := range []string{
		fmt.Sprintf("a pause of %.0f seconds", lab.Pause.Seconds()),
		fmt.Sprintf("%d warm-ups", lab.WarmUps),
		fmt.Sprintf("%d launches between two CUDA events", lab.Iterations),
	} {
		assert.Contains(t, page, says)
	}
}

// TestRules holds the table of docs/emulator.md to the rules that the emulator
// can report.
func TestRules(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "pkg", "hopper", "emu", "*.go"))
	require.NoError(t, err)
	var source []byte
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		source = append(source, text...)
	}
	var listed string
	for _, row := range regexp.MustCompile("(?m)^\\| `.*? \\|").FindAllString(read(t, "docs/emulator.md"), -1) {
		listed += row
	}
	assert.Equal(t, names(`Rule:\s+"([a-z-]+)"`, string(source)), names("`([a-z-]+)`", listed))
}
