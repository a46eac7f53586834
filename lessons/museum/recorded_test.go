package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite what the site shows of the museum, and docs/rules.md")

// recordings is where the site finds what the museum prints.
const recordings = "../../site/recorded/museum"

// mostOfDiff is the most lines that a difference of PTX may have to be worth a
// look: in a longer one registers have changed their numbers.
const mostOfDiff = 40

// golden compares a text with a file, or rewrites the file.
func golden(t *testing.T, file, got string) {
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "go test ./lessons/museum -update makes it")
	assert.Empty(t, udiff.Unified("recorded", "now", string(want), got), "%s: run with -update if the change is meant", file)
}

// transcript is a command and what it prints.
func transcript(t *testing.T, args ...string) string {
	var out, complaint bytes.Buffer
	require.Zero(t, visit(args, &out, &complaint), "%v: %s", args, complaint.String())
	return "$ go run ./lessons/museum " + strings.Join(args, " ") + "\n" + out.String()
}

// TestRecorded holds what the site shows of an exhibit to what the program
// prints, and the PTX of its two forms to their difference.
func TestRecorded(t *testing.T) {
	for _, e := range exhibits() {
		t.Run(e.ID, func(t *testing.T) {
			faulty, repaired := transcript(t, e.ID), transcript(t, e.ID, "-repaired")
			golden(t, filepath.Join(recordings, e.ID+".txt"), faulty+"\n"+repaired)

			diff := ptxDiff(t, e)
			file := filepath.Join(recordings, e.ID+".diff")
			if lines := strings.Count(diff, "\n"); lines > 0 && lines <= mostOfDiff {
				golden(t, file, diff)
				return
			}
			if *update {
				require.NoError(t, os.RemoveAll(file))
			}
			assert.NoFileExists(t, file, "the difference is too long for a page, or there is none")
		})
	}
}

// ptxDiff compares the PTX of the two forms, but for the lines of the source
// that they name.
func ptxDiff(t *testing.T, e Exhibit) string {
	text := func(repaired bool) string {
		p, err := e.program(repaired)
		require.NoError(t, err)
		var kept []string
		for _, line := range strings.SplitAfter(p.text, "\n") {
			if !strings.HasPrefix(strings.TrimSpace(line), ".loc ") {
				kept = append(kept, line)
			}
		}
		return strings.Join(kept, "")
	}
	return udiff.Unified("faulty", "repaired", text(false), text(true))
}
