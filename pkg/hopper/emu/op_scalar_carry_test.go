package emu

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

// TestCarryChains runs instructions that pass a carry on. Results are those of
// an H200.
func TestCarryChains(t *testing.T) {
	cases := []struct {
		name string
		body string // leaves its results in %r1 and %r2
		want [2]uint32
	}{
		{"a carry reaches the upper word", `add.cc.u32 %r1, 0xffffffff, 1; addc.u32 %r2, 5, 7;`, [2]uint32{0, 13}},
		{"no carry", `add.cc.u32 %r1, 0xfffffffe, 1; addc.u32 %r2, 5, 7;`, [2]uint32{0xffffffff, 12}},
		{"addc.cc passes on the carry of its own sum", `add.cc.u32 %r1, 0xffffffff, 1; addc.cc.u32 %r1, 0xffffffff, 0;
			addc.u32 %r2, 0, 0;`, [2]uint32{0, 1}},
		{"addc without .cc leaves the flag", `add.cc.u32 %r1, 0xffffffff, 1; addc.u32 %r1, 0, 0; addc.u32 %r2, 0, 0;`, [2]uint32{1, 1}},
		{"an add without .cc leaves the flag", `add.cc.u32 %r1, 0xffffffff, 1; add.u32 %r1, 2, 2; addc.u32 %r2, 0, 0;`, [2]uint32{4, 1}},
		{"a borrow reaches the upper word", `sub.cc.u32 %r1, 1, 2; subc.u32 %r2, 5, 1;`, [2]uint32{0xffffffff, 3}},
		{"no borrow", `sub.cc.u32 %r1, 2, 2; subc.u32 %r2, 5, 1;`, [2]uint32{0, 4}},
		{"after a subtraction the flag is set where nothing was borrowed", `sub.cc.u32 %r1, 2, 1; addc.u32 %r2, 0, 0;`, [2]uint32{1, 1}},
		{"a product's low word carries", `mad.lo.cc.u32 %r1, 0x10000, 0xffff, 0x10000; madc.hi.u32 %r2, 0x10000, 0xffff, 0;`, [2]uint32{0, 1}},
		{"a signed upper word", `mad.lo.cc.s32 %r1, -1, 1, 1; madc.hi.s32 %r2, -1, 1, 0;`, [2]uint32{0, 0}},
		{"64-bit words", `add.cc.u64 %d1, -1, 1; addc.u64 %d2, 0, 0; cvt.u32.u64 %r1, %d1; cvt.u32.u64 %r2, %d2;`, [2]uint32{0, 1}},
		{"only the lanes that run set their flag", `add.cc.u32 %r1, 0xffffffff, 1; @%odd add.cc.u32 %r1, 0, 1;
			addc.u32 %r2, 0, 0;`, [2]uint32{0, 1}},
	}
	m := New(Config{Workers: 1})
	out, err := m.Alloc(8 * lanes)
	require.NoError(t, err)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			mod, err := m.Load(fmt.Sprintf(`.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .b32 %%r<4>;
	.reg .b64 %%d<4>;
	.reg .pred %%odd;
	mov.u32 %%r3, %%tid.x;
	and.b32 %%r0, %%r3, 1;
	setp.ne.u32 %%odd, %%r0, 0;
	%s
	ld.param.u64 %%d0, [out];
	mul.wide.u32 %%d3, %%r3, 8;
	add.s64 %%d0, %%d0, %%d3;
	st.global.v2.b32 [%%d0], {%%r1, %%r2};
	ret;
}
`, strings.TrimSpace(c.body)))
			require.NoError(t, err)
			k, err := mod.Kernel("k")
			require.NoError(t, err)
			one := [3]int{1, 1, 1}
			require.NoError(t, k.Launch(device.Launch{Grid: one, Block: [3]int{lanes, 1, 1}}, device.Pointer(out)))
			require.NoError(t, m.Synchronize())
			got := make([]byte, 8)
			require.NoError(t, m.Download(got, out))
			low, high := binary.LittleEndian.Uint32(got), binary.LittleEndian.Uint32(got[4:])
			assert.Equal(t, c.want, [2]uint32{low, high}, "lane 0")
		})
	}
}
