package readme

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	// The lessons run as processes of their own. With this import a change
	// below the lab makes a new test, which no cached result can stand for.
	_ "gohopper/internal/lab"
)

// run is a lesson as it is.
func run(t *testing.T) string {
	return fence("", transcript(t, "v6", ""))
}

// hang is a lesson that waits for bytes that nobody sends.
func hang(t *testing.T) string {
	return broken(t, "v3", "ArriveExpectTx(sa.Bytes() + sb.Bytes())", "ArriveExpectTx(2*sa.Bytes() + sb.Bytes())")
}

// latent is a lesson without a fence, whose result is right all the same.
func latent(t *testing.T) string {
	return broken(t, "v1", "k.WgmmaFence()", "")
}

// broken is a lesson with a bug in its kernel, in the one line with right: what
// is changed, and what a run then says. A line with nothing left in it goes.
func broken(t *testing.T, lesson, right, wrong string) string {
	file := "lessons/" + lesson + "/kernel.go"
	path, err := filepath.Abs(filepath.Join(root, filepath.FromSlash(file)))
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), right), "%s has one line with %s", file, right)
	at := strings.Index(string(text), right)
	from := strings.LastIndex(string(text)[:at], "\n") + 1
	line, _, _ := strings.Cut(string(text)[from:], "\n")
	change := "-" + strings.TrimSpace(line) + "\n"
	with := strings.Replace(line, right, wrong, 1)
	if strings.TrimSpace(with) != "" {
		change += "+" + strings.TrimSpace(with) + "\n"
	}

	// The go command can read a file in place of another one.
	edited := filepath.Join(t.TempDir(), "kernel.go")
	require.NoError(t, os.WriteFile(edited, []byte(strings.Replace(string(text), line, with, 1)), 0o644))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{path: edited}})
	require.NoError(t, err)
	described := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(described, overlay, 0o644))
	return "In `" + file + "`:\n\n" + fence("diff", change) + "\n" +
		fence("", transcript(t, lesson, "", "-overlay", described))
}

// mistake is a lesson asked for more than a CTA may have.
func mistake(t *testing.T) string {
	return fence("", transcript(t, "v6", "-stages 4"))
}

// transcript runs a lesson as a reader would and returns the command and all
// that it printed. The build flags stay out of the command. So does the choice
// of the emulator, which is what a machine without a GPU makes by itself.
func transcript(t *testing.T, lesson, args string, build ...string) string {
	sources, err := filepath.Glob(filepath.Join(root, "lessons", lesson, "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, sources)
	for _, file := range sources { // seen by the cache of test results
		_, err := os.ReadFile(file)
		require.NoError(t, err)
	}
	command := append([]string{"run"}, build...)
	command = append(command, "./lessons/"+lesson, "-device", "emu")
	c := exec.Command("go", append(command, strings.Fields(args)...)...)
	c.Dir = root
	out, err := c.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		require.NoError(t, err)
	}
	return strings.TrimSpace("$ go run ./lessons/"+lesson+" "+args) + "\n" + string(out)
}

// fence makes a code block.
func fence(language, text string) string {
	return "```" + language + "\n" + strings.TrimSpace(text) + "\n```\n"
}

var hostTime = regexp.MustCompile(`emulated [0-9.]+ s of this computer's time, [0-9.]+ GMAC/s`)

// timeless is a text without the host's time, which no two runs share.
func timeless(text string) string {
	return hostTime.ReplaceAllString(text, "emulated in some time")
}
