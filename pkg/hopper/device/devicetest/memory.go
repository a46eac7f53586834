package devicetest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

// testInfo asks for what every device must know about itself.
func testInfo(r rig) {
	i := r.Info()
	assert.NotEmpty(r, i.Name)
	assert.Equal(r, [2]int{9, 0}, i.Capability, "Hopper")
	assert.Positive(r, i.SMs)
	assert.Equal(r, 232448, i.SharedBytes, "227 KB (CUDA Programming Guide, compute capability 9.0)")
	assert.Positive(r, i.L2Bytes)
	assert.Positive(r, i.TotalMemory)
	if i.Real {
		assert.NotEmpty(r, i.CUDA)
	} else {
		assert.Empty(r, i.CUDA, "there is no driver to have a version")
	}
}

func testMemory(r rig) {
	const n = 10_007 // odd, so that no copy comes out whole by luck
	p, err := r.Alloc(n)
	require.NoError(r, err)
	assert.Zero(r, p%256, "alignment")
	q, err := r.Alloc(n)
	require.NoError(r, err)
	assert.True(r, q >= p+n || p >= q+n, "allocations overlap")

	src := make([]byte, n)
	for i := range src {
		src[i] = byte(i*i + i>>8)
	}
	require.NoError(r, r.Upload(p, src))
	require.NoError(r, r.Fill(q, 0x5A, n))
	got := make([]byte, n)
	require.NoError(r, r.Download(got, p))
	assert.Equal(r, src, got, "round trip")

	require.NoError(r, r.Fill(p+100, 0xFF, 3))
	require.NoError(r, r.Upload(p+5000, []byte{1, 2, 3}))
	require.NoError(r, r.Download(got, p))
	copy(src[100:], []byte{0xFF, 0xFF, 0xFF})
	copy(src[5000:], []byte{1, 2, 3})
	assert.Equal(r, src, got, "parts in the middle")

	part := make([]byte, 7)
	require.NoError(r, r.Download(part, p+n-7))
	assert.Equal(r, src[n-7:], part, "the last bytes")
	require.NoError(r, r.Download(got, q))
	for i, b := range got {
		require.Equal(r, byte(0x5A), b, "byte %d of the other allocation", i)
	}

	require.NoError(r, r.Upload(p, nil), "nothing to copy")
	require.NoError(r, r.Download(nil, p), "nothing to copy")
	require.NoError(r, r.Fill(p, 1, 0), "nothing to set")
	require.NoError(r, r.Free(p))
	require.NoError(r, r.Free(q))
}

func testMemoryRefusals(r rig) {
	const n = 1000
	p, err := r.Alloc(n)
	require.NoError(r, err)
	buf := make([]byte, n+1)
	for _, c := range []struct {
		reason string
		call   func() error
	}{
		{"no bytes", func() error { _, err := r.Alloc(0); return err }},
		{"a negative size", func() error { _, err := r.Alloc(-1); return err }},
		{"more than the device has", func() error { _, err := r.Alloc(1 << 50); return err }},
		{"an upload to the null address", func() error { return r.Upload(0, buf[:1]) }},
		{"a download from the null address", func() error { return r.Download(buf[:1], 0) }},
		{"a fill at the null address", func() error { return r.Fill(0, 0, 1) }},
		{"an upload past the end", func() error { return r.Upload(p, buf) }},
		{"a download past the end", func() error { return r.Download(buf, p) }},
		{"a fill past the end", func() error { return r.Fill(p+n-1, 0, 2) }},
		{"a fill of a negative size", func() error { return r.Fill(p, 0, -1) }},
		{"freeing the null address", func() error { return r.Free(0) }},
		{"freeing the middle of an allocation", func() error { return r.Free(p + 256) }},
	} {
		assert.Error(r, c.call(), c.reason)
	}
	require.NoError(r, r.Free(p))
	assert.Error(r, r.Free(p), "freeing twice")
	assert.Error(r, r.Upload(p, buf[:1]), "use after free")
}

func testTensorMapRefusals(r rig) {
	p, err := r.Alloc(64 * 64 * 2)
	require.NoError(r, err)
	good := device.TensorMap{
		Type: device.MapF16, Address: p, Dims: []uint64{64, 64}, Strides: []uint64{128}, Box: []uint32{64, 64},
		Swizzle: device.Swizzle128B,
	}
	_, err = r.EncodeTiled(good)
	require.NoError(r, err)
	for _, c := range []struct {
		reason string
		change func(*device.TensorMap)
	}{
		{"an address off 16 bytes", func(m *device.TensorMap) { m.Address += 8 }},
		{"a stride off 16 bytes", func(m *device.TensorMap) { m.Strides = []uint64{130} }},
		{"a box over 256", func(m *device.TensorMap) { m.Box = []uint32{64, 257} }},
		{"a row wider than the swizzle", func(m *device.TensorMap) { m.Box = []uint32{128, 64} }},
		{"no dimension", func(m *device.TensorMap) { m.Dims, m.Strides, m.Box = nil, nil, nil }},
		{"a list too short", func(m *device.TensorMap) { m.Box = []uint32{64} }},
	} {
		m := good
		c.change(&m)
		_, err := r.EncodeTiled(m)
		assert.Error(r, err, c.reason)
	}
}
