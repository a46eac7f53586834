package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOrder: the orders of a grid of 3 x 5 tiles; that of groups of 2 columns is
// the answer to an exercise of V4.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		why    string
		group  int
		across bool
		want   []place
	}{
		{"groups of two columns, the last is narrower", 2, false, []place{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1},
			{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 2}, {2, 3}, {0, 4}, {1, 4}, {2, 4}}},
		{"a group of all columns is row by row", 5, false, []place{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4},
			{1, 0}, {1, 1}, {1, 2}, {1, 3}, {1, 4}, {2, 0}, {2, 1}, {2, 2}, {2, 3}, {2, 4}}},
		{"groups of two rows", 2, true, []place{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {0, 4}, {1, 4},
			{2, 0}, {2, 1}, {2, 2}, {2, 3}, {2, 4}}},
	} {
		order, err := grid{rows: 3, cols: 5, tileM: 128, tileN: 256, group: c.group, across: c.across}.order()
		require.NoError(t, err)
		assert.Equal(t, c.want, order, c.why)
	}
}

// TestOrderTakesEachTileOnce on grids that groups do not divide.
func TestOrderTakesEachTileOnce(t *testing.T) {
	for _, g := range []grid{{rows: 1, cols: 1, group: 8}, {rows: 7, cols: 13, group: 4}, {rows: 13, cols: 7, group: 64}, {rows: 64, cols: 64, group: 7, across: true}} {
		g.tileM, g.tileN = 64, 64
		order, err := g.order()
		require.NoError(t, err)
		seen := map[place]bool{}
		for _, p := range order {
			assert.True(t, p.row >= 0 && p.row < g.rows && p.col >= 0 && p.col < g.cols, "%v of %v", p, g)
			seen[p] = true
		}
		assert.Len(t, seen, g.rows*g.cols)
		assert.Len(t, order, g.rows*g.cols)
	}
}

func TestWaves(t *testing.T) {
	g := grid{rows: 4, cols: 4, tileM: 128, tileN: 256, group: 2}
	order, err := g.order()
	require.NoError(t, err)
	all := waves(order, 6)
	require.Len(t, all, 3)
	assert.Len(t, all[2].tiles, 4, "the last wave is what is left")
	assert.Equal(t, map[int]bool{0: true, 1: true, 2: true}, all[0].rows)
	assert.Equal(t, map[int]bool{0: true, 1: true}, all[0].cols)
	shared, alone := all[0].operands(g)
	assert.Equal(t, 3*128+2*256, shared)
	assert.Equal(t, 6*(128+256), alone)
	assert.Equal(t, "12.6", megabytes(768, 8192), "768 x 8192 x 2 bytes")
}

// TestGroupsTouchLess: what V4 says of 8192 cubed.
func TestGroupsTouchLess(t *testing.T) {
	rows := map[string]int{}
	for _, order := range []string{"linear", "columns"} {
		a := ask("raster", map[string]string{"order": order, "wave": "2"}, "order")
		require.Empty(t, a.Wrong)
		g := grid{rows: 64, cols: 32, tileM: 128, tileN: 256, group: 8}
		if order == "linear" {
			g.group = 32
		}
		tiles, err := g.order()
		require.NoError(t, err)
		rows[order], _ = waves(tiles, 132)[1].operands(g)
	}
	assert.Equal(t, 17*128+8*256, rows["columns"])
	assert.Equal(t, 5*128+32*256, rows["linear"])
}

func TestLineSkipsWhatItPasses(t *testing.T) {
	w := wave{tiles: []place{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}}
	assert.Equal(t, "M49 45L69 45L49 55L69 55", w.line(10))
	assert.Empty(t, w.line(4), "too small for a line")
}

// TestKeptOrder: a kept order does not answer for another grid.
func TestKeptOrder(t *testing.T) {
	all := figures()
	wave := func(group string) string {
		a := query{Figure: "raster", Set: map[string]string{"m": "2048", "n": "2048", "group": group, "sms": "16", "wave": "1"}}.answer(all)
		require.Empty(t, a.Wrong)
		return a.Drawing
	}
	two, four := wave("2"), wave("4")
	assert.NotEqual(t, two, four)
	assert.Equal(t, two, wave("2"))
	assert.Equal(t, two, wave("2"))
}
