package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/cmd/lesson/internal/machine"
	"gohopper/internal/notebook"
)

// course is this machine, in the repository.
func course(t *testing.T) *call {
	here, err := machine.Here()
	require.NoError(t, err)
	return &call{ctx: context.Background(), stdin: strings.NewReader(""), machine: here}
}

// TestNotebooks: a reader's notebook is never lost by accident.
func TestNotebooks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "notebooks")
	status, out, errs := use(course(t), "notebook", "-o", dir, "v1", "v3")
	require.Zero(t, status, errs)
	assert.Equal(t, "2 notebooks in "+dir+"; they need Jupyter and GoNB\n", out)
	file := filepath.Join(dir, "v3.ipynb")
	first, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.True(t, notebook.Is(first))
	assert.NoFileExists(t, filepath.Join(dir, "v2.ipynb"), "only those that were named")

	status, _, errs = use(course(t), "notebook", "-o", dir, "v1", "v3")
	require.Zero(t, status, "the same once more: %s", errs)

	require.NoError(t, os.WriteFile(file, append(first, '\n'), 0o644))
	status, _, errs = use(course(t), "notebook", "-o", dir, "v2", "v3")
	assert.Equal(t, 1, status)
	assert.Equal(t, "lesson notebook: "+file+" may hold your work, so nothing was written: choose another folder, or -force replaces it\n", errs)
	assert.NoFileExists(t, filepath.Join(dir, "v2.ipynb"), "all or nothing")
	status, _, errs = use(course(t), "notebook", "-force", "-o", dir, "v2", "v3")
	require.Zero(t, status, errs)
	again, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(first), string(again))

	require.NoError(t, os.WriteFile(file, []byte("notes"), 0o644))
	status, _, errs = use(course(t), "notebook", "-force", "-o", dir, "v3")
	assert.Equal(t, 1, status)
	assert.Contains(t, errs, "exists and is not a notebook")
}

func TestNotebookMistakes(t *testing.T) {
	for _, c := range []struct {
		why    string
		args   []string
		status int
		want   string
	}{
		{"no folder", []string{"notebook"}, 2, "say where to write the notebooks: -o DIR"},
		{"no such lesson", []string{"notebook", "-o", t.TempDir(), "v33"}, 2, `there is no lesson "v33"`},
		{"no repository", []string{"notebook", "-o", t.TempDir()}, 1, "is not inside the course"},
	} {
		t.Run(c.why, func(t *testing.T) {
			if c.status == 1 {
				t.Chdir(t.TempDir())
			}
			status, _, errs := use(course(t), c.args...)
			assert.Equal(t, c.status, status)
			assert.Contains(t, errs, c.want)
		})
	}
}
