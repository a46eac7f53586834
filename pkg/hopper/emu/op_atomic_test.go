package emu

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAtomics(t *testing.T) {
	cases := []struct {
		name string
		init uint32
		op   string // on [%rd0] by 32 lanes; %r0 is the lane
		want uint32
	}{
		{"add", 5, "red.global.add.u32 [%rd0], %r0;", 5 + 496},
		{"signed maximum", 0xfffffff0, "red.global.max.s32 [%rd0], %r0;", 31},
		{"signed minimum", 0xfffffff0, "red.global.min.s32 [%rd0], %r0;", 0xfffffff0},
		{"unsigned minimum", 0xfffffff0, "red.global.min.u32 [%rd0], %r0;", 0},
		{"or", 1, "red.global.or.b32 [%rd0], %r0;", 31},
		{"and", 0xff, "red.global.and.b32 [%rd0], %r0;", 0},
		{"xor", 7, "atom.global.xor.b32 %r2, [%rd0], %r0;", 7},
		{"inc wraps", 0, "atom.global.inc.u32 %r2, [%rd0], 9;", 2},
		{"dec wraps", 0, "atom.global.dec.u32 %r2, [%rd0], 9;", 8},
		{"compare and swap, once", 77, "atom.global.cas.b32 %r2, [%rd0], 77, 3;", 3},
		{"exchange", 0, "atom.global.exch.b32 %r2, [%rd0], 12;", 12},
		{"float32", math.Float32bits(0.5), "red.global.add.f32 [%rd0], 0f3F800000;", math.Float32bits(32.5)},
		{"a pair of float16", 0x3c003800, "red.global.add.noftz.f16x2 [%rd0], %r3;", 0x50205010},
		{"through a generic address", 0, "atom.add.u32 %r2, [%rd0], 2;", 64},
		{"relaxed at GPU scope", 0, "red.relaxed.gpu.global.add.u32 [%rd0], 1;", 32},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := newEmulation(t, Config{}, 1)
			got, findings := e.run(t, entry("", `
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, `+itoa(int(c.init))+`;
	mov.b32 %r3, 0x3c003c00;
	st.global.u32 [%rd0], %r1;
	bar.sync 0;
	`+c.op+`
	ret;`), threads(32))
			require.Empty(t, findings)
			assert.Equal(t, c.want, got[0])
		})
	}
}
