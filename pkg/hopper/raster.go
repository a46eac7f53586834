package hopper

// GroupedRaster turns a linear tile index into a tile's (row, column), so that
// tiles that run at the same time lie close together and share operands in the
// L2 cache: columns are taken in groups of the given width, and inside a group
// the index runs along a row first. The last group may be narrower. Rows and
// cols count tiles; index is below their product. Each thread executes it for
// itself: two div.s32, four mul.lo.s32, three sub.s32, one min.s32 and one
// add.s32.
func (k *Kernel) GroupedRaster(index, rows, cols Int, group int) (row, col Int) {
	if group < 1 {
		k.mistake("a raster group of %d columns: it needs at least 1", group)
		group = 1
	}
	if !k.owns("GroupedRaster", index, rows, cols) {
		return k.int32(), k.int32()
	}
	perGroup := rows.Mul(group)
	g := index.Div(perGroup)
	within := index.Sub(g.Mul(perGroup))
	first := g.Mul(group)
	width := cols.Sub(first).Min(group)
	row = within.Div(width)
	return row, first.Add(within.Sub(row.Mul(width)))
}
