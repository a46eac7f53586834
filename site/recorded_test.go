package site

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/lessons"
)

var update = flag.Bool("update", false, "rewrite what the lessons print, and the golden page")

// repository is the root, from this folder.
const repository = ".."

var hostTime = regexp.MustCompile(`(?m)^  emulated .*\n`)

// TestRecorded holds the recorded outputs to what the lessons print, but for
// the time that they took.
func TestRecorded(t *testing.T) {
	if testing.Short() {
		t.Skip("builds every lesson")
	}
	dir := t.TempDir()
	for _, l := range lessons.All() {
		t.Run(l.Name, func(t *testing.T) {
			program := filepath.Join(dir, l.Name)
			build := exec.Command("go", "build", "-o", program, "./"+l.Folder)
			build.Dir = repository
			out, err := build.CombinedOutput()
			require.NoError(t, err, "%s", out)
			out, err = exec.Command(program, "-device", "emu").CombinedOutput()
			require.NoError(t, err, "%s", out)
			got := "$ go run ./" + l.Folder + "\n" + hostTime.ReplaceAllString(string(out), "")
			file := filepath.Join(repository, filepath.FromSlash(recording(l.Name)))
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Equal(t, string(want), got, "run with -update if the change is meant")
		})
	}
}
