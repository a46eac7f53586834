package formtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/emu"
)

// withoutTest is the forms that have no micro-test, and why. A key is a line
// of the emulator's table, or such a line with one word of it behind a colon.
var withoutTest = map[string]string{
	"brkpt ":                                 "a GPU waits for a debugger there",
	"prefetch ?const|param tensormap: const": "no host interface puts a tensor map into constant memory",
}

// shapeless takes the shape out of a wgmma.mma_async, as the emulator's table
// has it.
func shapeless(form string) string {
	parts := strings.Split(form, ".")
	if parts[0] == "wgmma" && len(parts) > 4 {
		parts = slices.Delete(parts, 4, 5)
	}
	return strings.Join(parts, ".")
}

// qualifiers order accesses and give hints. They change no result, so that a
// test with any operation of the opcode counts for all.
var qualifiers = strings.Fields(`weak relaxed acquire release acq_rel cta cluster gpu sys L2::cache_hint
	L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate L2::64B L2::128B L2::256B`)

// accesses move data as their plain forms do, which the tests take through all
// types, vectors and state spaces: every word has to be somewhere.
var accesses = []string{"ld", "st"}

// TestRealKernels: every form that the compilers made of public Hopper kernels
// has a micro-test of its own.
func TestRealKernels(t *testing.T) {
	forms := map[string]bool{}
	for _, m := range catalogue() {
		for _, f := range m.forms {
			forms[f] = true
		}
	}
	list, err := os.ReadFile(filepath.Join("..", "nvcctest", "testdata", "forms.txt"))
	require.NoError(t, err)
	count := 0
	for line := range strings.Lines(string(list)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		form, _, _ := strings.Cut(strings.TrimSuffix(line, ";"), " ")
		assert.True(t, forms[form], "no micro-test for %s", form)
		count++
	}
	assert.Equal(t, 218, count, "the list has lost lines")
}

// TestCoverage: every line of the emulator's table has a micro-test, and every
// word of the line is in one of them.
func TestCoverage(t *testing.T) {
	forms, words := map[string]bool{}, map[string]bool{}
	for _, m := range catalogue() {
		for _, f := range m.forms {
			forms[shapeless(f)] = true
			op, mods, _ := strings.Cut(f, ".")
			for word := range strings.SplitSeq(mods, ".") {
				words[op+" "+word] = true
			}
		}
	}
	for _, line := range emu.Forms() {
		if withoutTest[line] != "" {
			continue
		}
		var matching []string
		op, mods, _ := strings.Cut(line, " ")
		for f := range forms {
			if strings.HasPrefix(f, op) && matches(line, f) {
				matching = append(matching, f)
			}
		}
		if !assert.NotEmpty(t, matching, "no micro-test for %s", line) {
			continue
		}
		for _, alternatives := range choices(mods) {
			for _, word := range alternatives {
				covered := word == "" || withoutTest[line+": "+word] != "" || (slices.Contains(qualifiers, word) || slices.Contains(accesses, op)) && words[op+" "+word] || slices.ContainsFunc(matching, func(f string) bool {
					return slices.Contains(strings.Split(f, ".")[1:], word)
				})
				assert.True(t, covered, "no micro-test for .%s in %q", word, line)
			}
		}
	}
}

// TestKeys: no two micro-tests share their place in a recording.
func TestKeys(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range catalogue() {
		assert.False(t, seen[m.key()], "two micro-tests are %q", m.key())
		seen[m.key()] = true
	}
}

// TestRefusals: what ptxas is said to refuse is described by a line.
func TestRefusals(t *testing.T) {
	described := map[string]bool{}
	for _, line := range emu.Forms() {
		op, mods, _ := strings.Cut(line, " ")
		for _, in := range expand(mods) {
			described[dotted(op, in)] = true
		}
	}
	for name := range refusals() {
		assert.True(t, described[name], "testdata/refused.txt has %s, which no line of the emulator's table describes", name)
	}
}
