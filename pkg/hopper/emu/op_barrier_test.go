package emu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNamedBarriers(t *testing.T) {
	cases := []struct {
		name, body string
		n          int
		want       func(tid uint32) uint32
	}{
		{"arrive by one warp, sync by another", `
	setp.ge.u32 %p0, %r0, 32;
	@%p0 bra CONSUME;
	mov.u32 %r2, 9;
	st.shared.u32 [word], %r2;
	bar.arrive 1, 64;
	bra END;
CONSUME:
	bar.sync 1, 64;
	ld.shared.u32 %r1, [word];
END:`, 64, func(tid uint32) uint32 {
			if tid < 32 {
				return 0
			}
			return 9
		}},
		{"two groups use barriers of their own, many times", `
	shr.u32 %r2, %r0, 6;
	add.u32 %r2, %r2, 1;
	mov.u32 %r3, 0;
LOOP:
	barrier.cta.sync.aligned %r2, 64;
	add.u32 %r3, %r3, 1;
	setp.lt.u32 %p0, %r3, 9;
	@%p0 bra LOOP;
	mov.u32 %r1, %r3;`, 128, func(uint32) uint32 { return 9 }},
		{"a reduction counts the predicates of the CTA", `
	setp.lt.u32 %p0, %r0, 70;
	bar.red.popc.u32 %r1, 0, %p0;
	bar.red.and.pred %p1, 0, %p0;
	bar.red.or.pred %p2, 0, !%p0;
	@%p1 add.u32 %r1, %r1, 1000;
	@%p2 add.u32 %r1, %r1, 2000;`, 96, func(uint32) uint32 { return 2070 }},
		{"threads that exited are not waited for", `
	setp.ge.u32 %p0, %r0, 64;
	@%p0 exit;
	bar.sync 0;
	mov.u32 %r1, 3;`, 96, func(tid uint32) uint32 {
			if tid < 64 {
				return 3
			}
			return 0
		}},
		{"a barrier that lanes enter one by one", `
	and.b32 %r2, %r0, 1;
	setp.eq.u32 %p0, %r2, 0;
	@%p0 bra EVEN;
	barrier.sync 3, 64;
	bra END;
EVEN:
	barrier.sync 3, 64;
END:
	mov.u32 %r1, 4;`, 64, func(uint32) uint32 { return 4 }},
		{"a last warp that is not full", `
	bar.sync 0;
	mov.u32 %r1, 6;`, 40, func(uint32) uint32 { return 6 }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			seeds(t, func(t *testing.T, seed int64) {
				e := newEmulation(t, Config{Seed: seed}, c.n)
				body := "\n\tmov.u32 %r0, %tid.x;\n\tmov.u32 %r1, 0;" + c.body + storeR1
				got, findings := e.run(t, entry(".shared .b32 word;\n", body), threads(c.n))
				require.Empty(t, findings)
				for tid, v := range got {
					require.Equal(t, c.want(uint32(tid)), v, "thread %d", tid)
				}
			})
		})
	}
}

func TestBarrierFindings(t *testing.T) {
	cases := []struct{ name, body, message string }{
		{"counts that differ", `
	setp.ge.u32 %p0, %r0, 32;
	@%p0 bra OTHER;
	bar.sync 1, 64;
	bra END;
OTHER:
	bar.sync 1, 32;
END:`, "barrier 1 is entered for"},
		{"wait without arrive", `
	barrier.cluster.wait.aligned;`, "barrier.cluster.wait without barrier.cluster.arrive before it"},
		{"arrive twice", `
	barrier.cluster.arrive.aligned;
	barrier.cluster.arrive.aligned;
	barrier.cluster.wait.aligned;`, "barrier.cluster.arrive again without barrier.cluster.wait after the last one"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := newEmulation(t, Config{}, 64)
			_, findings := e.run(t, entry("", "\n\tmov.u32 %r0, %tid.x;\n\tmov.u32 %r1, 0;"+c.body+storeR1), threads(64))
			require.Len(t, findings, 1)
			assert.Equal(t, "barrier", findings[0].Rule)
			assert.Contains(t, findings[0].Message, c.message)
		})
	}
}

// A CTA that has exited may not be reached any more; the cluster barrier at
// the end is what forbids it to exit.
func TestExitedCTA(t *testing.T) {
	const body = `
	mov.u32 %r0, %cluster_ctarank;
	st.shared.u32 [word], %r0;
	setp.eq.u32 %p0, %r0, 1;
	@%p0 exit;
	mov.u32 %r2, 0;
SPIN:
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p0, %r2, 5000;
	@%p0 bra SPIN;
	mapa.shared::cluster.u32 %r3, word, 1;
	ld.shared::cluster.u32 %r1, [%r3];
	getctarank.shared::cluster.u32 %r4, %r3;
	st.global.u32 [%rd0], %r4;
	ret;`
	e := newEmulation(t, Config{}, 1)
	got, findings := e.run(t, entry(".shared .b32 word;\n", body), ctas(2, 32, 2))
	require.Len(t, findings, 1)
	assert.Equal(t, "exited", findings[0].Rule)
	assert.Equal(t, uint32(1), got[0])
}
