package main

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/emu/tensor"
)

func TestFieldsAndValueFollowEachOther(t *testing.T) {
	set := map[string]string{"start": "2080", "leading": "4096", "stride": "512", "base": "5", "swizzle": "2"}
	a := ask("descriptor", set, "start")
	require.Empty(t, a.Wrong)
	s := settings{controls: a.Controls}
	d := s.text("value")
	for _, other := range []string{"start", "base"} { // the fields as they were; the value counts
		back := ask("descriptor", map[string]string{"value": d, other: "0"}, "value")
		require.Empty(t, back.Wrong)
		for name, want := range set {
			assert.Equal(t, want, (&settings{controls: back.Controls}).text(name), name)
		}
	}
	assert.Equal(t, "0x800a002001000082", d)
}

// TestDefaultIsThatOfTheLessons: the high word is the constant that V1's kernel
// has, and the low one has its leading offset.
func TestDefaultIsThatOfTheLessons(t *testing.T) {
	text, err := os.ReadFile("../../lessons/v1/testdata/kernel.ptx")
	require.NoError(t, err)
	assert.Contains(t, string(text), ", 1073741888};")
	assert.Contains(t, string(text), ", 65536;")
	s := settings{controls: descriptorControls()}
	value, err := strconv.ParseUint(s.text("value"), 0, 64)
	require.NoError(t, err)
	assert.Equal(t, uint64(1073741888), value>>32)
	assert.Equal(t, uint64(65536), value&0xffff0000)
}

// TestChunksAreNamedRight: the first element of every chunk, as the drawing
// names it, is the one that the tensor core takes from there.
func TestChunksAreNamedRight(t *testing.T) {
	for _, c := range []struct {
		why     string
		operand tensor.Operand
		value   tensor.Descriptor
	}{
		{"f16 along K, 128 bytes", tensor.Operand{Type: tensor.F16, Rows: 24}, 0x4000004000010040},
		{"f16 along K, unswizzled", tensor.Operand{Type: tensor.F16, Rows: 16}, 0x0000001000080000},
		{"e4m3 along K, 64 bytes", tensor.Operand{Type: tensor.E4M3, Rows: 16}, 0x8000002000010020},
		{"f16 along M", tensor.Operand{Type: tensor.F16, Rows: 64, MNMajor: true}, 0x4000004002000040},
	} {
		memory := make([]byte, 1<<16)
		for i := range memory {
			memory[i] = byte(i*7+i>>8*13) & 0x37 // a number in both types
		}
		at := c.operand.Chunks(nil, c.value)
		k := c.operand.K()
		right := c.operand.GatherRight(make([]float32, c.operand.Rows*k), memory, at)
		for i, address := range at {
			row, first := i/2, i%2*c.operand.Type.PerChunk()
			if c.operand.MNMajor {
				row, first = i%(c.operand.Rows/8)*8, i/(c.operand.Rows/8)
			}
			alone := c.operand.GatherRight(make([]float32, c.operand.Rows*k), memory, repeat(address, len(at)))
			assert.Equal(t, alone.Elements[0], right.Elements[row*right.StepN+first*right.StepK], "%s, chunk %d: %s", c.why, i, part(c.operand, i))
		}
	}
}

func repeat(address uint32, n int) []uint32 {
	all := make([]uint32, n)
	for i := range all {
		all[i] = address
	}
	return all
}

func TestDescriptorWords(t *testing.T) {
	a := ask("descriptor", map[string]string{"chunk": "6"}, "")
	assert.Contains(t, a.Said, "row 3, k = 0 to 7, is 384 bytes behind the start, at address 1408 = 0x580; the swizzle makes that 1456 = 0x5b0.")
	a = ask("descriptor", map[string]string{"swizzle": "0", "leading": "0"}, "swizzle")
	assert.Contains(t, a.Said, "16 chunks are read more than once", "without a leading offset both chunks of a row are one")
	a = ask("descriptor", map[string]string{"start": "262128"}, "start")
	assert.Contains(t, a.Said, "a CTA has 232448 bytes of shared memory")
}
