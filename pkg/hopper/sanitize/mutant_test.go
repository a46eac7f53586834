package sanitize_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
	"gohopper/pkg/hopper/sanitize/check"
)

// A mutant is a small kernel in two forms: as it should be, and with one
// mistake. The right form must leave no finding under any schedule; the wrong
// one must be reported under every schedule, and the report must name the two
// lines that are marked in the source, "// at NAME" and "// other NAME".
type mutant struct {
	name  string
	rules []string // one of them reports it
	// record writes the kernel; wrong asks for the mistake.
	record func(k *hopper.Kernel, wrong bool)
	// edit makes the mistake in the text instead, where the words refuse it.
	edit    func(text string) string
	threads int
	cluster int
	grid    int
	plain   bool // the maps of the wrong form do not swizzle
	noOther bool // the finding has one place
}

// schedules is how many seeds each form runs under.
const schedules = 20

// The maps that every mutant may use: "in" and "out" are 256 x 256 elements of
// f16, in boxes of 64 x 64.
const (
	side = 256
	box  = 64
)

// slack is shared memory beyond what a mutant declares.
const slack = 1024

func (m mutant) check(t *testing.T, wrong bool) check.Kernel {
	k := hopper.New("mutant", hopper.Threads(max(m.threads, 128)), hopper.Cluster(max(m.cluster, 1)))
	m.record(k, wrong)
	mod, err := k.Module()
	require.NoError(t, err)
	text := ptx.Print(mod)
	if wrong && m.edit != nil {
		edited := m.edit(text)
		require.NotEqual(t, text, edited, "the mistake must change the text")
		text = edited
	}
	maps := strings.Count(text, ".param .align 64")
	swizzle := device.Swizzle128B
	if wrong && m.plain {
		swizzle = device.SwizzleNone
	}
	return check.Kernel{
		Text: text, Entry: "mutant",
		Launch: device.Launch{
			Grid: [3]int{max(m.grid, m.cluster, 1), 1, 1}, Block: [3]int{k.ThreadsPerCTA(), 1, 1}, Shared: k.SharedBytes() + slack,
		},
		Args: func(d device.Device) (args []device.Arg, err error) {
			for range maps {
				p, err := d.Alloc(2 * side * side)
				if err != nil {
					return nil, err
				}
				if err := d.Fill(p, 0x11, 2*side*side); err != nil {
					return nil, err
				}
				enc, err := d.EncodeTiled(device.TensorMap{
					Type: device.MapF16, Address: p, Dims: []uint64{side, side}, Strides: []uint64{2 * side},
					Box: []uint32{box, box}, Swizzle: swizzle,
				})
				if err != nil {
					return nil, err
				}
				args = append(args, device.Map(enc))
			}
			return args, nil
		},
	}
}

func TestMutants(t *testing.T) {
	for _, m := range mutants() {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			right, wrong := m.check(t, false), m.check(t, true)
			at, other := marks(t, "at "+m.name), marks(t, "other "+m.name)
			for seed := range int64(schedules) {
				found, err := right.Run(seed)
				require.NoError(t, err)
				require.Empty(t, found, "seed %d: the right form is accused:\n%v", seed, found)

				found, err = wrong.Run(seed)
				require.NoError(t, err)
				hit := slices.IndexFunc(found, func(f event.Finding) bool {
					return slices.Contains(m.rules, f.Rule) && names(f, at) && (m.noOther || names(f, other))
				})
				require.NotEqual(t, -1, hit, "seed %d: no finding of %v at %v and %v among:\n%v", seed, m.rules, at, other, found)
				f := found[hit]
				assert.NotEmpty(t, f.Message)
				assert.True(t, f.Advice != "" || f.Rule == "stuck")
				if seed == 0 && testing.Verbose() {
					t.Log("\n" + f.String())
				}
			}
		})
	}
}

// names reports whether one of the places of a finding is on one of the lines.
func names(f event.Finding, lines []string) bool {
	for _, p := range append([]event.Place{f.At}, f.Other...) {
		for _, l := range lines {
			if strings.HasSuffix(p.Source, l) {
				return true
			}
		}
	}
	return false
}

// marks is the lines of this package's tests that end with a comment.
func marks(t *testing.T, mark string) (lines []string) {
	_, file, _, _ := runtime.Caller(0)
	files, err := filepath.Glob(filepath.Join(filepath.Dir(file), "mutant*_test.go"))
	require.NoError(t, err)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for i, l := range strings.Split(string(text), "\n") {
			if _, comment, ok := strings.Cut(l, "// "); ok && slices.Contains(strings.Split(comment, ", "), mark) {
				lines = append(lines, fmt.Sprintf("%s:%d", filepath.Base(f), i+1))
			}
		}
	}
	return lines
}
