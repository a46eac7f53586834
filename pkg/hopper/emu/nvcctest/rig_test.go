// Package nvcctest runs what NVIDIA's nvcc made of CUDA C++ on the emulator.
//
// The kernels are testdata/*.cu. Their PTX beside them is the compiler's own, in
// several builds: optimised, with line information, for a debugger
// (.ci/compile-cuda writes it). Every kernel runs from every build under several
// seeds of the schedule, its results are compared with a plain computation in
// Go, and a correct kernel must leave no finding.
//
// The package has only tests. It must not know how the emulator works: it uses
// package device, as a program that has a GPU would.
package nvcctest

import (
	"embed"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
	"gohopper/pkg/hopper/sanitize"
)

//go:embed testdata
var testdata embed.FS

// builds are the suffixes of a kernel file's PTX: optimised, the same with
// line information, and not optimised, for a debugger.
var builds = []string{".ptx", ".lineinfo.ptx", ".debug.ptx"}

// seeds of the schedule that every kernel runs under.
var seeds = []int64{0, 1, 2}

// rig is a machine with a file of kernels loaded. Its methods end the test on
// any error.
type rig struct {
	*testing.T
	device.Device
	device.Module
}

// every runs the test of a correct kernel with each build of a file: on the
// emulator under each seed, and on a GPU where the tests are built for one.
func every(t *testing.T, file string, test func(r rig)) {
	eachBuild(t, file, func(t *testing.T, text string) {
		emulated(t, text, test)
		onGPU(t, text, test)
	})
}

// eachBuild runs a test with the PTX of each build of a file.
func eachBuild(t *testing.T, file string, test func(t *testing.T, text string)) {
	for _, build := range builds {
		if text := ptxOf(t, file+build); text != "" {
			t.Run(file+build, func(t *testing.T) { test(t, text) })
		}
	}
}

// emulated runs a test on the emulator under each seed.
func emulated(t *testing.T, text string, test func(r rig)) {
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { onEmulator(t, text, emu.Config{Seed: seed}, test) })
	}
}

// onEmulator runs a test on an emulator under the sanitizer.
func onEmulator(t *testing.T, text string, c emu.Config, test func(r rig)) {
	c.Observe = sanitize.Observe
	m := emu.New(c)
	mod, err := m.Load(text)
	require.NoError(t, err)
	test(rig{t, m, mod})
	require.NoError(t, mod.Close())
	require.NoError(t, m.Close())
}

// ptxOf is a PTX file, "" where that build is not there.
func ptxOf(t *testing.T, name string) string {
	text, err := testdata.ReadFile("testdata/" + name)
	if err != nil {
		require.Contains(t, name, ".debug.ptx", "only a debug build may be left out")
	}
	return string(text)
}

// run launches a correct kernel: it must leave no finding.
func (r rig) run(kernel string, l device.Launch, args ...device.Arg) {
	r.Helper()
	k, err := r.Kernel(kernel)
	require.NoError(r, err)
	require.NoError(r, k.Launch(l, args...), kernel)
	require.NoError(r, r.Synchronize())
	if o, ok := r.Device.(device.Observer); ok {
		for _, f := range o.Findings() {
			require.Fail(r, "a finding in the correct kernel "+kernel, f.String())
		}
	}
}

// put uploads values of a fixed size to new memory.
func (r rig) put(values any) device.Ptr {
	r.Helper()
	b, err := binary.Append(nil, binary.LittleEndian, values)
	require.NoError(r, err)
	p, err := r.Alloc(len(b))
	require.NoError(r, err)
	require.NoError(r, r.Upload(p, b))
	return p
}

// blank is new memory of some bytes with a value that no kernel here leaves.
func (r rig) blank(bytes int) device.Ptr {
	r.Helper()
	p, err := r.Alloc(bytes)
	require.NoError(r, err)
	require.NoError(r, r.Fill(p, 0xA5, bytes))
	return p
}

// get downloads n values.
func get[T any](r rig, p device.Ptr, n int) []T {
	r.Helper()
	values := make([]T, n)
	b := make([]byte, binary.Size(values))
	require.NoError(r, r.Download(b, p))
	_, err := binary.Decode(b, binary.LittleEndian, values)
	require.NoError(r, err)
	return values
}

// tensorMap makes the argument for a dense row-major matrix.
func (r rig) tensorMap(t device.MapType, p device.Ptr, rows, cols, boxRows, boxCols int, s device.Swizzle) device.Arg {
	r.Helper()
	m, err := r.EncodeTiled(device.TensorMap{
		Type: t, Address: p,
		Dims: []uint64{uint64(cols), uint64(rows)}, Strides: []uint64{uint64(cols * t.Bytes())},
		Box: []uint32{uint32(boxCols), uint32(boxRows)}, Swizzle: s,
	})
	require.NoError(r, err)
	return device.Map(m)
}

// grid is a launch of x times y CTAs of so many threads.
func grid(x, y, threads int) device.Launch {
	return device.Launch{Grid: [3]int{x, y, 1}, Block: [3]int{threads, 1, 1}}
}

// line is the number of the only line of a .cu file that contains text.
func line(t *testing.T, file, text string) string {
	b, err := testdata.ReadFile("testdata/" + file)
	require.NoError(t, err)
	at := 0
	for i, l := range strings.Split(string(b), "\n") {
		if strings.Contains(l, text) {
			require.Zero(t, at, "%q stands on two lines of %s", text, file)
			at = i + 1
		}
	}
	require.NotZero(t, at, "%q stands nowhere in %s", text, file)
	return fmt.Sprintf("%s:%d", file, at)
}
