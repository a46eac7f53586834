package emu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
	"gohopper/pkg/hopper/event"
)

// copyProbe is a kernel around a few copies under test, and its two buffers in
// global memory. A tensor map's address is an offset in its buffer.
type copyProbe struct {
	cluster int // CTAs, all in one cluster; 0 for 1
	threads int // 0 for 32
	a, b    []byte
	mapA    device.TensorMap // of a; the zero map is not encoded
	mapB    device.TensorMap // of b
	body    string           // see copyText for the registers
}

const copyText = `.version 8.6
.target sm_90a
.address_size 64
.global .align 64 .b8 spare[128];
.visible .entry probe(.param .align 64 .b8 mapA[128], .param .align 64 .b8 mapB[128], .param .u64 a, .param .u64 b)
{
	.reg .pred %%p<8>;
	.reg .b16 %%h<4>;
	.reg .b32 %%r<32>;
	.reg .f32 %%f<4>;
	.reg .b64 %%rd<16>;
	.shared .align 1024 .b8 buf[8192];
	.shared .align 8 .b64 bar;
	mov.b64 %%rd1, mapA;
	cvta.param.u64 %%rd1, %%rd1;
	mov.b64 %%rd2, mapB;
	cvta.param.u64 %%rd2, %%rd2;
	ld.param.u64 %%rd3, [a];
	ld.param.u64 %%rd4, [b];
	mov.u32 %%r0, %%tid.x;
	mov.u32 %%r1, buf;
	mov.u32 %%r2, bar;
	mov.u32 %%r3, %%cluster_ctarank;
	setp.eq.u32 %%p0, %%r0, 0;
%s
	ret;
}
`

// one makes thread 0 run a body alone.
func one(body string) string {
	return "\t@!%p0 bra END;\n" + body + "END:\n"
}

// initBar, expect and waitBar are the life of an mbarrier with one arrival.
const initBar = `	mbarrier.init.shared::cta.b64 [%r2], 1;
	fence.mbarrier_init.release.cluster;
`

func expect(bytes int) string {
	return fmt.Sprintf("\tmbarrier.arrive.expect_tx.shared::cta.b64 _, [%%r2], %d;\n", bytes)
}

const waitBar = `WAIT:
	mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], 0;
	@!%p1 bra WAIT;
`

const waitStores = `	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group 0;
`

// run executes the probe and returns its buffers afterwards.
func (p copyProbe) run(t testing.TB, seed int64) (a, b []byte, found []event.Finding) {
	t.Helper()
	m := emu.New(emu.Config{Seed: seed})
	defer func() { require.NoError(t, m.Close()) }()
	var at [2]device.Ptr
	var maps [2]device.EncodedMap
	for i, buf := range [][]byte{p.a, p.b} {
		var err error
		at[i], err = m.Alloc(max(16, len(buf)))
		require.NoError(t, err)
		if len(buf) > 0 {
			require.NoError(t, m.Upload(at[i], buf))
		}
		if tm := [...]device.TensorMap{p.mapA, p.mapB}[i]; tm.Dims != nil {
			tm.Address += at[i]
			maps[i], err = m.EncodeTiled(tm)
			require.NoError(t, err)
		}
	}
	mod, err := m.Load(fmt.Sprintf(copyText, p.body))
	require.NoError(t, err, p.body)
	k, err := mod.Kernel("probe")
	require.NoError(t, err)
	n := max(1, p.cluster)
	require.NoError(t, k.Launch(device.Launch{Grid: [3]int{n, 1, 1}, Block: [3]int{max(32, p.threads), 1, 1}, Cluster: [3]int{n, 1, 1}},
		device.Map(maps[0]), device.Map(maps[1]), device.Pointer(at[0]), device.Pointer(at[1])))
	a, b = make([]byte, len(p.a)), make([]byte, len(p.b))
	for i, buf := range [][]byte{a, b} {
		if len(buf) > 0 {
			require.NoError(t, m.Download(buf, at[i]))
		}
	}
	return a, b, m.Findings()
}

// clean runs the probe under twenty seeds and expects no finding and b == want.
func (p copyProbe) clean(t *testing.T, want []byte) {
	t.Helper()
	for seed := range int64(20) {
		_, b, found := p.run(t, seed)
		require.Empty(t, found, "seed %d", seed)
		require.Equal(t, want, b, "seed %d", seed)
	}
}

// finding runs the probe under twenty seeds and expects each to find the rule.
func (p copyProbe) finding(t *testing.T, rule, message string) {
	t.Helper()
	for seed := range int64(20) {
		_, _, found := p.run(t, seed)
		var messages []string
		for _, f := range found {
			messages = append(messages, f.Rule+": "+f.Message)
		}
		require.Contains(t, strings.Join(messages, "\n"), rule+": "+message, "seed %d", seed)
	}
}

// numbered is n bytes that all differ from their neighbours.
func numbered(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 ^ i>>8)
	}
	return b
}

// background is n bytes that numbered does not have in a row.
func background(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = 0xee
	}
	return b
}

// load compiles the probe only.
func (p copyProbe) load() error {
	mod, err := emu.New(emu.Config{}).Load(fmt.Sprintf(copyText, p.body))
	if err != nil {
		return err
	}
	_, err = mod.Kernel("probe")
	return err
}
