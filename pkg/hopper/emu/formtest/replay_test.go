package formtest

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/emu"
)

// verdict is what became of a micro-test: "" if the emulator gives what the
// GPU gave, else what is wrong.
func (m micro) verdict(r result, recorded bool, out []byte) string {
	switch {
	case !recorded:
		return "no GPU has run it: record again (see the package comment)"
	case r.Kernel != m.identity():
		return "it has changed since a GPU ran it: record again (see the package comment)"
	case m.stops && r.Error == "":
		return "the GPU did not stop"
	case m.stops:
		return ""
	case r.Error != "":
		return "the GPU stopped: " + r.Error
	case m.within != "":
		return m.compare(out, r.Out)
	case r.Digest == digest(out):
		return ""
	case r.Out != nil:
		return m.compare(out, r.Out)
	}
	return fmt.Sprintf("the output's digest is %s and a GPU's was %s: run both with -tags cuda to see where", digest(out), r.Digest)
}

// TestRecorded: the emulator gives, bit for bit, what an H200 gave for every
// micro-test; approximations are compared within the manual's bounds.
func TestRecorded(t *testing.T) {
	r, err := readRecording()
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("there is no recording of a GPU: make one with -tags cuda and -record testdata/" + recordingFile)
	}
	require.NoError(t, err)
	for i, p := range parts(catalogue()) {
		t.Run(fmt.Sprintf("%d %s", i, p[0].group), func(t *testing.T) {
			t.Parallel()
			outs, err := run(emu.New(emu.Config{Workers: 1}), p)
			require.NoError(t, err)
			for j, m := range p {
				recorded, ok := r.Tests[m.key()]
				problem := m.verdict(recorded, ok, outs[j])
				switch why := disagreements[m.name]; {
				case problem != "" && why == "":
					t.Errorf("%s: %s", m.name, problem)
				case problem == "" && why != "":
					t.Errorf("%s: it agrees: take it from the list of disagreements", m.name)
				}
			}
		})
	}
}

// disagreements is the micro-tests in which the emulator departs from an H200,
// and how.
var disagreements = map[string]string{
	"k_abs_f32_guarded":          signUnderGuard,
	"k_neg_f32_guarded":          signUnderGuard,
	"k_testp_finite_f32_guarded": testpUnderGuard,
	"k_testp_finite_f64_guarded": testpUnderGuard,
	"k_set_eq_f16_f16_guarded":   "`set` with a result in f16, under a guard: where the guard is off, an H200 was seen to turn what the destination held into an f16, as if it were an integer; the emulator leaves it alone",
}

const (
	signUnderGuard  = "`abs.f32` and `neg.f32` of a NaN, under a guard: an H200 changes the sign bit alone, and the emulator gives 0x7fffffff, as both do without a guard"
	testpUnderGuard = "`testp`, under a guard: an H200 writes the predicate in lanes, too, where the guard is off; the emulator leaves it alone"
)
