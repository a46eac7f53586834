package emu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWarpExchange(t *testing.T) {
	cases := []struct {
		name, body string
		want       func(lane uint32) uint32
	}{
		{"idx reads one lane", `
	shfl.sync.idx.b32 %r1, %r0, 3, 31, 0xffffffff;`,
			func(uint32) uint32 { return 3 }},
		{"idx within segments of 8", `
	shfl.sync.idx.b32 %r1, %r0, 2, 0x181f, 0xffffffff;`,
			func(lane uint32) uint32 { return lane&^7 + 2 }},
		{"up keeps the lowest lanes' own and says so", `
	shfl.sync.up.b32 %r1|%p0, %r0, 4, 0, 0xffffffff;
	@!%p0 add.u32 %r1, %r1, 100;`,
			func(lane uint32) uint32 {
				if lane < 4 {
					return lane + 100
				}
				return lane - 4
			}},
		{"down within segments of 16", `
	shfl.sync.down.b32 %r1|%p0, %r0, 1, 0x101f, 0xffffffff;
	@!%p0 add.u32 %r1, %r1, 100;`,
			func(lane uint32) uint32 {
				if lane%16 == 15 {
					return lane + 100
				}
				return lane + 1
			}},
		{"butterfly", `
	shfl.sync.bfly.b32 %r1, %r0, 5, 31, 0xffffffff;`,
			func(lane uint32) uint32 { return lane ^ 5 }},
		{"halves of a warp with masks of their own", `
	setp.lt.u32 %p0, %r0, 16;
	selp.b32 %r2, 0xffff, 0xffff0000, %p0;
	redux.sync.add.u32 %r1, %r0, %r2;`,
			func(lane uint32) uint32 {
				if lane < 16 {
					return 120
				}
				return 376
			}},
		{"ballot", `
	setp.ge.u32 %p0, %r0, 28;
	vote.sync.ballot.b32 %r1, %p0, 0xffffffff;`,
			func(uint32) uint32 { return 0xf0000000 }},
		{"all, any and uni", `
	setp.lt.u32 %p0, %r0, 31;
	vote.sync.all.pred %p1, %p0, 0xffffffff;
	vote.sync.any.pred %p2, %p0, 0xffffffff;
	vote.sync.uni.pred %p3, !%p0, 0xffffffff;
	vote.sync.uni.pred %p4, %p2, 0xffffffff;
	selp.u32 %r1, 1, 0, %p1;
	@%p2 add.u32 %r1, %r1, 2;
	@%p3 add.u32 %r1, %r1, 4;
	@%p4 add.u32 %r1, %r1, 8;`,
			func(uint32) uint32 { return 10 }},
		{"signed minimum", `
	sub.s32 %r2, %r0, 20;
	redux.sync.min.s32 %r1, %r2, 0xffffffff;
	add.s32 %r1, %r1, 100;`,
			func(uint32) uint32 { return 80 }},
		{"match any", `
	and.b32 %r2, %r0, 3;
	match.any.sync.b32 %r1, %r2, 0xffffffff;`,
			func(lane uint32) uint32 { return 0x11111111 << (lane % 4) }},
		{"match all", `
	mov.u32 %r2, 9;
	match.all.sync.b32 %r1|%p0, %r2, 0xffffffff;
	match.all.sync.b32 %r3|%p1, %r0, 0xffffffff;
	@%p1 mov.u32 %r1, 0;
	@!%p0 mov.u32 %r1, 0;`,
			func(uint32) uint32 { return 0xffffffff }},
		{"elect chooses one lane", `
	mov.u32 %r1, 8;
	setp.lt.u32 %p1, %r0, 8;
	@%p1 bra END;
	elect.sync %r2|%p0, 0xffffff00;
	selp.u32 %r1, 50, %r2, %p0;
END:`,
			func(lane uint32) uint32 {
				if lane == 8 {
					return 50
				}
				return 8
			}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := newEmulation(t, Config{}, 32)
			body := "\n\tmov.u32 %r0, %tid.x;\n\tmov.u32 %r1, 0;" + c.body
			got, findings := e.run(t, entry("", body+storeR1), threads(32))
			require.Empty(t, findings)
			for lane, v := range got {
				assert.Equal(t, c.want(uint32(lane)), v, "lane %d", lane)
			}
		})
	}
}

func TestMembermaskFindings(t *testing.T) {
	cases := []struct{ name, body, message string }{
		{"a lane outside its own mask", `
	mov.u32 %r0, %tid.x;
	redux.sync.add.u32 %r1, %r0, 0x7fffffff;`, "lane 31 is not in its own membermask 0x7fffffff"},
		{"a lane that reads from one that does not take part", `
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, 0;
	setp.lt.u32 %p0, %r0, 16;
	@!%p0 bra END;
	shfl.sync.idx.b32 %r1, %r0, 20, 31, 0xffff;
END:`, "lane 0 reads from lane 20, which does not take part"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := newEmulation(t, Config{}, 32)
			_, findings := e.run(t, entry("", c.body+storeR1), threads(32))
			require.Len(t, findings, 1)
			assert.Equal(t, "membermask", findings[0].Rule)
			assert.Equal(t, c.message, findings[0].Message)
		})
	}
}

// Lanes may meet at bar.warp.sync from different instructions.
func TestWarpBarrierAcrossBranches(t *testing.T) {
	const body = `
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, 0;
	setp.eq.u32 %p0, %r0, 0;
	@!%p0 bra REST;
	mov.u32 %r2, 77;
	st.shared.u32 [word], %r2;
	bar.warp.sync 0xffffffff;
	bra END;
REST:
	bar.warp.sync 0xffffffff;
	ld.shared.u32 %r1, [word];
END:`
	seeds(t, func(t *testing.T, seed int64) {
		e := newEmulation(t, Config{Seed: seed}, 32)
		got, findings := e.run(t, entry(".shared .b32 word;\n", body+storeR1), threads(32))
		require.Empty(t, findings)
		require.Equal(t, uint32(77), got[31])
	})
}
