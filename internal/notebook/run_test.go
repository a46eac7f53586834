package notebook

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/lessons"
)

// TestCellsRun runs a notebook's cells as GoNB's documentation says it does:
// lines with an exclamation mark by bash, in the notebook's folder, and
// %%writefile into a file. GoNB itself is not needed.
func TestCellsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a lesson several times")
	}
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("GoNB needs bash, and does not run on Windows")
	}
	l, ok := lessons.Find("v3")
	require.True(t, ok)
	data, err := Make(repository, l)
	require.NoError(t, err)
	original := filepath.Join(repository, l.Folder, "kernel.go")
	before, err := os.ReadFile(original)
	require.NoError(t, err)
	temporary := t.TempDir()
	var said []string
	for _, cell := range load(t, data).code() {
		cell = strings.ReplaceAll(cell, "/tmp/", filepath.ToSlash(temporary)+"/")
		if rest, ok := strings.CutPrefix(cell, "%%writefile "); ok {
			name, text, _ := strings.Cut(rest, "\n")
			// The reader tries the exercise that starts wrong.
			text = strings.Replace(text, "phase.Set(1) //", "phase.Set(0) //", 1)
			require.NoError(t, os.WriteFile(name, []byte(text+"\n"), 0o644))
			continue
		}
		out := ""
		for _, line := range strings.Split(cell, "\n") {
			cmd := exec.Command("bash", "-c", strings.TrimPrefix(line, "!"))
			cmd.Dir = filepath.Join(repository, "docs") // any folder of a clone
			text, _ := cmd.CombinedOutput()             // a status is for the reader
			out += string(text)
		}
		said = append(said, out)
	}
	require.Len(t, said, 7)
	assert.Equal(t, "gohopper\n", said[0])
	assert.Contains(t, said[1], "right: 52800 elements within their bounds")
	assert.Contains(t, said[2], "C[300 x 520] = A[300 x 1000] B[520 x 1000]ᵀ, bf16")
	assert.Contains(t, said[2], "right:")
	assert.Contains(t, said[3], "-timeline.json, of the first cluster")
	assert.Contains(t, said[4], "[stuck]", "the reader's kernel is the one that runs")
	assert.Contains(t, said[4], "at v3/kernel.go:", "and what is found has the line of the lesson's file")
	assert.Contains(t, said[5], "+\t\tphase.Set(0) //")
	assert.Contains(t, said[6], "[stuck]", "so in the exercises")

	after, err := os.ReadFile(original)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after), "the clone stays as it is")
}
