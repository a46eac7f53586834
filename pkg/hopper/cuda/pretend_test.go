//go:build cuda && cgo

package cuda

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

// pretend is the name that the driver of testdata/driver.c gives its device.
// The tests here hold what reaches the driver against what was asked for, and
// run against that driver only.
const pretend = "pretend GPU"

func openPretend(t *testing.T) *gpu {
	d, err := Open(0)
	if err != nil {
		t.Skip(err)
	}
	g := d.(*gpu)
	t.Cleanup(func() { require.NoError(t, g.Close()) })
	if g.info.Name != pretend {
		t.Skip("needs the pretend driver, and this is ", g.info.Name)
	}
	return g
}

func pretendKernel(t *testing.T, g *gpu, name string) device.Kernel {
	m, err := g.Load(".version 8.6\n")
	require.NoError(t, err)
	k, err := m.Kernel(name)
	require.NoError(t, err)
	return k
}

func TestPretendInfo(t *testing.T) {
	g := openPretend(t)
	i := g.Info()
	assert.True(t, i.Real)
	assert.Equal(t, 132, i.SMs)
	assert.Equal(t, 232448, i.SharedBytes)
	assert.Equal(t, 1980, i.MaxClockMHz)
	assert.Equal(t, "13.0", i.CUDA)
	_, err := Open(1)
	assert.ErrorContains(t, err, "no GPU 1")
	_, err = g.Read()
	assert.ErrorContains(t, err, "no sensor readings")
	_, err = g.Library()
	assert.ErrorContains(t, err, "no yardstick")
	ms, err := g.Time(func() error { return nil })
	require.NoError(t, err)
	assert.Equal(t, 1.5, ms)
}

// TestPretendLaunch holds that grid, block, cluster, shared memory and
// arguments of 4, 8 and 128 bytes arrive.
func TestPretendLaunch(t *testing.T) {
	g := openPretend(t)
	k := pretendKernel(t, g, "echo")
	assert.Equal(t, device.Resources{Registers: 8, LocalBytes: 16, SharedBytes: 4096, MaxThreads: 1024}, k.Resources())
	out, err := g.Alloc(44 + 4 + 128)
	require.NoError(t, err)
	m, err := g.EncodeTiled(device.TensorMap{
		Type: device.MapBF16, Address: out, Dims: []uint64{100, 37}, Strides: []uint64{208},
		Box: []uint32{64, 32}, Swizzle: device.Swizzle128B, L2Promotion: device.L2256B, Fill: device.FillNaN,
	})
	require.NoError(t, err)
	l := device.Launch{Grid: [3]int{4, 3, 2}, Block: [3]int{64, 2, 1}, Cluster: [3]int{2, 1, 1}, Shared: 200_000}
	require.NoError(t, k.Launch(l, device.Pointer(out), device.Int32(-7), device.Map(m)))
	got := make([]byte, 44+4+128)
	require.NoError(t, g.Download(got, out))

	words := make([]int32, 12)
	_, err = binary.Decode(got, binary.LittleEndian, words)
	require.NoError(t, err)
	assert.Equal(t, []int32{4, 3, 2, 64, 2, 1, 2, 1, 1, 200_000, 200_000, -7}, words)
	fields := make([]uint64, 16)
	_, err = binary.Decode(got[48:], binary.LittleEndian, fields)
	require.NoError(t, err)
	assert.Equal(t, []uint64{9, 2, uint64(out), 100, 37, 208, 64, 32, 1, 1, 0, 3, 3, 1, 0, 0}, fields)
}

func TestPretendFault(t *testing.T) {
	g := openPretend(t)
	plain, fault := pretendKernel(t, g, "plain"), pretendKernel(t, g, "fault")
	l := device.Launch{Grid: [3]int{5, 1, 1}, Block: [3]int{32, 1, 1}}
	require.NoError(t, plain.Launch(l))
	require.NoError(t, g.Synchronize())
	require.NoError(t, fault.Launch(l))
	err := g.Synchronize()
	assert.ErrorContains(t, err, "kernel fault, grid 5x1x1, block 32x1x1 failed")
	assert.ErrorContains(t, err, "CUDA_ERROR_ILLEGAL_ADDRESS")

	require.NoError(t, plain.Launch(l))
	_, err = g.Time(func() error { return nil })
	assert.ErrorContains(t, err, "one of the 2 launches")
}

func TestPretendLoad(t *testing.T) {
	g := openPretend(t)
	_, err := g.Load(".version 8.6\n.target sm_90a\n\tmov.u32 %r1, mistake;\n")
	require.Error(t, err)
	assert.Contains(t, err.Error(), "line 3; error   : Unknown symbol 'mistake'\n      3 | mov.u32 %r1, mistake;")
	_, err = g.Load(".version 9.9\n")
	require.ErrorIs(t, err, ErrOldDriver)
	assert.ErrorContains(t, err, "PTX 9.9, and the driver supports CUDA 13.0, which compiles PTX up to 9.0")
	_, err = g.Load("a\x00b")
	assert.ErrorContains(t, err, "NUL byte at offset 1")

	m, err := g.Load(".version 8.6\n")
	require.NoError(t, err)
	assert.Equal(t, "ptxas info    : Used 8 registers", m.Log())
	_, err = m.Kernel("nobody")
	assert.ErrorContains(t, err, `no .entry "nobody"`)
	require.NoError(t, m.Close())
	require.NoError(t, m.Close(), "closing twice")
	_, err = m.Kernel("echo")
	assert.ErrorContains(t, err, "closed")
}

func TestClosed(t *testing.T) {
	g := openPretend(t)
	require.NoError(t, g.Close())
	_, err := g.Alloc(1)
	assert.ErrorContains(t, err, "the device is closed")
	assert.ErrorContains(t, g.Synchronize(), "the device is closed")
}

// TestLibraryFolders holds that every folder pattern is well formed.
func TestLibraryFolders(t *testing.T) {
	for _, glob := range libraryGlobs {
		for _, dir := range expand(glob) {
			assert.False(t, strings.ContainsAny(dir, "*["), dir)
		}
	}
	assert.Equal(t, "13.1.0", libraryVersion(130100))
	assert.Equal(t, "12.9.1", libraryVersion(120901))
}
