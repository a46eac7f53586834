package emu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const functions = `
.func (.reg .b32 sum) add3(.reg .b32 a, .reg .b32 b, .reg .b32 c)
{
	add.u32 sum, a, b;
	add.u32 sum, sum, c;
	ret;
}
.func (.param .b32 result) half(.param .b32 n)
{
	.reg .b32 %r<4>;
	.reg .pred %p;
	ld.param.u32 %r0, [n];
	and.b32 %r1, %r0, 1;
	setp.eq.u32 %p, %r1, 0;
	@%p bra EVEN;
	mov.u32 %r2, 1000;
	st.param.b32 [result], %r2;
	ret;
EVEN:
	shr.u32 %r2, %r0, 1;
	st.param.b32 [result], %r2;
	ret;
}
`

func TestCalls(t *testing.T) {
	cases := []struct {
		name, body string
		want       func(tid uint32) uint32
	}{
		{"registers as arguments", `
	call (%r1), add3, (%r0, 5, %r0);`, func(tid uint32) uint32 { return 2*tid + 5 }},
		{"param variables, and lanes that leave at different places", `
	{
	.param .b32 arg;
	.param .b32 res;
	st.param.b32 [arg], %r0;
	call.uni (res), half, (arg);
	ld.param.b32 %r1, [res];
	}`, func(tid uint32) uint32 {
			if tid%2 == 1 {
				return 1000
			}
			return tid / 2
		}},
		{"some lanes call", `
	mov.u32 %r1, 1;
	setp.gt.u32 %p0, %r0, 20;
	@%p0 call (%r1), add3, (%r0, %r0, %r0);`, func(tid uint32) uint32 {
			if tid > 20 {
				return 3 * tid
			}
			return 1
		}},
		{"twice, with registers of their own", `
	call (%r1), add3, (%r0, 1, 1);
	call (%r2), add3, (%r1, %r1, %r0);
	mov.u32 %r1, %r2;`, func(tid uint32) uint32 { return 3*tid + 4 }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := newEmulation(t, Config{}, 32)
			got, findings := e.run(t, entry(functions, "\n\tmov.u32 %r0, %tid.x;"+c.body+storeR1), threads(32))
			require.Empty(t, findings)
			for tid, v := range got {
				require.Equal(t, c.want(uint32(tid)), v, "thread %d", tid)
			}
		})
	}
}

func TestRecursionRefused(t *testing.T) {
	_, err := New(Config{}).Load(entry(`
.func again()
{
	call again;
	ret;
}
`, "\n\tcall again;\n\tret;"))
	assert.ErrorContains(t, err, "again calls itself; the emulator runs no recursion")
}

func TestTrap(t *testing.T) {
	e := newEmulation(t, Config{}, 1)
	got, findings := e.run(t, entry("", `
	trap;
	mov.u32 %r1, 1;`+storeR1), threads(32))
	require.Len(t, findings, 1)
	assert.Equal(t, "trap", findings[0].Rule)
	assert.Zero(t, got[0], "nothing runs after it")
}
