package lessons

import (
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestListIsComplete: a folder with a program is a lesson, and the reverse. The
// museum alone is none: it has no place in the order and no step of its own.
func TestListIsComplete(t *testing.T) {
	mains, err := filepath.Glob("*/main.go")
	require.NoError(t, err)
	var folders []string
	for _, m := range mains {
		folders = append(folders, filepath.Base(filepath.Dir(m)))
	}
	assert.ElementsMatch(t, folders, append(Names(), "museum"), "lessons.go lists each folder of lessons once")
}

func TestEveryLessonIsDescribed(t *testing.T) {
	for _, l := range All() {
		assert.Equal(t, "lessons/"+l.Name, l.Folder)
		for field, text := range map[string]string{"Title": l.Title, "Idea": l.Idea, "New": l.New} {
			assert.NotEmpty(t, text, "%s of %s", field, l.Name)
			assert.Less(t, len(text), 72, "%s of %s is one short line", field, l.Name)
			assert.NotContains(t, text, "\n")
		}
		assert.Contains(t, []Route{WarpMMA, Wgmma}, l.Route, "the route of %s", l.Name)
		found, ok := Find(l.Name)
		assert.True(t, ok)
		assert.Equal(t, l, found)
	}
	_, ok := Find("v99")
	assert.False(t, ok)
}

// TestMainsAgree builds every lesson and runs it on one small product: the
// first line it prints is its name and the title of the list.
func TestMainsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("builds every lesson")
	}
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command to build the lessons with")
	}
	for _, l := range All() {
		t.Run(l.Name, func(t *testing.T) {
			// Given a folder, the go command would call each program from v2 on
			// "lessons": it takes the last part of the path for a major version.
			program := filepath.Join(t.TempDir(), l.Name)
			out, err := exec.Command(goCommand, "build", "-o", program, "./"+path.Base(l.Folder)).CombinedOutput()
			require.NoError(t, err, "%s", out)
			out, err = exec.Command(program, "-device", "emu", "-m", "8", "-n", "8", "-k", "8").CombinedOutput()
			require.NoError(t, err, "%s", out)
			first, _, _ := strings.Cut(string(out), "\n")
			assert.Equal(t, l.Name+": "+l.Title, first)
		})
	}
}
