package emu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

const oneBarrier = ".shared .align 8 .b64 bar;\n"

func TestMbarrierLedger(t *testing.T) {
	cases := []struct {
		name string
		body string // run by one thread
		want uint32 // %r1
		rule string // of the only finding; "" for none
	}{
		{"a fresh barrier has completed the phase before", `
	mbarrier.init.shared::cta.b64 [bar], 1;
	mbarrier.test_wait.parity.shared::cta.b64 %p0, [bar], 1;
	selp.u32 %r1, 1, 0, %p0;`, 1, ""},
		{"and not its own phase", `
	mbarrier.init.shared::cta.b64 [bar], 1;
	mbarrier.test_wait.parity.shared::cta.b64 %p0, [bar], 0;
	selp.u32 %r1, 1, 0, %p0;`, 0, ""},
		{"an arrival with a count", `
	mbarrier.init.shared::cta.b64 [bar], 3;
	mbarrier.arrive.shared::cta.b64 %rd1, [bar], 3;
	mbarrier.test_wait.shared::cta.b64 %p0, [bar], %rd1;
	mbarrier.pending_count.b64 %r2, %rd1;
	selp.u32 %r1, 10, 0, %p0;
	add.u32 %r1, %r1, %r2;`, 13, ""},
		{"bytes before the expectation", `
	mbarrier.init.shared::cta.b64 [bar], 1;
	mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 64;
	mbarrier.test_wait.parity.shared::cta.b64 %p0, [bar], 0;
	mbarrier.arrive.expect_tx.shared::cta.b64 %rd1, [bar], 64;
	mbarrier.test_wait.parity.shared::cta.b64 %p1, [bar], 0;
	selp.u32 %r1, 1, 0, %p0;
	selp.u32 %r2, 10, 0, %p1;
	add.u32 %r1, %r1, %r2;`, 10, ""},
		{"missing bytes hold the phase", `
	mbarrier.init.shared::cta.b64 [bar], 1;
	mbarrier.arrive.expect_tx.shared::cta.b64 %rd1, [bar], 64;
	mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 32;
	mbarrier.test_wait.parity.shared::cta.b64 %p0, [bar], 0;
	selp.u32 %r1, 1, 0, %p0;`, 0, ""},
		{"a dropped thread is not expected again", `
	mbarrier.init.shared::cta.b64 [bar], 2;
	mbarrier.arrive_drop.shared::cta.b64 %rd1, [bar];
	mbarrier.arrive.shared::cta.b64 %rd1, [bar];
	mbarrier.arrive.shared::cta.b64 %rd1, [bar];
	mbarrier.test_wait.shared::cta.b64 %p0, [bar], %rd1;
	selp.u32 %r1, 1, 0, %p0;`, 1, ""},
		{"try_wait gives up when nothing else can happen", `
	mbarrier.init.shared::cta.b64 [bar], 1;
	mbarrier.try_wait.parity.shared::cta.b64 %p0, [bar], 0;
	selp.u32 %r1, 1, 2, %p0;`, 2, ""},
		{"never initialised", `
	mov.u32 %r1, 4;
	mbarrier.arrive.shared::cta.b64 %rd1, [bar];`, 4, "mbarrier"},
		{"too many arrivals", `
	mbarrier.init.shared::cta.b64 [bar], 2;
	mov.u32 %r1, 4;
	mbarrier.arrive.shared::cta.b64 %rd1, [bar], 3;`, 4, "mbarrier"},
		{"overwritten by a store", `
	mbarrier.init.shared::cta.b64 [bar], 1;
	mov.u32 %r1, 4;
	st.shared.u32 [bar+4], %r1;
	mbarrier.arrive.shared::cta.b64 %rd1, [bar];`, 4, "mbarrier"},
		{"used after inval", `
	mbarrier.init.shared::cta.b64 [bar], 1;
	mbarrier.inval.shared::cta.b64 [bar];
	mov.u32 %r1, 4;
	mbarrier.arrive.shared::cta.b64 %rd1, [bar];`, 4, "mbarrier"},
		{"initialised twice", `
	mbarrier.init.shared::cta.b64 [bar], 1;
	mbarrier.init.shared::cta.b64 [bar], 2;
	mov.u32 %r1, 4;`, 4, "mbarrier"},
		{"too many bytes", `
	mbarrier.init.shared::cta.b64 [bar], 1;
	mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 1048575;
	mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 1;
	mov.u32 %r1, 4;`, 4, "mbarrier"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := newEmulation(t, Config{}, 1)
			got, findings := e.run(t, entry(oneBarrier, c.body+storeR1), threads(1))
			assert.Equal(t, c.want, got[0])
			if c.rule == "" {
				require.Empty(t, findings)
				return
			}
			require.Len(t, findings, 1)
			assert.Equal(t, c.rule, findings[0].Rule)
		})
	}
}

// A producer warp and a consumer warp hand one word back and forth over a full
// and an empty mbarrier.
func TestMbarrierPipeline(t *testing.T) {
	const body = `
	mov.u32 %r0, %tid.x;
	setp.ne.u32 %p0, %r0, 0;
	@%p0 bra READY;
	mbarrier.init.shared::cta.b64 [full], 1;
	mbarrier.init.shared::cta.b64 [empty], 32;
	fence.mbarrier_init.release.cluster;
READY:
	bar.sync 0;
	mov.u32 %r1, 0;
	mov.u32 %r2, 0;
	setp.ge.u32 %p0, %r0, 32;
	@%p0 bra CONSUME;
	elect.sync _|%p1, 0xffffffff;
	@!%p1 bra DONE;
PRODUCE:
	and.b32 %r3, %r2, 1;
	xor.b32 %r4, %r3, 1;
P:	mbarrier.try_wait.parity.shared::cta.b64 %p2, [empty], %r4;
	@!%p2 bra P;
	add.u32 %r5, %r2, 1000;
	st.shared.u32 [slot], %r5;
	mbarrier.arrive.shared::cta.b64 _, [full];
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p3, %r2, 10;
	@%p3 bra PRODUCE;
	bra DONE;
CONSUME:
	and.b32 %r3, %r2, 1;
C:	mbarrier.try_wait.parity.shared::cta.b64 %p2, [full], %r3;
	@!%p2 bra C;
	ld.shared.u32 %r5, [slot];
	add.u32 %r1, %r1, %r5;
	mbarrier.arrive.shared::cta.b64 _, [empty];
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p3, %r2, 10;
	@%p3 bra CONSUME;
DONE:`
	const decl = ".shared .align 8 .b64 full;\n.shared .align 8 .b64 empty;\n.shared .b32 slot;\n"
	seeds(t, func(t *testing.T, seed int64) {
		e := newEmulation(t, Config{Seed: seed}, 64)
		got, findings := e.run(t, entry(decl, body+storeR1), threads(64))
		require.Empty(t, findings)
		for lane, v := range got[32:] {
			require.Equal(t, uint32(10045), v, "lane %d", lane)
		}
	})
}

// Every CTA of a cluster arrives at the mbarrier of rank 0, which adds up what
// they stored in its shared memory.
func TestRemoteArrival(t *testing.T) {
	const body = `
	mov.u32 %r0, %cluster_ctarank;
	setp.ne.u32 %p0, %r0, 0;
	@%p0 bra READY;
	mbarrier.init.shared::cta.b64 [bar], 4;
READY:
	barrier.cluster.arrive.release.aligned;
	barrier.cluster.wait.acquire.aligned;
	mapa.shared::cluster.u32 %r2, bar, 0;
	mapa.shared::cluster.u32 %r3, slots, 0;
	shl.b32 %r4, %r0, 2;
	add.u32 %r3, %r3, %r4;
	add.u32 %r5, %r0, 1;
	st.shared::cluster.u32 [%r3], %r5;
	mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r2];
	mov.u32 %r1, 0;
	@%p0 bra DONE;
W:	mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [bar], 0;
	@!%p1 bra W;
	ld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [slots];
	add.u32 %r1, %r6, %r7;
	add.u32 %r1, %r1, %r8;
	add.u32 %r1, %r1, %r9;
	st.global.u32 [%rd0], %r1;
DONE:
	barrier.cluster.arrive.aligned;
	barrier.cluster.wait.aligned;
	ret;`
	const decl = ".shared .align 8 .b64 bar;\n.shared .align 16 .b32 slots[4];\n"
	seeds(t, func(t *testing.T, seed int64) {
		e := newEmulation(t, Config{Seed: seed}, 1)
		l := device.Launch{Grid: [3]int{4, 1, 1}, Block: [3]int{1, 1, 1}, Cluster: [3]int{4, 1, 1}}
		got, findings := e.run(t, entry(decl, body), l)
		require.Empty(t, findings)
		require.Equal(t, uint32(10), got[0])
	})
}
