package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the recorded figures")

// TestRecorded holds the figures that the page begins with, and shows without
// scripts, to what the program answers. Look at the drawings after an -update.
func TestRecorded(t *testing.T) {
	for _, f := range figures() {
		t.Run(f.name, func(t *testing.T) {
			a := query{Figure: f.name}.answer(figures())
			require.Empty(t, a.Wrong)
			drawing := a.Drawing
			a.Drawing = ""
			var rest bytes.Buffer
			to := json.NewEncoder(&rest)
			to.SetEscapeHTML(false)
			to.SetIndent("", "\t")
			require.NoError(t, to.Encode(a))
			for name, got := range map[string]string{f.name + ".svg": drawing, f.name + ".json": rest.String()} {
				file := filepath.Join("recorded", name)
				if *update {
					require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
				}
				want, err := os.ReadFile(file)
				require.NoError(t, err)
				assert.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), got, "%s: run with -update if the change is meant", file)
			}
		})
	}
}

// TestPage: the page shows every figure, in their order.
func TestPage(t *testing.T) {
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	from := 0
	for _, f := range figures() {
		at := strings.Index(string(text[from:]), "](recorded/"+f.name+".svg)")
		require.NotEqual(t, -1, at, "the figure %s is missing, or out of order", f.name)
		from += at
	}
}
