package emu

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// callable are functions that an indirect call can reach, a table of them and
// another name.
const callable = `
.file 1 "kernel.cu"
.file 2 "words.cuh"
.func (.param .b32 r) inc(.param .b32 x)
{
	.reg .b32 %r<2>;
	ld.param.b32 %r0, [x];
	add.u32 %r1, %r0, 1;
	st.param.b32 [r], %r1;
	ret;
}
.func (.param .b32 r) triple(.param .b32 x)
{
	.reg .b32 %r<2>;
	ld.param.b32 %r0, [x];
	mul.lo.u32 %r1, %r0, 3;
	st.param.b32 [r], %r1;
	ret;
}
.func other(.param .b32 x)
{
	ret;
}
.alias again, triple;
.global .u64 table[3] = {inc, triple, other};
`

// through calls what %rd1 holds with %r0 and puts the result in %r1.
const through = `
	{
	.param .b32 arg;
	.param .b32 res;
	st.param.b32 [arg], %r0;
	proto: .callprototype (.param .b32 _) _ (.param .b32 _);
	call (res), %rd1, (arg), proto;
	ld.param.b32 %r1, [res];
	}`

func TestIndirectCalls(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       func(tid uint32) uint32
	}{
		{"a table, by lane", `
	and.b32 %r2, %r0, 1;
	mul.wide.u32 %rd1, %r2, 8;
	mov.u64 %rd2, table;
	add.u64 %rd1, %rd1, %rd2;
	ld.global.u64 %rd1, [%rd1];` + through, func(tid uint32) uint32 {
			if tid%2 == 0 {
				return tid + 1
			}
			return 3 * tid
		}},
		{"an address in a register", "\n\tmov.u64 %rd1, inc;" + through, func(tid uint32) uint32 { return tid + 1 }},
		{"an alias", "\n\tmov.u64 %rd1, again;" + through, func(tid uint32) uint32 { return 3 * tid }},
		{"a direct call of an alias", `
	{
	.param .b32 arg;
	.param .b32 res;
	st.param.b32 [arg], %r0;
	call (res), again, (arg);
	ld.param.b32 %r1, [res];
	}`, func(tid uint32) uint32 { return 3 * tid }},
		{"a list of targets", `
	mov.u64 %rd1, triple;` + strings.Replace(through, "callprototype (.param .b32 _) _ (.param .b32 _)", "calltargets inc, triple", 1),
			func(tid uint32) uint32 { return 3 * tid }},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEmulation(t, Config{}, 32)
			got, findings := e.run(t, entry(callable, "\n\tmov.u32 %r0, %tid.x;"+c.body+storeR1), threads(32))
			require.Empty(t, findings)
			for tid, v := range got {
				require.Equal(t, c.want(uint32(tid)), v, "thread %d", tid)
			}
		})
	}
}

func TestCallToNoFunction(t *testing.T) {
	e := newEmulation(t, Config{}, 32)
	got, findings := e.run(t, entry(callable, `
	mov.u32 %r0, %tid.x;
	mov.u64 %rd1, inc;
	setp.eq.u32 %p0, %r0, 7;
	@%p0 mov.u64 %rd1, 64;`+through+storeR1), threads(32))
	require.Len(t, findings, 1)
	assert.Equal(t, "call", findings[0].Rule)
	assert.Contains(t, findings[0].Message, "calls 0x40, which is the address of no function that this call can reach")
	assert.EqualValues(t, 1<<7, findings[0].At.Lanes)
	assert.EqualValues(t, 7, got[6], "the others go on")
	assert.Zero(t, got[7], "this thread does not")
}

// An initialiser may hold generic addresses and single bytes of one.
func TestAddressesInInitialisers(t *testing.T) {
	e := newEmulation(t, Config{}, 32)
	got, findings := e.run(t, entry(`
.const .b32 seven[2] = {5, 7};
.global .b32 nine[3] = {8, 8, 9};
.global .u64 pointers[2] = {generic(seven)+4, nine+8};
.global .u8 bytes[8] = {0xFF(nine), 0xFF00(nine), 0xFF0000(nine), 0xFF000000(nine), 0xFF00000000(nine), 0xFF0000000000(nine), 0xFF000000000000(nine), 0xFF00000000000000(nine)};
`, `
	ld.global.u64 %rd1, [pointers];
	ld.u32 %r1, [%rd1];
	ld.global.u64 %rd1, [pointers+8];
	ld.global.u32 %r2, [%rd1];
	mad.lo.u32 %r1, %r1, 100, %r2;
	mov.u64 %rd2, 0;
	mov.u32 %r3, 8;
BYTES:
	sub.u32 %r3, %r3, 1;
	mov.u64 %rd3, bytes;
	cvt.u64.u32 %rd4, %r3;
	add.u64 %rd3, %rd3, %rd4;
	ld.global.u8 %rd5, [%rd3];
	shl.b64 %rd2, %rd2, 8;
	or.b64 %rd2, %rd2, %rd5;
	setp.ne.u32 %p0, %r3, 0;
	@%p0 bra BYTES;
	ld.global.u32 %r2, [%rd2+8];
	mad.lo.u32 %r1, %r1, 100, %r2;`+storeR1), threads(1))
	require.Empty(t, findings)
	assert.EqualValues(t, 70909, got[0])
}

// assert and printf are calls to functions of the driver.
func TestSuppliedFunctions(t *testing.T) {
	const declarations = `
.file 1 "kernel.cu"
.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c);
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);
.global .b8 message[6] = {120, 32, 62, 32, 48, 0};
.global .b8 name[5] = {97, 46, 99, 117, 0};
.global .b8 format[4] = {37, 100, 10, 0};
`
	const body = `
	.loc 1 12 3
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, 4;
	setp.eq.u32 %p0, %r0, FAILS;
	@!%p0 bra PAST;
	{
	.param .b64 f;
	.param .b64 v;
	.param .b32 r;
	mov.u64 %rd1, format;
	st.param.b64 [f], %rd1;
	st.param.b64 [v], 0;
	call (r), vprintf, (f, v);
	ld.param.b32 %r1, [r];
	}
	{
	.param .b64 m;
	.param .b64 f;
	.param .b32 l;
	.param .b64 n;
	.param .b64 c;
	mov.u64 %rd1, message;
	st.param.b64 [m], %rd1;
	mov.u64 %rd1, name;
	st.param.b64 [f], %rd1;
	st.param.b32 [l], 31;
	st.param.b64 [n], %rd1;
	st.param.b64 [c], 1;
	call __assertfail, (m, f, l, n, c);
	}
PAST:`
	at := func(thread string) string {
		return entry(declarations, strings.Replace(body, "FAILS", thread, 1)+storeR1)
	}
	e := newEmulation(t, Config{}, 32)
	got, findings := e.run(t, at("99"), threads(32))
	require.Empty(t, findings, "a branch that is not taken")
	require.EqualValues(t, 4, got[3])

	_, findings = newEmulation(t, Config{}, 32).run(t, at("3"), threads(32))
	require.Len(t, findings, 2)
	assert.Equal(t, `calls printf with the format "%d\n", and the emulator prints nothing`, findings[0].Message)
	assert.Equal(t, "assert", findings[1].Rule)
	assert.Equal(t, "the assertion x > 0 failed at a.cu:31 in a.cu", findings[1].Message)
	assert.Equal(t, "kernel.cu:12", findings[1].At.Source)
}

// A finding inside a function names the calls that lead there, those that the
// CUDA compiler inlined and those of the PTX.
func TestCallsOfAFinding(t *testing.T) {
	e := newEmulation(t, Config{}, 32)
	_, findings := e.run(t, entry(`
.file 1 "kernel.cu"
.file 2 "words.cuh"
.func store(.reg .b64 p)
{
	.loc 2 7 3
	.loc 2 3 5, function_name $L__name, inlined_at 2 7 3
	st.global.u32 [p+4096], 1;
	ret;
}
`, `
	.loc 1 20 3
	call store, (%rd0);
	.loc 1 30 3
	call store, (%rd0);
	ret;`), threads(1))
	require.Len(t, findings, 2, "one for each way there")
	assert.Equal(t, "words.cuh:3", findings[0].At.Source)
	assert.Equal(t, []string{"words.cuh:7", "kernel.cu:20"}, findings[0].At.Calls)
	assert.Equal(t, []string{"words.cuh:7", "kernel.cu:30"}, findings[1].At.Calls)
	assert.Contains(t, findings[0].String(), "at words.cuh:3, called at words.cuh:7, called at kernel.cu:20 (ptx line ")
}

// In a debug build all variables live in local memory; one without a value may
// be passed on.
func TestUninitializedLocal(t *testing.T) {
	text := entry(".file 1 \"kernel.cu\"\n", `
	.local .b32 x;
	mov.u32 %r0, %tid.x;
	ld.local.u32 %r1, [x];`+storeR1)
	_, findings := newEmulation(t, Config{}, 32).run(t, text, threads(32))
	require.Len(t, findings, 1)
	assert.Equal(t, "uninitialized", findings[0].Rule)

	text = strings.Replace(text, ".target sm_90a", ".target sm_90a, debug", 1)
	_, findings = newEmulation(t, Config{}, 32).run(t, text, threads(32))
	assert.Empty(t, findings)
}

// Cooperative groups keep barriers in shared memory that the hardware reserves;
// other kernels may not touch it.
func TestReservedShared(t *testing.T) {
	_, findings := newEmulation(t, Config{}, 32).run(t, entry("", `
	mov.u32 %r0, %tid.x;
	mov.u32 %r2, %reserved_smem_offset_1;
	ld.shared.u32 %r1, [%r2+284];`+storeR1), threads(32))
	assert.Empty(t, findings)

	_, findings = newEmulation(t, Config{}, 32).run(t, entry("", `
	mov.u32 %r0, %tid.x;
	mov.u32 %r2, 512;
	ld.shared.u32 %r1, [%r2+284];`+storeR1), threads(32))
	require.Len(t, findings, 1)
	assert.Equal(t, "out-of-bounds", findings[0].Rule)
}
