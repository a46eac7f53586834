package excerpt

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const kernel = `.visible .entry k()
{
	.reg .pred %p<2>;
	wgmma.fence.sync.aligned;
	wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {
		%f0, %f1
	}, %rd1, %rd2, 1, 1, 1, 0, 0;
	@%p1 bra $L1;
$L1:
	ret;
}
`

func TestInstruction(t *testing.T) {
	path := file(t, "kernel.ptx", kernel)
	for _, c := range []struct {
		why, opcode string
		want        Lines
	}{
		{"one line, the first that fits", "wgmma", Lines{"wgmma.fence.sync.aligned;\n", 4}},
		{"all the lines of a list", "wgmma.mma_async", Lines{"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {\n\t%f0, %f1\n}, %rd1, %rd2, 1, 1, 1, 0, 0;\n", 5}},
		{"after a guard", "bra", Lines{"@%p1 bra $L1;\n", 8}},
		{"without operands", "ret", Lines{"ret;\n", 10}},
	} {
		got, err := Instruction(path, c.opcode)
		require.NoError(t, err, c.why)
		assert.Equal(t, c.want, got, c.why)
	}
	for why, opcode := range map[string]string{
		"absent": "bar", "half a word": "wgm", "nothing": "", "a directive is no instruction": "reg",
	} {
		_, err := Instruction(path, opcode)
		assert.EqualError(t, err, path+" has no instruction "+opcode, why)
	}
}

func TestCount(t *testing.T) {
	path := file(t, "counts.txt", "   4  wgmma.fence.sync.aligned\n  16  wgmma.mma_async.sync.aligned\n   1  bar.sync\n")
	for opcode, want := range map[string]int{"wgmma": 20, "wgmma.mma_async": 16, "bar.sync": 1} {
		n, err := Count(path, opcode)
		require.NoError(t, err)
		assert.Equal(t, want, n, opcode)
	}
	_, err := Count(path, "ldmatrix")
	assert.EqualError(t, err, path+" counts no ldmatrix")
	_, err = Count(file(t, "counts.txt", "wgmma\n"), "wgmma")
	assert.ErrorContains(t, err, `counts.txt:1: "wgmma" is not a number and an opcode`)
	_, err = Count(file(t, "counts.txt", "two wgmma\n"), "wgmma")
	assert.ErrorContains(t, err, `counts.txt:1: "two" is not a number`)
}
