package emu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

// storeR1 stores %r1 of each thread of a CTA to the buffer.
const storeR1 = `
	mov.u32 %r30, %tid.x;
	mul.wide.u32 %rd30, %r30, 4;
	add.s64 %rd31, %rd0, %rd30;
	st.global.u32 [%rd31], %r1;
	ret;`

func TestDivergence(t *testing.T) {
	cases := []struct {
		name string
		body string
		want func(lane uint32) uint32
	}{
		{"both sides of a branch, then together again", `
	mov.u32 %r0, %tid.x;
	setp.lt.u32 %p0, %r0, 10;
	@%p0 bra LOW;
	mov.u32 %r1, 7;
	bra MEET;
LOW:
	mov.u32 %r1, 5;
MEET:
	activemask.b32 %r2;
	popc.b32 %r2, %r2;
	add.u32 %r1, %r1, %r2;` + storeR1,
			func(lane uint32) uint32 {
				if lane < 10 {
					return 37
				}
				return 39
			}},
		{"a loop with another count in every lane", `
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, 0;
LOOP:
	add.u32 %r1, %r1, 3;
	setp.lt.u32 %p0, %r1, %r0;
	@%p0 bra LOOP;` + storeR1,
			func(lane uint32) uint32 { return max(3, (lane+2)/3*3) }},
		{"nested branches", `
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, 0;
	and.b32 %r2, %r0, 1;
	setp.eq.u32 %p0, %r2, 0;
	@%p0 bra EVEN;
	add.u32 %r1, %r1, 1;
	setp.gt.u32 %p1, %r0, 16;
	@!%p1 bra EVEN;
	add.u32 %r1, %r1, 10;
EVEN:
	add.u32 %r1, %r1, 100;` + storeR1,
			func(lane uint32) uint32 {
				switch {
				case lane%2 == 0:
					return 100
				case lane > 16:
					return 111
				}
				return 101
			}},
		{"an indexed branch", `
	mov.u32 %r0, %tid.x;
	and.b32 %r2, %r0, 3;
TARGETS: .branchtargets A, B, C, D;
	brx.idx %r2, TARGETS;
A:	mov.u32 %r1, 10; bra END;
B:	mov.u32 %r1, 11; bra END;
C:	mov.u32 %r1, 12; bra END;
D:	mov.u32 %r1, 13;
END:` + storeR1,
			func(lane uint32) uint32 { return 10 + lane%4 }},
		{"some lanes exit early and the rest use the warp", `
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, 99;
	setp.ge.u32 %p0, %r0, 20;
	@%p0 exit;
	bar.warp.sync 0xffffffff;
	mov.u32 %r1, 1;
	redux.sync.add.u32 %r1, %r1, 0xffffffff;
	bar.sync 0;` + storeR1,
			func(lane uint32) uint32 {
				if lane < 20 {
					return 20
				}
				return 0
			}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			seeds(t, func(t *testing.T, seed int64) {
				e := newEmulation(t, Config{Seed: seed}, 32)
				got, findings := e.run(t, entry("", c.body), threads(32))
				require.Empty(t, findings)
				for lane, v := range got {
					assert.Equal(t, c.want(uint32(lane)), v, "lane %d", lane)
				}
			})
		})
	}
}

func TestProgressBetweenWaiters(t *testing.T) {
	cases := []struct {
		name string
		l    device.Launch
		body string
	}{
		{"a lane spins on a lane of its warp at a higher instruction", threads(32), `
	mov.u32 %r0, %tid.x;
	setp.eq.u32 %p0, %r0, 31;
	@%p0 bra SET;
SPIN:
	ld.volatile.global.u32 %r2, [%rd0+128];
	setp.eq.u32 %p1, %r2, 0;
	@%p1 bra SPIN;
	bra END;
SET:
	st.volatile.global.u32 [%rd0+128], 1;
END:
	mov.u32 %r1, 5;` + storeR1},
		{"a lane spins on a lane of its warp at a lower instruction", threads(32), `
	mov.u32 %r0, %tid.x;
	setp.ne.u32 %p0, %r0, 31;
	@%p0 bra SPIN;
	st.volatile.global.u32 [%rd0+128], 1;
	bra END;
SPIN:
	ld.volatile.global.u32 %r2, [%rd0+128];
	setp.eq.u32 %p1, %r2, 0;
	@%p1 bra SPIN;
END:
	mov.u32 %r1, 5;` + storeR1},
		{"a spin lock inside a warp", threads(32), `
	mov.u32 %r1, 0;
TAKE:
	atom.global.cas.b32 %r2, [%rd0+128], 0, 1;
	setp.ne.u32 %p0, %r2, 0;
	@%p0 bra TAKE;
	ld.volatile.global.u32 %r3, [%rd0+132];
	add.u32 %r3, %r3, 1;
	st.volatile.global.u32 [%rd0+132], %r3;
	atom.global.exch.b32 %r2, [%rd0+128], 0;
WAIT:
	ld.volatile.global.u32 %r3, [%rd0+132];
	setp.lt.u32 %p0, %r3, 32;
	@%p0 bra WAIT;
	mov.u32 %r1, 5;` + storeR1},
		{"a CTA waits for one that starts later", ctas(12, 32, 1), `
	mov.u32 %r0, %ctaid.x;
	setp.eq.u32 %p0, %r0, 11;
	@%p0 bra SET;
SPIN:
	ld.acquire.gpu.global.u32 %r2, [%rd0+128];
	setp.eq.u32 %p1, %r2, 0;
	@%p1 bra SPIN;
	bra END;
SET:
	st.release.gpu.global.u32 [%rd0+128], 1;
END:
	setp.ne.u32 %p0, %r0, 0;
	@%p0 exit;
	mov.u32 %r1, 5;` + storeR1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			seeds(t, func(t *testing.T, seed int64) {
				for workers := 1; workers <= 2; workers++ {
					e := newEmulation(t, Config{Seed: seed, Workers: workers}, 40)
					got, findings := e.run(t, entry("", c.body), c.l)
					require.Empty(t, findings)
					for lane, v := range got[:32] {
						require.Equal(t, uint32(5), v, "lane %d", lane)
					}
				}
			})
		})
	}
}
