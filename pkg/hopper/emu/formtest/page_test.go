package formtest

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/emu"
)

var update = flag.Bool("update", false, "rewrite docs/validation.md")

// row is a line of the emulator's table and how it was validated.
type row struct {
	line    string
	forms   map[string]bool // that have a micro-test
	tests   int
	cases   int
	bounded bool // approximations
	departs []string
	kernels map[string]bool
}

// cases is on how many operands a micro-test runs its instruction.
func (m micro) cases() int {
	return m.launch.Grid[0] * m.launch.Block[0]
}

// rows joins the emulator's table, the micro-tests with what a GPU said of
// them, and the full kernels.
func rows(tests []micro, full map[string][]string) []row {
	byOpcode := map[string][]micro{}
	for _, m := range tests {
		var ops []string
		for _, f := range m.forms {
			if op, _, _ := strings.Cut(f, "."); !slices.Contains(ops, op) {
				ops = append(ops, op)
				byOpcode[op] = append(byOpcode[op], m)
			}
		}
	}
	var all []row
	for _, line := range emu.Forms() {
		x := row{line: line, forms: map[string]bool{}, kernels: map[string]bool{}}
		op, _, _ := strings.Cut(line, " ")
		for _, m := range byOpcode[op] {
			if x.counts(m) {
				x.tests++
				x.cases += m.cases()
				x.bounded = x.bounded || m.within != ""
				if disagreements[m.name] != "" {
					x.departs = append(x.departs, m.name)
				}
			}
		}
		for f, programs := range full {
			if matchesAnyOrder(line, shapeless(f)) {
				for _, p := range programs {
					x.kernels[p] = true
				}
			}
		}
		all = append(all, x)
	}
	return all
}

// counts notes the forms of the row's line that a micro-test has.
func (x *row) counts(m micro) (hit bool) {
	for _, f := range m.forms {
		if x.forms[f] || matches(x.line, shapeless(f)) {
			x.forms[f], hit = true, true
		}
	}
	return hit
}

// matchesAnyOrder is matches for compilers, which put modifiers in any order.
func matchesAnyOrder(line, name string) bool {
	op, mods, _ := strings.Cut(line, " ")
	parts := strings.Split(name, ".")
	if parts[0] != op {
		return false
	}
	rest := slices.Clone(parts[1:])
	for word := range strings.FieldsSeq(mods) {
		choice, optional := strings.CutPrefix(word, "?")
		alternatives := strings.Split(choice, "|")
		at := slices.IndexFunc(rest, func(m string) bool { return slices.Contains(alternatives, m) })
		switch {
		case at >= 0:
			rest = slices.Delete(rest, at, at+1)
		case !optional:
			return false
		}
	}
	return len(rest) == 0
}

// verdict is the cell that says how the two machines compare.
func (x row) verdict() string {
	switch {
	case withoutTest[x.line] != "":
		return "no test"
	case x.tests == 0:
		return "not yet"
	case len(x.departs) > 0:
		return fmt.Sprintf("%d of %d differ", len(x.departs), x.tests)
	case x.bounded:
		return "in bounds"
	}
	return "equal"
}

// used is the cells of the full kernels: the lessons by name, the files of
// nvcc by number.
func (x row) used() (in, compiled string) {
	n := 0
	var names []string
	for _, k := range slices.Sorted(maps.Keys(x.kernels)) {
		if len(k) == 2 && k[0] == 'v' {
			names = append(names, k)
		} else {
			n++
		}
	}
	if n > 0 {
		compiled = fmt.Sprint(n)
	}
	if last := len(names) - 1; last > 1 && int(names[last][1]-names[0][1]) == last {
		return names[0] + "\u2013" + names[last], compiled
	}
	return strings.Join(names, "\u00a0"), compiled
}

// thousands writes a number with spaces between groups of three digits.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u00a0" + s[i:]
	}
	return s
}

func TestPage(t *testing.T) {
	r, err := readRecording()
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("there is no recording of a GPU: make one with -tags cuda and -record testdata/" + recordingFile)
	}
	require.NoError(t, err)
	file := filepath.Join(root, "docs", "validation.md")
	want := page(t, r)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
	}
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, want, string(got), "docs/validation.md is out of date: go test ./pkg/hopper/emu/formtest -run TestPage -update, and read the difference")
}

// page is docs/validation.md.
func page(t *testing.T, r recording) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	var tests []micro
	for _, m := range catalogue() {
		if _, ok := r.Tests[m.key()]; ok {
			tests = append(tests, m)
		}
	}
	all := rows(tests, fullKernels(t))
	forms := map[string]bool{}
	inKernels, exact, bounded, stops, cases := 0, 0, 0, 0, 0
	for _, m := range tests {
		if disagreements[m.name] != "" {
			continue
		}
		switch {
		case m.stops:
			stops++
		case m.within != "":
			bounded++
		default:
			exact++
		}
		cases += m.cases()
	}
	untested := 0
	for _, x := range all {
		maps.Copy(forms, x.forms)
		if len(x.kernels) > 0 {
			inKernels++
		}
		if x.tests == 0 {
			untested++
		}
	}
	say(`# How each instruction was validated

<!-- Generated: go test ./pkg/hopper/emu/formtest -run TestPage -update -->

The emulator has %d lines of instruction forms; each line stands for the forms that its choices make. This page says of
each how far it can be trusted. Three things are told apart.

- **Specification.** Every form was written from the PTX ISA. The tables name its section.
- **Micro-test.** A kernel around the form ran on an H200 and its output was recorded. The emulator runs the same PTX on
  the same operands, in every run of `+"`go test`"+`, and must give the same bits. Operands are special values, crossed, and
  random ones that a seed fixes.
- **Full kernel.** A lesson, or a kernel of the tests that nvcc compiled, has the form, and its result was verified
  on both machines.

`, len(all))
	say(`| | |
|---|---:|
| lines of the emulator's table | %d |
| of these with a micro-test | %d |
| in a full kernel | %d |
| distinct forms with a micro-test | %s |
| micro-tests that agree bit for bit | %s |
| approximations within the manual's bounds | %d |
| kernels at which the GPU stops and the emulator says why | %d |
| micro-tests that disagree | %d |
| cases in all | %s |

%s, driver %s, CUDA %s; %s.

`, len(all), len(all)-untested, inKernels, thousands(len(forms)), thousands(exact), bounded, stops, len(disagreements), thousands(cases), r.GPU, r.Driver, r.CUDA, r.Date)
	say(`## What a micro-test shows, and what not

A form's arithmetic, its addresses and its layouts are compared on some hundred operands: not on all. Matrix products
have operands whose sums are exact, so layout, transposition, scale and sign are tested; the order of a sum and its last
bits are another matter, of which [emulator.md](emulator.md) tells. Approximations such as `+"`ex2.approx`"+` are compared within
the error that the manual allows, and one rounding, or to 20 bits where it gives no bound; their last bits are not the hardware's. Clocks are only tested to go
forward. Orderings, scopes and hints change no result of a correct kernel: a micro-test shows that the card takes them,
no more. The first form of each line of scalar instructions ran under a guard as well, with half of the lanes off.

Of a line that stands for more than %d forms, so many are tested that every two alternatives of different words meet in
one. ptxas refuses %s forms that the lines describe, most of them conversions with a modifier that does not apply; they
have no test.

`, mostExpansions, thousands(len(refusals())))
	say("## What is not validated on a card\n\n")
	for _, k := range slices.Sorted(maps.Keys(withoutTest)) {
		line, word, _ := strings.Cut(k, ": ")
		text := "`" + strings.TrimSpace(shown(line)) + "`"
		if word != "" {
			text += ", ." + word
		}
		say("- %s: %s.\n", text, withoutTest[k])
	}
	say("\nThe result of `prefetch` was overwritten in the recording by another of its name. What stands there is the emulator's; the card's own log names no disagreement in either.\n")
	say("\nIn %d micro-tests the two machines disagree:\n\n", len(disagreements))
	for _, how := range slices.Compact(slices.Sorted(maps.Values(disagreements))) {
		say("- %s.\n", how)
	}
	say("\nThe emulator does not have these. It refuses them when a module is loaded:\n\n")
	for _, a := range absent {
		say("- %s: %s.\n", a.what, a.why)
	}
	say("\n## The tables\n\nEach line has how many of its forms have a micro-test, on how many operands these ran, how the two machines compare, which lessons have such a form, and how many of the files that nvcc compiled. A form stands as in the manual: braces make a word optional, a stroke separates alternatives, and the spaces in a long one are none of PTX's. These alternatives have a name:\n\n")
	for _, c := range shorthands {
		say("- `.%s`: `.%s`\n", c.name, strings.ReplaceAll(c.words, "|", "`, `."))
	}
	taken := make([]bool, len(all))
	for _, s := range sections {
		say("\n## %s\n\nPTX ISA 9.0, %s.\n\n| form | forms | cases | H200 | lessons | nvcc |\n|---|---:|---:|---|---|---:|\n", s.title, s.isa)
		for i, x := range all {
			op, mods, _ := strings.Cut(x.line, " ")
			if taken[i] || !s.has(op, mods) {
				continue
			}
			taken[i] = true
			lessons, compiled := x.used()
			say("| `%s` | %d | %s | %s | %s | %s |\n", strings.TrimSpace(shown(x.line)), len(x.forms), thousands(x.cases), x.verdict(), lessons, compiled)
		}
	}
	var registers []string
	for _, m := range tests {
		for _, f := range m.forms {
			if f[0] == '%' && !slices.Contains(registers, f) {
				registers = append(registers, f)
			}
		}
	}
	say("\n## Special registers\n\nPTX ISA 9.0, 10. Their values in a launch of 4 CTAs and in clusters of 4 were equal; clocks go forward: `%s`.\n", strings.Join(registers, "`, `"))
	return b.String()
}
