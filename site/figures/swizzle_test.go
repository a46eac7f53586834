package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu/tensor"
	"gohopper/pkg/hopper/emu/tma"
)

// TestTileLiesWhereTheCopyPutsIt writes tiles with the tensor copy and finds
// every chunk where the figure says, and where wgmma would look for it.
func TestTileLiesWhereTheCopyPutsIt(t *testing.T) {
	for _, c := range []struct {
		mode    device.Swizzle
		reads   tensor.Swizzle
		columns int // of 2 bytes: one span, and for none a row of its own length
	}{
		{device.SwizzleNone, tensor.NoSwizzle, 40}, {device.Swizzle32B, tensor.Swizzle32, 16},
		{device.Swizzle64B, tensor.Swizzle64, 32}, {device.Swizzle128B, tensor.Swizzle128, 64},
		{device.Swizzle128B, tensor.Swizzle128, 16}, // a row that is shorter than the span
	} {
		const rows = 24
		tl, err := newTile(c.mode, device.MapF16, rows, c.columns)
		require.NoError(t, err)
		memory := make([]byte, rows*tl.box.Pitch())
		for row := range tl.box.Rows(0, rows) {
			line := make([]byte, tl.box.RowBytes())
			for i := range line {
				line[i] = byte(int(row.Offset)/tl.box.Pitch() + 37*(i/chunkBytes)) // row and chunk
			}
			tl.box.Put(memory, 0, row, line)
		}
		for row := range rows {
			for chunk := range c.columns * 2 / chunkBytes {
				plain, at := tl.at(row, chunk*chunkBytes, chunkBytes)
				assert.Equal(t, byte(row+37*chunk), memory[at], "%v, row %d, chunk %d", c.mode, row, chunk)
				assert.Equal(t, uint32(row*tl.box.Pitch()+chunk*chunkBytes), plain)
				assert.Equal(t, c.reads.Apply(plain), at, "what TMA writes, wgmma reads")
				assert.Equal(t, tma.Swizzle(c.mode, plain), at)
			}
		}
	}
}

func TestTurns(t *testing.T) {
	for _, c := range []struct {
		why                 string
		mode, columns, read string
		want                string // turns, and unswizzled
	}{
		{"rows of a line: plain, a column is one group of banks", "none", "64", "ldmatrix", "8, 8"},
		{"the swizzle spreads it over all", "128", "64", "ldmatrix", "1, 8"},
		{"two rows a line: a plain column is in two places", "64", "32", "ldmatrix", "1, 4"},
		{"four rows a line: in four", "32", "16", "ldmatrix", "1, 2"},
		{"rows of 16 bytes have no columns to speak of", "none", "8", "ldmatrix", "1, 1"},
		{"lanes that read an element each still meet in a chunk", "128", "64", "ld", "4, 32"},
	} {
		a := ask("swizzle", map[string]string{"mode": c.mode, "columns": c.columns, "read": c.read, "rows": "32"}, "")
		require.Empty(t, a.Wrong)
		last := a.Table.Rows[len(a.Table.Rows)-1]
		assert.Equal(t, c.want, last[1], c.why)
	}
}

func TestWords(t *testing.T) {
	_, turns := reads{at: []uint32{0, 2, 128, 130}, bytes: 2}.words()
	assert.Equal(t, 2, turns, "lanes that need the same word share it")
	perBank, turns := reads{at: []uint32{4, 6}, bytes: 4}.words()
	assert.Equal(t, 1, turns)
	assert.Equal(t, [2]int{1, 1}, [2]int(perBank[1:3]), "an element across two words needs both")
}

func TestElementIsKeptInTheTile(t *testing.T) {
	a := ask("swizzle", map[string]string{"columns": "16", "rows": "2", "row": "7", "column": "200"}, "rows")
	require.Empty(t, a.Wrong)
	s := settings{controls: a.Controls}
	assert.Equal(t, "1", s.text("row"))
	assert.Equal(t, "15", s.text("column"))
	assert.Equal(t, 15, s.at("column").Max, "the page's field gets the limit")
}
