package nvcctest

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
	"gohopper/pkg/hopper/event"
)

// finding launches a kernel that is wrong and returns the machine's one finding;
// the sanitizer may add what it makes of it.
func (r rig) finding(kernel string, l device.Launch, args ...device.Arg) event.Finding {
	r.Helper()
	k, err := r.Kernel(kernel)
	require.NoError(r, err)
	require.NoError(r, k.Launch(l, args...), kernel)
	found := slices.DeleteFunc(r.Device.(device.Observer).Findings(), func(f event.Finding) bool { return f.Page != "" })
	require.Len(r, found, 1)
	return found[0]
}

// planted runs a test with each build of planted.cu on the emulator: only it
// explains what went wrong.
func planted(t *testing.T, test func(r rig)) {
	eachBuild(t, "planted", func(t *testing.T, text string) { emulated(t, text, test) })
}

// named reports whether this build says where its instructions come from.
func (r rig) named() bool { return !strings.Contains(r.Name(), "/planted.ptx/") }

// blamed is where a place comes from in planted.cu: its line, or that of the
// outermost call that leads there.
func blamed(p event.Place) string {
	all := append([]string{p.Source}, p.Calls...)
	return all[len(all)-1]
}

func TestStorePastTheEnd(t *testing.T) {
	planted(t, func(r rig) {
		const n = 40
		f := r.finding("past_the_end", grid(2, 1, 32), device.Pointer(r.blank(4*n)), device.Int32(n))
		assert.Equal(r, "out-of-bounds", f.Rule)
		assert.Equal(r, event.Error, f.Severity)
		assert.Equal(r, [3]int{1, 0, 0}, f.At.CTA)
		assert.EqualValues(r, 1<<8, f.At.Lanes, "thread 8 of CTA 1")
		if r.named() {
			assert.Equal(r, line(r.T, "planted.cu", "planted: i may be n"), blamed(f.At))
		} else {
			assert.Empty(r, f.At.Source)
			assert.NotZero(r, f.At.Pos.Line)
		}
	})
}

func TestWrongByteCount(t *testing.T) {
	planted(t, func(r rig) {
		in := r.put(ramp(boxRows, boxCols))
		m := r.tensorMap(device.MapF32, in, boxRows, boxCols, boxRows, boxCols, device.SwizzleNone)
		f := r.finding("wrong_bytes", grid(1, 1, 32), m, device.Pointer(r.blank(4*32)))
		assert.Equal(r, "stuck", f.Rule)
		assert.Equal(r, event.Stuck, f.Severity)
		details := strings.Join(f.Details, "\n")
		assert.Contains(r, details, "1024 bytes are missing, no arrival", "half of what was expected")
		assert.Contains(r, f.At.Text, "mbarrier.try_wait")
		if !r.named() {
			return
		}
		// The finding is at the wait; the facts name the arrival with the count.
		assert.Equal(r, line(r.T, "planted.cu", "planted: this waits"), blamed(f.At))
		assert.Contains(r, details, "the last arrival was at hopper.cuh:")
		assert.Contains(r, details, "called at "+line(r.T, "planted.cu", "planted: twice the box")+" (ptx line ")
	})
}

func TestAssertion(t *testing.T) {
	planted(t, func(r rig) {
		f := r.finding("asserts", grid(1, 1, 32), device.Pointer(r.blank(4*32)))
		assert.Equal(r, "assert", f.Rule)
		assert.EqualValues(r, 1<<5, f.At.Lanes)
		at := line(r.T, "planted.cu", "planted: one thread fails")
		assert.Contains(r, f.Message, "the assertion threadIdx.x != 5 failed at "+at)
		if r.named() {
			assert.Equal(r, at, blamed(f.At))
		}
	})
}

// What the emulator cannot run is refused when it is asked for, with its line
// in the PTX and in the source and with advice; the kernel beside it can run.
func TestRefusedInstruction(t *testing.T) {
	eachBuild(t, "refused", func(t *testing.T, text string) {
		mod, err := emu.New(emu.Config{}).Load(text)
		require.NoError(t, err)
		_, err = mod.Kernel("fine")
		require.NoError(t, err)
		_, err = mod.Kernel("texture")
		require.Error(t, err)
		assert.Regexp(t, `^ptx:\d+:\d+\b`, err.Error())
		assert.Contains(t, err.Error(), "the emulator does not know tex.1d.v4.f32.s32; it has no texture unit: read and write through pointers")
		if strings.Contains(text, "\t.loc\t") {
			assert.Contains(t, err.Error(), "called at "+line(t, "refused.cu", "refused: no texture units")+")")
		}
	})
}
