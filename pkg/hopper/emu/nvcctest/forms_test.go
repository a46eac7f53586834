package nvcctest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/emu"
)

// formModule is a kernel around one instruction, with a register and a
// variable of every kind that the lines of testdata/forms.txt name.
const formModule = `.version 9.0
.target sm_90a
.address_size 64
.visible .entry k(.param .align 64 .b8 map[128], .param .align 16 .b8 arg[16])
.maxntid 384, 1, 1
.minnctapersm 1
{
	.reg .pred p<4>;
	.reg .b16 h<8>;
	.reg .b32 r<128>;
	.reg .f32 f<128>;
	.reg .b64 d<8>;
	.reg .f64 x<8>;
	.shared .align 1024 .b8 smem[4096];
	.shared .align 8 .b64 bar;
	.local .align 16 .b8 frame[64];
	INSTRUCTION
END:
	ret;
}
`

// Every form that the compilers make of real Hopper kernels must compile, and
// so must what they put around instructions.
func TestForms(t *testing.T) {
	text, err := testdata.ReadFile("testdata/forms.txt")
	require.NoError(t, err)
	count := 0
	for l := range strings.Lines(string(text)) {
		l = strings.TrimSpace(l)
		if l == "" || l[0] == '#' {
			continue
		}
		count++
		m := emu.New(emu.Config{})
		mod, err := m.Load(strings.Replace(formModule, "INSTRUCTION", l, 1))
		if assert.NoError(t, err, l) {
			_, err = mod.Kernel("k")
			assert.NoError(t, err, l)
		}
	}
	assert.Equal(t, 218, count, "the list has lost lines")
}

// surroundings has what stands around the instructions of such kernels.
const surroundings = `// a comment first
.version 9.0
.target sm_90a
.address_size 64

.extern .shared .align 16 .b8 small[];
.extern .shared .align 128 .b8 large[];
.global .align 1 .b8 _ZN4cute1_E[1];
.global .align 8 .b8 table[16] = {1, 2, 3};
.visible .entry unused(.param .u64 p) { ret; }
.visible .entry k(
	.param .align 64 .b8 k_param_0[384],
	.param .u32 k_param_1
)
.explicitcluster
.maxntid 128, 1, 1
.reqnctapercluster 2, 1, 1
.minnctapersm 1
{
	.local .align 16 .b8 	__local_depot1[64];
	.reg .b64 	%SP;
	.reg .b64 	%SPL;
	.reg .pred 	%p<3>;
	.reg .b32 	%r<9>;
	.reg .b64 	%rd<9>;
	.loc	1 12 0   // a comment behind it
	mov.u64 	%SPL, __local_depot1;
	cvta.local.u64 	%SP, %SPL;
	mov.b64 	%rd1, k_param_0;
	add.s64 	%rd2, %rd1, 64;
	cvta.param.u64 	%rd3, %rd2;
	ld.param.u32 	%r1, [k_param_0+256];
	mov.u32 	%r2, large;
	mov.u32 	%r3, small;
$L__BB0_1:
	.pragma "nounroll";
	// begin inline asm
	{
	.reg .pred P1;
	LAB_WAIT:
	mbarrier.try_wait.parity.shared::cta.b64 P1, [%r2], %r1;
	@P1 bra DONE;
	bra     LAB_WAIT;
	DONE:
	}
	// end inline asm
	// begin inline asm
	{
	.reg .pred P1;
	LAB_WAIT:
	mbarrier.try_wait.shared.b64 P1, [%r3], %rd3;
	@P1 bra.uni DONE;
	bra.uni LAB_WAIT;
	DONE:
	}
	// end inline asm
	setp.ne.s32 	%p1, %r1, 3;
	@%p1 bra 	$L__BB0_1;
	ret;

}
	.file	1 "kernel.cu"
	.section	.debug_str
	{
$L__info_string0:
.b8 95,90,78
.b8 0

	}
`

func TestSurroundings(t *testing.T) {
	mod, err := emu.New(emu.Config{}).Load(surroundings)
	require.NoError(t, err)
	for _, name := range []string{"unused", "k"} {
		_, err = mod.Kernel(name)
		assert.NoError(t, err, name)
	}
	required := strings.Replace(surroundings, ".maxntid", ".reqntid", 1)
	_, err = emu.New(emu.Config{}).Load(required)
	assert.NoError(t, err)
}
