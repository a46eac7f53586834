package devicetest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

func testLoadRefusals(r rig) {
	_, err := r.Load(r.text("mistake.ptx"))
	require.Error(r, err)
	assert.Regexp(r, `line 11\b|\b11:\d+`, err.Error(), "the error names the line")
	assert.Contains(r, err.Error(), "%nowhere", "and the register")

	for reason, text := range map[string]string{
		"an empty text":    "",
		"no PTX at all":    "package main\n",
		"a text cut short": r.text("add.ptx")[:700],
		"an instruction that does not exist": ".version 8.0\n.target sm_90a\n.address_size 64\n" +
			".visible .entry k()\n{\n\tfrobnicate.b32;\n\tret;\n}\n",
	} {
		_, err := r.Load(text)
		assert.Error(r, err, reason)
	}
}

func testUnknownKernel(r rig) {
	m, err := r.Load(r.text("add.ptx"))
	require.NoError(r, err)
	_, err = m.Kernel("subtract")
	require.Error(r, err)
	assert.Contains(r, err.Error(), "subtract")
	require.NoError(r, m.Close())
}

// testLaunchRefusals holds that a launch the device cannot make is an error of
// Launch itself, and that the device still works afterwards.
func testLaunchRefusals(r rig) {
	add := r.kernel("add.ptx", "add")
	reverse := r.kernel("shared.ptx", "reverse") // .maxntid 256
	fill := r.kernel("shared.ptx", "fill")       // 4096 bytes of static shared memory
	fixed := r.kernel("cluster.ptx", "fixed")    // a cluster of 2
	chosen := r.kernel("cluster.ptx", "chosen")
	p := r.blank(1 << 16)
	ptr, word := device.Pointer(p), device.Uint32(64)
	limit := r.Info().SharedBytes

	for _, c := range []struct {
		reason string
		kernel device.Kernel
		launch device.Launch
		args   []device.Arg
	}{
		{"no grid", add, line(0, 64), []device.Arg{ptr, ptr, ptr, word}},
		{"a negative grid", add, line(-1, 64), []device.Arg{ptr, ptr, ptr, word}},
		{"no block", add, line(1, 0), []device.Arg{ptr, ptr, ptr, word}},
		{"a dimension left out", add, device.Launch{Grid: [3]int{1}, Block: [3]int{64}}, []device.Arg{ptr, ptr, ptr, word}},
		{"more threads than a CTA has", add, line(1, 1025), []device.Arg{ptr, ptr, ptr, word}},
		{"more threads than .maxntid", reverse, line(1, 257), []device.Arg{ptr, ptr}},
		{"an argument missing", add, line(1, 64), []device.Arg{ptr, ptr, ptr}},
		{"an argument too many", add, line(1, 64), []device.Arg{ptr, ptr, ptr, word, word}},
		{"an argument too short", add, line(1, 64), []device.Arg{ptr, ptr, word, word}},
		{"an argument too long", add, line(1, 64), []device.Arg{ptr, ptr, ptr, ptr}},
		{"negative shared memory", fill, shared(-16), []device.Arg{ptr, word}},
		{"more shared memory than a CTA has", add, shared(limit + 16), []device.Arg{ptr, ptr, ptr, word}},
		{"more than static leaves", fill, shared(limit - 4096 + 16), []device.Arg{ptr, word}},
		{"a grid that the entry's cluster does not divide", fixed, line(3, 64), []device.Arg{ptr}},
		{"a grid that the launch's cluster does not divide", chosen, clustered(3, 2), []device.Arg{ptr}},
		{"a cluster larger than any", chosen, clustered(64, 32), []device.Arg{ptr}},
	} {
		assert.Error(r, c.kernel.Launch(c.launch, c.args...), c.reason)
	}
	require.NoError(r, r.Synchronize())
	r.checkAdd(add)
}

// shared is one CTA with dynamic shared memory.
func shared(bytes int) device.Launch {
	l := line(1, 256)
	l.Shared = bytes
	return l
}

// clustered is a launch of 64 threads a CTA in clusters along x.
func clustered(ctas, size int) device.Launch {
	l := line(ctas, 64)
	l.Cluster = [3]int{size, 1, 1}
	return l
}

func testAdd(r rig) { r.checkAdd(r.kernel("add.ptx", "add")) }

// checkAdd adds two vectors whose length is no multiple of the CTA's.
func (r rig) checkAdd(add device.Kernel) {
	const n = 1000
	a, b := make([]float32, n), make([]float32, n)
	for i := range n {
		a[i], b[i] = float32(i)/8, float32(3*i-700)
	}
	pa, pb, pc := r.put(a), r.put(b), r.blank(n+1)
	r.run(add, line((n+127)/128, 128), device.Pointer(pa), device.Pointer(pb), device.Pointer(pc), device.Uint32(n))
	got := make([]float32, n)
	r.get(pc, got)
	for i := range n {
		require.Equal(r, a[i]+b[i], got[i], "element %d", i)
	}
	var past [4]byte
	r.get(pc+4*n, &past)
	require.Equal(r, [4]byte{0xA5, 0xA5, 0xA5, 0xA5}, past, "the word past the end")
}
