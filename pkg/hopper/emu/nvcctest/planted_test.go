package nvcctest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/sanitize"
)

// How many schedules a planted kernel and its twin run under: in the build with
// line information, and in the others and in a short test.
const plantedSeeds, fewSeeds = 20, 5

func schedules(t *testing.T) int64 {
	if testing.Short() || !strings.Contains(t.Name(), ".lineinfo.ptx") {
		return fewSeeds
	}
	return plantedSeeds
}

// inRegisters reports whether a rule is about registers that wgmma holds a
// matrix in. A build for a debugger has none: between any two lines it keeps
// everything in memory.
func inRegisters(rule string) bool {
	return rule == sanitize.WgmmaFence || rule == sanitize.Accumulator
}

// A mistake is a pair of kernels, NAME_wrong and NAME_right, of a file of
// planted ones. The wrong one breaks the rule under every schedule, and one
// finding of it names the lines with these comments; the right one has no
// finding and the right result.
type mistake struct {
	file, name string
	rule       string
	lines      []string // of the finding's places, At first; "" is any, where it depends on the schedule
	// run launches the kernel of a name and returns a check of its result.
	run func(r rig, launch launcher) (check func())
}

func mistakes() []mistake {
	self := func(i int) int { return i }
	return []mistake{
		{"planted_async", "stored_operands", sanitize.ProxyFence, []string{"reads what was stored", "an ordinary store of an operand"}, storedOperands},
		{"planted_async", "release", sanitize.ReleasedEarly, []string{"fills the stage again", "may read", "gives the stage back"}, releasedStages},
		{"planted_async", "one_buffer", sanitize.StoreInFlight, []string{"over what the last store may read", "reads the buffer"}, boxesOut},
		{"planted_async", "neighbour", sanitize.PeerExit, []string{"the neighbour may be gone", "the CTA ends"}, neighbour},
		{"planted_async", "parity", sanitize.StalePhase, []string{"", "the wrong parity", "brings the next box"}, rowSums},
		{"planted_async", "own_copies", sanitize.WaitThread, []string{"read by another", "a copy of one thread"}, ownCopies},
		{"planted_async", "total", sanitize.Race, []string{"a part that may not be there", "one of the parts"}, total},
		{"planted_libcu", "arrive_only", sanitize.MissingWait, []string{"the box may not have come", "brings the box"}, nextBox},
		{"planted_barrier", "early_use", sanitize.MbarrierInit, []string{"used by all", "initialised by one"}, numbers(grid(1, 1, 128), 0, self)},
		{"planted_barrier", "expect_only", sanitize.MbarrierCount, []string{"no arrival", "one arrival"}, nextBox},
		{"planted_barrier", "next_load", sanitize.StageReuse, []string{"the next box", "still read"}, columnSums},
		{"planted_barrier", "two_buffers", sanitize.WaitCount, []string{"the buffer of the store before the last", "reads one of two", "one group too many"}, boxesOut},
		{"planted_barrier", "lapped", sanitize.Lapped, []string{"may come too late", "rings again"}, numbers(grid(1, 1, 128), 5, func(i int) int { return 5 * min(i/32, 1) })},
		{"planted_barrier", "one_barrier", sanitize.NamedBarrier, []string{"for all"}, numbers(grid(1, 1, 256), 3, func(int) int { return 3 })},
		{"planted_barrier", "registers", sanitize.RegisterPool, []string{"asks for too many", "gives too few"}, numbers(grid(1, 1, 384), 0, self)},
		{"planted_barrier", "early_peer", sanitize.PeerStart, []string{"into another CTA", "starts at any time"}, numbers(clusters(2, 32, 2), 0, func(i int) int { return 1 - i/32 })},
		{"planted_product", "bare", sanitize.WgmmaFence, []string{"the product", "an ordinary write"}, oneProduct},
		{"planted_product", "early_result", sanitize.Accumulator, []string{"reads the registers", "still writes"}, oneProduct},
		{"planted_product", "modes", sanitize.Swizzle, []string{"without", "with the swizzle"}, oneProduct},
		{"planted_product", "own_wait", sanitize.WaitWarpgroup, []string{"over an operand", "of the other"}, twoProducts},
		{"planted_product", "overlap", sanitize.Overlap, []string{"over the barrier", "inside a tile"}, oneProduct},
	}
}

// TestMistakes: the sanitizer names the rule in every build, and the lines in
// those that have them.
func TestMistakes(t *testing.T) {
	for _, m := range mistakes() {
		t.Run(m.name, func(t *testing.T) {
			eachBuild(t, m.file, func(t *testing.T, text string) {
				t.Parallel()
				if strings.HasSuffix(t.Name(), ".debug.ptx") && inRegisters(m.rule) {
					t.Skip("a build for a debugger keeps accumulators in memory")
				}
				lines := strings.Contains(text, "\t.loc\t")
				for seed := range schedules(t) {
					found := m.findings(t, text, seed)
					require.True(t, slices.ContainsFunc(found, func(f event.Finding) bool {
						return f.Rule == m.rule && (!lines || m.names(t, f))
					}), "seed %d: no finding of %s at %q among:\n%v", seed, m.rule, m.lines, found)
				}
			})
		})
	}
}

// TestMistakesOnPage: the page about one's own PTX lists them.
func TestMistakesOnPage(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/your-own-ptx.md")
	require.NoError(t, err)
	for _, m := range mistakes() {
		require.Regexp(t, fmt.Sprintf("(?m)^\\| `%s` \\| .+ \\| \\[%s\\]\\(rules.md#%[2]s\\) \\|$", m.name, m.rule), string(page))
	}
	require.Contains(t, string(page), fmt.Sprintf("under %d seeds", plantedSeeds))
	require.Contains(t, string(page), fmt.Sprintf("under %d seeds", fewSeeds))
}

// TestMistakesRepaired: the twins, which a GPU runs too where there is one.
func TestMistakesRepaired(t *testing.T) {
	for _, m := range mistakes() {
		t.Run(m.name, func(t *testing.T) {
			eachBuild(t, m.file, func(t *testing.T, text string) {
				right := func(r rig) {
					m.run(r, func(l device.Launch, args ...device.Arg) { r.run(m.name+"_right", l, args...) })()
				}
				onGPU(t, text, right)
				for seed := range schedules(t) {
					onEmulator(t, text, emu.Config{Seed: seed}, right)
				}
			})
		})
	}
}

// findings runs the wrong kernel, with one worker: CTAs that race would make
// several race too.
func (m mistake) findings(t *testing.T, text string, seed int64) (found []event.Finding) {
	onEmulator(t, text, emu.Config{Seed: seed, Workers: 1}, func(r rig) {
		m.run(r, func(l device.Launch, args ...device.Arg) {
			k, err := r.Kernel(m.name + "_wrong")
			require.NoError(t, err)
			require.NoError(t, k.Launch(l, args...))
		})
		found = r.Device.(device.Observer).Findings()
	})
	return found
}

// names reports whether the places of a finding come from the mistake's lines,
// At from the first.
func (m mistake) names(t *testing.T, f event.Finding) bool {
	for i, text := range m.lines {
		if text == "" {
			continue
		}
		at := line(t, m.file+".cu", "planted: "+text)
		if i == 0 && !from(f.At, at) || !slices.ContainsFunc(append([]event.Place{f.At}, f.Other...), func(p event.Place) bool { return from(p, at) }) {
			return false
		}
	}
	return true
}

// from reports whether a place comes from a line, itself or through calls.
func from(p event.Place, line string) bool {
	return p.Source == line || slices.Contains(p.Calls, line)
}
