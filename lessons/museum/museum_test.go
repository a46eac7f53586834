package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/event"
)

// seeds is how many schedules each form runs under.
const seeds = 20

// TestFaulty: under every schedule the rule is broken, and one finding of it
// names every line that is marked with the exhibit.
func TestFaulty(t *testing.T) {
	for _, e := range exhibits() {
		t.Run(e.ID, func(t *testing.T) {
			t.Parallel()
			lines := blamed(t, e.ID)
			require.NotEmpty(t, lines)
			for seed := range int64(seeds) {
				o, err := e.run(false, seed)
				require.NoError(t, err)
				require.True(t, slices.ContainsFunc(o.findings, func(f event.Finding) bool {
					return f.Rule == e.Rule && namesAll(f, lines)
				}), "seed %d: no finding of %s names %v among:\n%v", seed, e.Rule, lines, o.findings)
			}
		})
	}
}

// TestRepaired: under the same schedules the twin has no findings and the right
// result.
func TestRepaired(t *testing.T) {
	for _, e := range exhibits() {
		t.Run(e.ID, func(t *testing.T) {
			t.Parallel()
			for seed := range int64(seeds) {
				o, err := e.run(true, seed)
				require.NoError(t, err)
				require.Empty(t, o.findings, "seed %d", seed)
				require.NoError(t, o.verdict().Err(), "seed %d", seed)
			}
		})
	}
}

func namesAll(f event.Finding, lines []string) bool {
	for _, l := range lines {
		if !slices.ContainsFunc(append([]event.Place{f.At}, f.Other...), func(p event.Place) bool {
			return strings.HasSuffix(p.Source, l)
		}) {
			return false
		}
	}
	return true
}

// blamed is the lines of the museum's kernels that end with a comment "blame
// ID", as the end of a source position.
func blamed(t *testing.T, id string) (lines []string) {
	sources, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, s := range sources {
		text, err := os.ReadFile(s)
		require.NoError(t, err)
		for i, l := range strings.Split(string(text), "\n") {
			if _, ids, ok := strings.Cut(l, "// blame "); ok && slices.Contains(strings.Split(ids, ", "), id) {
				lines = append(lines, fmt.Sprintf("/%s:%d", s, i+1))
			}
		}
	}
	return lines
}

// TestDump
func TestDump(t *testing.T) {
	for _, e := range exhibits() {
		for _, rep := range []bool{false} {
			count := map[string]int{}
			right := 0
			for seed := range int64(seeds) {
				o, err := e.run(rep, seed)
				require.NoError(t, err)
				seen := map[string]bool{}
				for _, f := range o.findings {
					k := f.Rule + " " + f.At.Source[strings.LastIndex(f.At.Source, "/")+1:]
					for _, p := range f.Other[:min(len(f.Other), 2)] {
						k += " " + p.Source[strings.LastIndex(p.Source, "/")+1:]
					}
					seen[k] = true
				}
				for k := range seen {
					count[k]++
				}
				if o.verdict().OK() {
					right++
				}
			}
			fmt.Println(e.ID, e.Rule, blamed(t, e.ID), "right", right)
			for k, n := range count {
				if strings.HasPrefix(k, e.Rule) || n == seeds {
					fmt.Println("      ", n, k)
				}
			}
		}
	}
	_ = bytes.Compare
	_ = assert.Equal
}
