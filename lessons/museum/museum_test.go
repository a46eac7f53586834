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
	"gohopper/pkg/hopper/sanitize"
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
// result. Exhibits of one kernel have one twin.
func TestRepaired(t *testing.T) {
	twins := map[string]bool{}
	for _, e := range exhibits() {
		p, err := e.program(true)
		require.NoError(t, err)
		if twins[p.text] {
			continue
		}
		twins[p.text] = true
		t.Run(p.entry, func(t *testing.T) {
			t.Parallel()
			for seed := range int64(seeds) {
				o, err := e.run(true, seed)
				require.NoError(t, err)
				require.Empty(t, o.findings, "seed %d", seed)
				require.NoError(t, o.verdict().Err(), "seed %d", seed)
			}
		})
	}
	require.Len(t, twins, 3, "the museum has three kernels")
}

// TestEitherEndSuffices: what the page of b10 claims. The drain alone keeps a
// CTA until its peer is done with it; so does the barrier alone.
func TestEitherEndSuffices(t *testing.T) {
	for name, f := range map[string]Fault{"drain only": NoLastBarrier, "barrier only": NoDrain} {
		t.Run(name, func(t *testing.T) {
			e := Exhibit{Base: ringBase(), Fault: f}
			for seed := range int64(seeds) {
				o, err := e.run(false, seed)
				require.NoError(t, err)
				require.Empty(t, o.findings, "seed %d", seed)
				require.NoError(t, o.verdict().Err(), "seed %d", seed)
			}
		})
	}
}

// TestHalfRepaired: a run that is neither the mistake nor its repair is told
// apart from both.
func TestHalfRepaired(t *testing.T) {
	for _, c := range []struct {
		why      string
		fault    Fault
		repaired bool
		want     string // in the error; "" for none
		prints   string
	}{
		{"the mistake", NoStoreFence, false, "", "Task: t"},
		{"another mistake", NoStoreWait, false, "no finding of proxy-fence any more", "[store-in-flight]"},
		{"a repair", None, false, "", "has been repaired"},
		{"the twin", NoStoreFence, true, "", "No findings."},
	} {
		t.Run(c.why, func(t *testing.T) {
			var out bytes.Buffer
			err := Exhibit{Task: "t", Rule: sanitize.ProxyFence, Base: ringBase(), Fault: c.fault}.show(c.repaired, 1, &out)
			if c.want == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, c.want)
			}
			assert.Contains(t, out.String(), c.prints)
		})
	}
}

// namesAll reports whether the places of a finding are on all these lines.
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

// TestExhibits: each has its own name, fault and page, and the page gives the
// addresses and the rule.
func TestExhibits(t *testing.T) {
	ids, faults := map[string]bool{}, map[Fault]bool{None: true}
	for _, e := range exhibits() {
		assert.False(t, ids[e.ID], "%s is there twice", e.ID)
		assert.False(t, faults[e.Fault], "the fault of %s is not its own", e.ID)
		ids[e.ID], faults[e.Fault] = true, true
		assert.NotEmpty(t, e.Task, e.ID)
		assert.Less(t, len(e.Title), 57, "%s: the title is one short line", e.ID)
		require.NotEmpty(t, e.Seen, e.ID)

		page, err := os.ReadFile(e.ID + ".md")
		require.NoError(t, err)
		assert.Contains(t, string(page), "`"+e.Rule+"`", "%s.md names the rule", e.ID)
		for _, address := range e.Seen {
			assert.Contains(t, string(page), "("+address+")", "%s.md gives the address", e.ID)
		}
		entrance, err := os.ReadFile("lesson.md")
		require.NoError(t, err)
		assert.Contains(t, string(entrance), "("+e.ID+".md)", "the entrance leads to %s", e.ID)
	}
}

// TestFaultChangesTheKernel: the two forms differ, in the text or in the launch.
func TestFaultChangesTheKernel(t *testing.T) {
	for _, e := range exhibits() {
		if e.Fault == PlainMap {
			continue // differs in the tensor map
		}
		faulty, err := e.program(false)
		require.NoError(t, err)
		repaired, err := e.program(true)
		require.NoError(t, err)
		assert.NotEqual(t, repaired.text, faulty.text, e.ID)
	}
}

func TestVisit(t *testing.T) {
	for _, c := range []struct {
		why    string
		args   []string
		status int
		want   string // on stdout for status 0, else on stderr
	}{
		{"the list", nil, 0, "b20  a barrier inside a tile"},
		{"a faulty kernel", []string{"b5"}, 0, "[wait-warpgroup]"},
		{"flags before the name", []string{"-seed", "3", "B05"}, 0, "faulty, seed 3"},
		{"a repaired one", []string{"b05", "-repaired"}, 0, "No findings."},
		{"its text", []string{"b05", "-ptx"}, 0, ".visible .entry museum_chain("},
		{"no such exhibit", []string{"b21"}, 2, `there is no exhibit "b21"`},
		{"no exhibit at all", []string{"c1"}, 2, `there is no exhibit "c1"`},
		{"two exhibits", []string{"b1", "b2"}, 2, `"b2" is too much`},
		{"flags for none", []string{"-repaired"}, 2, "name it first"},
		{"a negative seed", []string{"b1", "-seed", "-1"}, 2, "a seed is 0 or more"},
		{"no such flag", []string{"b1", "-fast"}, 2, "-fast"},
	} {
		t.Run(c.why, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			assert.Equal(t, c.status, visit(c.args, &stdout, &stderr), stderr.String())
			if c.status == 0 {
				assert.Contains(t, stdout.String(), c.want)
				assert.Empty(t, stderr.String())
			} else {
				assert.Contains(t, stderr.String(), c.want)
				assert.Empty(t, stdout.String())
			}
		})
	}
}
