// Package devicetest is one behaviour suite for every device: memory, loading,
// launching, and what a warp, a CTA, a cluster and the copy engine do with the
// small PTX kernels in testdata. A GPU and the emulator pass the same tests.
//
// The package must not know which device it was handed: it uses the interfaces
// of package device only, and asks for findings where a device has them, since
// none of these kernels does anything wrong.
package devicetest

import (
	"embed"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

//go:embed testdata/*.ptx
var kernels embed.FS

// Run runs the suite. Each sub-test gets a device of its own from open, which
// may skip the test, and closes it.
func Run(t *testing.T, open func(t *testing.T) device.Device) {
	for _, s := range []struct {
		name string
		test func(rig)
	}{
		{"info", testInfo},
		{"memory round trip", testMemory},
		{"memory refusals", testMemoryRefusals},
		{"load refuses bad PTX", testLoadRefusals},
		{"unknown kernel", testUnknownKernel},
		{"launch refusals", testLaunchRefusals},
		{"vector add", testAdd},
		{"static shared memory and bar.sync", testReverse},
		{"dynamic shared memory", testDynamicShared},
		{"warp exchange", testWarp},
		{"atomics", testAtomics},
		{"divergence", testDivergence},
		{"mbarrier phases", testMbarrier},
		{"cluster, fixed by the entry", testFixedCluster},
		{"cluster, chosen at launch", testChosenCluster},
		{"tensor map refusals", testTensorMapRefusals},
		{"tensor load", testTensorLoad},
		{"tensor store", testTensorStore},
	} {
		t.Run(s.name, func(t *testing.T) {
			d := open(t)
			defer func() { require.NoError(t, d.Close()) }()
			s.test(rig{t, d})
		})
	}
}

// rig is a device under test; its methods end the test on any error.
type rig struct {
	*testing.T
	device.Device
}

// text is a kernel file of testdata.
func (r rig) text(file string) string {
	b, err := kernels.ReadFile("testdata/" + file)
	require.NoError(r, err)
	return string(b)
}

// kernel loads a file and looks up one of its entries.
func (r rig) kernel(file, name string) device.Kernel {
	m, err := r.Load(r.text(file))
	require.NoError(r, err, file)
	k, err := m.Kernel(name)
	require.NoError(r, err, file)
	return k
}

// run launches a kernel and waits for it. The kernels are correct, so a device
// that looks for mistakes must find none.
func (r rig) run(k device.Kernel, l device.Launch, args ...device.Arg) {
	require.NoError(r, k.Launch(l, args...))
	require.NoError(r, r.Synchronize())
	if o, ok := r.Device.(device.Observer); ok {
		for _, f := range o.Findings() {
			require.Fail(r, "a finding in a correct kernel", f.String())
		}
	}
}

// put uploads values of a fixed size to new memory.
func (r rig) put(values any) device.Ptr {
	b, err := binary.Append(nil, binary.LittleEndian, values)
	require.NoError(r, err)
	p, err := r.Alloc(len(b))
	require.NoError(r, err)
	require.NoError(r, r.Upload(p, b))
	return p
}

// get downloads into values, a slice or pointer of a fixed size.
func (r rig) get(p device.Ptr, values any) {
	b := make([]byte, binary.Size(values))
	require.NoError(r, r.Download(b, p))
	_, err := binary.Decode(b, binary.LittleEndian, values)
	require.NoError(r, err)
}

// blank is n words of new memory that hold a value no kernel here writes.
func (r rig) blank(n int) device.Ptr {
	p, err := r.Alloc(4 * n)
	require.NoError(r, err)
	require.NoError(r, r.Fill(p, 0xA5, 4*n))
	return p
}

// line is a launch of ctas x threads in one dimension.
func line(ctas, threads int) device.Launch {
	return device.Launch{Grid: [3]int{ctas, 1, 1}, Block: [3]int{threads, 1, 1}}
}
