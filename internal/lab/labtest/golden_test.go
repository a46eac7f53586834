package labtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/ptx"
)

func TestGoldenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "testdata", "kernel.ptx")
	assert.EqualError(t, golden(path, "a\n", false), path+" does not exist")
	require.NoError(t, golden(path, "a\nb\nc\n", true), "-update makes the folder, too")
	require.NoError(t, golden(path, "a\nb\nc\n", false))
	assert.EqualError(t, golden(path, "a\nb\nd\n", false),
		path+" differs from what the kernel records, first in line 3:\n    a\n    b\n  - c\n  + d")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "a\nb\nc\n", string(data), "without -update nothing is written")
	require.NoError(t, golden(path, "a\nb\nd\n", true))
	require.NoError(t, golden(path, "a\nb\nd\n", false))
	assert.Error(t, golden(filepath.Dir(path), "a", true), "a folder is no golden")
}

func TestDifference(t *testing.T) {
	for _, c := range []struct{ why, want, got, says string }{
		{"in the first line", "a\nb", "x\nb", "line 1:\n  - a\n  + x"},
		{"two lines lead up to it", "a\nb\nc\nd", "a\nb\nc\nx", "line 4:\n    b\n    c\n  - d\n  + x"},
		{"a line more", "a", "a\nb", "line 2:\n    a\n  - (the text has ended)\n  + b"},
		{"a line less", "a\nb", "a", "line 2:\n    a\n  - b\n  + (the text has ended)"},
	} {
		assert.Equal(t, c.says, difference(c.want, c.got), c.why)
	}
}

func TestCounts(t *testing.T) {
	m, err := ptx.Parse(`.version 8.0
.target sm_90a
.address_size 64
.visible .entry k()
{
	.reg .pred %p<2>;
	.reg .b32 %r<2>;
	mov.u32 %r0, 1;
	bar.sync 0;
	{
		wgmma.fence.sync.aligned;
		bar.sync 0;
	}
	@%p1 bar.sync 1;
	barrier.cluster.arrive;
	ret;
}
`)
	require.NoError(t, err)
	assert.Equal(t, "   3  bar.sync\n   1  barrier.cluster.arrive\n   1  wgmma.fence.sync.aligned\n", counts(m),
		"inside blocks and under guards too; a mov is nobody's lesson")
}
