package main

import (
	"fmt"
	"strconv"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu/tma"
)

func swizzleControls() []control {
	return []control{
		choice("mode", "swizzle", "128", option{"none", "none"}, option{"32", "32 bytes"}, option{"64", "64 bytes"}, option{"128", "128 bytes"}),
		choice("type", "elements", "16", option{"8", "8 bits"}, option{"16", "16 bits: f16, bf16"}, option{"32", "32 bits: f32, tf32"}),
		number("rows", "rows of the tile", 8, 1, 32, 1),
		number("columns", "columns", 64, 4, 256, 4),
		number("row", "element in row", 3, 0, 31, 1),
		number("column", "and column", 18, 0, 255, 1),
		choice("read", "a column is read by", "ldmatrix", option{"ldmatrix", "ldmatrix: 8 rows, 16 bytes each"},
			option{"ld", "ld.shared: all rows, an element each"}),
	}
}

// tile is a box of a tensor map in shared memory, at a multiple of 1,024 bytes,
// which is written here as address 0.
type tile struct {
	box  *tma.Box
	size int // bytes of an element
}

// newTile encodes a tensor map of one tile and takes the tile from it. The
// error is that of the map.
func newTile(mode device.Swizzle, of device.MapType, rows, columns int) (tile, error) {
	m := device.TensorMap{
		Type: of, Address: 0x10000, Dims: []uint64{uint64(columns), uint64(rows)}, Strides: []uint64{4096},
		Box: []uint32{uint32(columns), uint32(rows)}, Swizzle: mode,
	}
	if err := m.Validate(); err != nil {
		return tile{}, err
	}
	encoded := [128]byte(tma.Encode(m))
	decoded, err := tma.Decode(&encoded)
	if err != nil {
		return tile{}, err
	}
	box, err := decoded.At([]int32{0, 0})
	return tile{box, of.Bytes()}, err
}

// at is where bytes of a row lie, from the row's byte first on; they are within
// one chunk. Plain is the address that they would have in plain order.
func (t tile) at(row, first, bytes int) (plain, address uint32) {
	for r := range t.box.Rows(row, row+1) {
		plain = r.Offset + uint32(first)
		for a := range t.box.Chunks(0, r, first, first+bytes) {
			return plain, a
		}
	}
	return plain, plain
}

// column is the reads of a column: chunk c of eight rows, or element c of all.
func (t tile) column(read string, from, c int) reads {
	rows, bytes := t.box.NumRows(), t.size
	if read == "ldmatrix" {
		rows, bytes = min(rows, from+8), chunkBytes
	} else {
		from = 0
	}
	r := reads{bytes: uint32(bytes)}
	for row := from; row < rows; row++ {
		_, a := t.at(row, c*bytes, bytes)
		r.at = append(r.at, a)
	}
	return r
}

func drawSwizzle(s *settings, a *answer) {
	mode := map[string]device.Swizzle{"none": device.SwizzleNone, "32": device.Swizzle32B, "64": device.Swizzle64B, "128": device.Swizzle128B}[s.text("mode")]
	of := map[string]device.MapType{"8": device.MapU8, "16": device.MapF16, "32": device.MapF32}[s.text("type")]
	rows, columns := s.whole("rows"), s.within("columns", 256/of.Bytes())
	row, column := s.within("row", rows-1), s.within("column", columns-1)
	t, err := newTile(mode, of, rows, columns)
	if err != nil {
		s.fail("%v", err)
		return
	}
	plainTile, err := newTile(device.SwizzleNone, of, rows, columns)
	if err != nil {
		s.fail("%v", err)
		return
	}
	read, first := s.text("read"), row/8*8
	c := column
	if read == "ldmatrix" {
		c = column * t.size / chunkBytes
	}
	now, before := t.column(read, first, c), plainTile.column(read, first, c)

	d := &svg{}
	d.memory(0, t.chunks(row, column, now))
	y := d.high + 16
	d.text("words start", 0, y, "words that each bank gives for the column:")
	y = d.banks(y+6, "here", now)
	if mode != device.SwizzleNone {
		d.banks(y, "plain", before)
	}
	plain, at := t.at(row, column*t.size, t.size)
	_, turns := now.words()
	_, turnsBefore := before.words()
	a.Drawing = d.finish(fmt.Sprintf("Shared memory, 128 bytes a line, with the chunks of a tile of %d by %d elements in it; a column of it is marked", rows, columns))
	a.Said = fmt.Sprintf("Element (%d, %d) lies at byte %d: in plain order it would lie at %d, and exclusive or with %d moves it. ", row, column, at, plain, plain^at)
	if plain == at {
		a.Said = fmt.Sprintf("Element (%d, %d) lies at byte %d, as in plain order. ", row, column, at)
	}
	a.Said += fmt.Sprintf("Reading the column takes %s", count(turns, "turn"))
	if mode != device.SwizzleNone {
		a.Said += fmt.Sprintf("; without the swizzle %s", count(turnsBefore, "turn"))
	}
	a.Said += "."
	a.Table = table{Caption: "The chosen element", Head: []string{"what", "value"}}
	a.Table.add("row, column", fmt.Sprintf("%d, %d", row, column))
	a.Table.add("bytes of a row, and from row to row", fmt.Sprintf("%d, %d", t.box.RowBytes(), t.box.Pitch()))
	a.Table.add("byte offset in plain order", fmt.Sprintf("%d = %s", plain, binary(plain)))
	a.Table.add("exclusive or", fmt.Sprintf("%d = %s", plain^at, binary(plain^at)))
	a.Table.add("byte offset in shared memory", fmt.Sprintf("%d = %s", at, binary(at)))
	a.Table.add("line, chunk in the line", fmt.Sprintf("%d, %d", at/lineBytes, at%lineBytes/chunkBytes))
	a.Table.add("bank", strconv.Itoa(int(at/wordBytes%banks)))
	a.Table.add("turns for the column, and unswizzled", fmt.Sprintf("%d, %d", turns, turnsBefore))
}

// chunks is the tile's chunks as they lie, with those of a column of reads and
// the one of an element marked.
func (t tile) chunks(row, column int, r reads) []chunk {
	marked := map[uint32]bool{}
	for _, a := range r.at {
		marked[a/chunkBytes] = true
	}
	_, chosen := t.at(row, column*t.size, t.size)
	var all []chunk
	for y := range t.box.NumRows() {
		for x := range t.box.RowBytes() / chunkBytes {
			_, at := t.at(y, x*chunkBytes, chunkBytes)
			c := chunk{at: at, label: fmt.Sprintf("r%d c%d", y, x), class: "cell",
				sets: fmt.Sprintf("row=%d column=%d", y, x*chunkBytes/t.size)}
			switch {
			case at/chunkBytes == chosen/chunkBytes:
				c.class, c.markAt, c.markBytes = "chosen", int(chosen%chunkBytes), t.size
			case marked[at/chunkBytes]:
				c.class = "read"
			}
			all = append(all, c)
		}
	}
	return all
}

// banks draws the words that each bank gives, four banks at a time, which is a
// chunk's width: the most of the four.
func (d *svg) banks(y float64, label string, r reads) float64 {
	perBank, _ := r.words()
	d.text("small words end", labelWide-2, y+15, label)
	for i := range perLine {
		most := 0
		for b := range banks / perLine {
			most = max(most, perBank[i*banks/perLine+b])
		}
		class := "cell"
		switch {
		case most > 1:
			class = "bad"
		case most == 1:
			class = "read"
		}
		d.rect(class, labelWide+chunkWide*float64(i), y, chunkWide, lineHigh, "")
		d.text("small", labelWide+chunkWide*(float64(i)+.5), y+14, strconv.Itoa(most))
	}
	return y + lineHigh + 3
}

// binary is an offset with its bits in groups: those above the line number's
// low three, these three, the three of the chunk, and the four within it.
func binary(n uint32) string { return fmt.Sprintf("%b %03b %03b %04b", n>>10, n>>7&7, n>>4&7, n&15) }

// count is a number of things.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
