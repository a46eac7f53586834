package emu

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/event"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A kernel that cannot go on must end soon, and its finding must say who waits
// for what. The wording is in testdata/stuck.
func TestStuck(t *testing.T) {
	const bounds = ".maxntid 384\n.minnctapersm 1\n" // which setmaxnreg asks for
	cases := []struct {
		name, decl, body string
		l                device.Launch
	}{
		{"mbarrier-missing-bytes", oneBarrier, `
	.loc 1 41 3
	mov.u32 %r0, %tid.x;
	setp.ne.u32 %p0, %r0, 0;
	@%p0 bra READY;
	mbarrier.init.shared::cta.b64 [bar], 1;
READY:
	bar.sync 0;
	@%p0 bra W;
	.loc 1 50 3
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 32768;
	.loc 1 60 3
W:	mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0;
	@!%p1 bra W;`, threads(64)},
		{"named-barrier-short-of-threads", "", `
	mov.u32 %r0, %tid.x;
	setp.ge.u32 %p0, %r0, 64;
	@%p0 bra OTHER;
	bar.sync 1, 96;
OTHER:
	bar.sync 0;`, threads(96)},
		{"one-lane-at-an-aligned-instruction", "", `
	elect.sync _|%p0, 0xffffffff;
	@%p0 bra ALONE;
	bar.sync 1;
ALONE:
	bar.sync 2;`, threads(32)},
		{"shuffle-in-one-branch", "", `
	mov.u32 %r0, %tid.x;
	setp.ge.u32 %p0, %r0, 16;
	@%p0 bra OTHER;
	shfl.sync.idx.b32 %r1, %r0, 0, 31, 0xffffffff;
OTHER:
	bar.sync 0;`, threads(32)},
		{"cluster-barrier-short-of-a-warp", "", `
	mov.u32 %r0, %cluster_ctarank;
	setp.eq.u32 %p0, %r0, 1;
	@%p0 bra SPIN;
	barrier.cluster.arrive.aligned;
	barrier.cluster.wait.aligned;
	ret;
SPIN:
	bra SPIN;`, ctas(2, 32, 2)},
		{"spin-on-global-memory", "", `
SPIN:
	ld.acquire.gpu.global.u32 %r0, [%rd0];
	setp.eq.u32 %p0, %r0, 0;
	@%p0 bra SPIN;`, ctas(3, 64, 1)},
		{"spin-on-shared-memory-with-a-failing-atomic", ".shared .b32 lock;\n", `
	mov.u32 %r0, 1;
	st.shared.u32 [lock], %r0;
SPIN:
	atom.shared.cas.b32 %r1, [lock], 0, 1;
	setp.ne.u32 %p0, %r1, 0;
	@%p0 bra SPIN;`, threads(32)},
		{"registers-that-nobody-frees", "", `
	setmaxnreg.inc.sync.aligned.u32 240;`, threads(384)},
		{"registers-freed-in-another-part", "", `
	mov.u32 %r0, %tid.x;
	setp.ge.u32 %p0, %r0, 256;
	@%p0 bra FREE;
	setmaxnreg.inc.sync.aligned.u32 184;
	ret;
FREE:
	setmaxnreg.dec.sync.aligned.u32 40;`, threads(288)},
		{"warps-of-one-barrier-in-other-order", "", `
	mov.u32 %r0, %tid.x;
	setp.ge.u32 %p0, %r0, 32;
	@%p0 bra SECOND;
	bar.sync 1, 64;
	bar.sync 2, 64;
	ret;
SECOND:
	bar.sync 2, 64;
	bar.sync 1, 64;`, threads(64)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var first string
			seeds(t, func(t *testing.T, seed int64) {
				e := newEmulation(t, Config{Seed: seed}, 1)
				begin := time.Now()
				text := entry(".file 1 \"kernel.go\"\n"+c.decl, c.body+"\n\tret;")
				text = strings.Replace(text, ")\n{", ")\n"+bounds+"{", 1)
				_, findings := e.run(t, text, c.l)
				assert.Less(t, time.Since(begin), 10*time.Second, "soon, on a busy machine and under the race detector too")
				require.Len(t, findings, 1)
				require.Equal(t, event.Stuck, findings[0].Severity)
				if first == "" {
					first = findings[0].String()
				}
				require.Equal(t, first, findings[0].String(), "seed %d", seed)
			})
			golden(t, filepath.Join("testdata", "stuck", c.name+".txt"), first)
		})
	}
}

// golden compares text with a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "run the test with -update and read the difference")
}
