package emu

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/event"
)

// header starts every PTX text of the tests.
const header = ".version 8.6\n.target sm_90a\n.address_size 64\n"

// entry wraps a body as the kernel "k" with one pointer parameter, loaded into
// %rd0. Registers %r<32>, %rd<32>, %f<8> and %p<8> are declared.
func entry(declarations, body string) string {
	return header + declarations + `
.visible .entry k(.param .u64 out)
{
	.reg .pred %p<8>;
	.reg .b16 %h<8>;
	.reg .b32 %r<32>;
	.reg .f32 %f<8>;
	.reg .b64 %rd<32>;
	ld.param.u64 %rd0, [out];
` + body + `
}
`
}

// emulation is a machine with one buffer of words.
type emulation struct {
	machine *Machine
	out     device.Ptr
	words   int
}

func newEmulation(t testing.TB, c Config, words int) *emulation {
	t.Helper()
	m := New(c)
	out, err := m.Alloc(4 * words)
	require.NoError(t, err)
	require.NoError(t, m.Fill(out, 0, 4*words))
	return &emulation{m, out, words}
}

// run loads text, launches its kernel k on the buffer and returns the buffer
// and the findings.
func (e *emulation) run(t testing.TB, text string, l device.Launch) ([]uint32, []event.Finding) {
	t.Helper()
	mod, err := e.machine.Load(text)
	require.NoError(t, err)
	k, err := mod.Kernel("k")
	require.NoError(t, err)
	require.NoError(t, k.Launch(l, device.Pointer(e.out)))
	raw := make([]byte, 4*e.words)
	require.NoError(t, e.machine.Download(raw, e.out))
	words := make([]uint32, e.words)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(raw[4*i:])
	}
	return words, e.machine.Findings()
}

// threads is the launch of one CTA.
func threads(n int) device.Launch {
	return device.Launch{Grid: [3]int{1, 1, 1}, Block: [3]int{n, 1, 1}}
}

// ctas is a launch of CTAs of n threads, in clusters of so many.
func ctas(count, n, cluster int) device.Launch {
	return device.Launch{Grid: [3]int{count, 1, 1}, Block: [3]int{n, 1, 1}, Cluster: [3]int{cluster, 1, 1}}
}

// seeds runs a test under several schedules.
func seeds(t *testing.T, test func(t *testing.T, seed int64)) {
	t.Helper()
	for seed := range int64(8) {
		test(t, seed)
	}
}
