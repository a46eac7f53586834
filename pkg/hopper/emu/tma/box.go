package tma

import (
	"fmt"
	"iter"

	"gohopper/pkg/hopper/device"
)

// Box is a box of a tensor at a corner: what one bulk tensor copy moves. It is
// a list of rows along the innermost dimension, numbered from 0 with the
// second dimension running fastest. In shared memory the rows follow each
// other at Pitch bytes.
type Box struct {
	m        *Map
	corner   [maxRank]int32
	counts   [maxRank]int // elements moved along each dimension
	rows     int
	rowBytes int
	pitch    int
	// Bytes [lo, hi) of every row lie inside the tensor's innermost dimension,
	// or in a store are close enough.
	lo, hi int
}

// unit is what the copy engine moves at once: corners and rows are multiples
// of so many bytes.
const unit = 16

// At places the map's box with its first element at corner, one signed
// element coordinate per dimension, innermost first. The error is what the
// hardware refuses, or this package.
func (m *Map) At(corner []int32) (*Box, error) {
	if len(corner) != m.Rank {
		return nil, fmt.Errorf("%d coordinates for a tensor map of rank %d", len(corner), m.Rank)
	}
	if m.Interleave != device.InterleaveNone {
		return nil, fmt.Errorf("the tensor map has %v, which the emulator does not model", m.Interleave)
	}
	size := m.Type.Bytes()
	// Measured: anything else is an illegal instruction.
	if x := int64(corner[0]) * int64(size); x%unit != 0 {
		return nil, fmt.Errorf("coordinate %d of %d-byte elements starts the box at byte %d of its rows, which must be a multiple of %d: make the innermost coordinate a multiple of %d",
			corner[0], size, x, unit, unit/size)
	}
	b := &Box{m: m, rows: 1}
	copy(b.corner[:], corner)
	b.counts[0] = int(m.Box[0])
	for i := 1; i < m.Rank; i++ {
		b.counts[i] = (int(m.Box[i]) + int(m.Steps[i]) - 1) / int(m.Steps[i])
		b.rows *= b.counts[i]
	}
	b.rowBytes = b.counts[0] * size
	// Measured: a swizzled box's rows are a span apart even when shorter.
	b.pitch = max(b.rowBytes, m.Swizzle.Span())
	width := int64(m.Dims[0]) - int64(corner[0]) // elements from the corner to the edge
	b.lo = int(min(max(-int64(corner[0]), 0), int64(b.counts[0]))) * size
	b.hi = int(max(min(width, int64(b.counts[0])), 0)) * size
	return b, nil
}

// Store is the box as a store sees it. Rows past the end are cut off, but along
// the innermost dimension only at the next multiple of 16 bytes, so what stands
// in shared memory behind a ragged edge does reach the padding behind the row
// (measured). The error is a negative corner, which a store must not have (PTX
// 5.5.3.3; measured to be an illegal instruction).
func (b *Box) Store() (*Box, error) {
	for i, c := range b.corner[:b.m.Rank] {
		if c < 0 {
			return nil, fmt.Errorf("coordinate %d is %d: a store's corner must not be negative", i, c)
		}
	}
	s := *b
	s.hi = (s.hi + unit - 1) / unit * unit
	return &s, nil
}

// Span is the bytes within which the map swizzles, 0 for none.
func (b *Box) Span() int { return b.m.Swizzle.Span() }

// Corner is the first element, one coordinate per dimension, innermost first.
func (b *Box) Corner() []int32 { return b.corner[:b.m.Rank] }

// Type is the element type.
func (b *Box) Type() device.MapType { return b.m.Type }

// NumRows is the number of rows.
func (b *Box) NumRows() int { return b.rows }

// RowBytes is the length of a row.
func (b *Box) RowBytes() int { return b.rowBytes }

// Bytes is what a copy adds to its mbarrier: all rows, those outside the
// tensor included, without the gaps between rows.
func (b *Box) Bytes() int { return b.rows * b.rowBytes }

// Pitch is the distance of rows in shared memory: the row's length, or the
// swizzle span where that is more.
func (b *Box) Pitch() int { return b.pitch }

// Dense reports that the rows have no gaps between them. Rows i to j then
// occupy exactly the bytes from i·Pitch to j·Pitch, swizzled or not, since a
// swizzle permutes chunks within a row.
func (b *Box) Dense() bool { return b.pitch == b.rowBytes }

// Row is one row of a box.
type Row struct {
	Offset uint32 // of the row in shared memory, from the box's start, before swizzling
	Global uint64 // address of byte Lo of the row
	Lo, Hi int    // the bytes of the row that global memory has; Lo == Hi for none
}

// Rows are the rows from number from up to, but not including, number to.
func (b *Box) Rows(from, to int) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		if from >= to {
			return
		}
		m := b.m
		var at [maxRank]int // of the current row, along dimensions 1 and up
		for i, n := 1, from; i < m.Rank; i++ {
			at[i], n = n%b.counts[i], n/b.counts[i]
		}
		outer := m.Address + uint64(int64(b.corner[0])*int64(m.Strides[0])) + uint64(b.lo)
		inside := b.lo < b.hi
		for n := from; n < to; n++ {
			row := Row{Offset: uint32(n * b.pitch), Global: outer}
			in := inside
			for i := 1; i < m.Rank; i++ {
				c := int64(b.corner[i]) + int64(at[i])*int64(m.Steps[i])
				in = in && uint64(c) < m.Dims[i] // negative ones are huge
				row.Global += uint64(c) * m.Strides[i]
			}
			if in {
				row.Lo, row.Hi = b.lo, b.hi
			}
			if !yield(row) {
				return
			}
			for i := 1; i < m.Rank; i++ {
				if at[i]++; at[i] < b.counts[i] {
					break
				}
				at[i] = 0
			}
		}
	}
}

// Chunks are the pieces of shared memory that hold the bytes from lo to hi of a
// row, each within one 16-byte chunk where the map swizzles: address and
// length. box is the shared address of the box, a multiple of 128.
func (b *Box) Chunks(box uint32, row Row, lo, hi int) iter.Seq2[uint32, int] {
	return func(yield func(uint32, int) bool) {
		a := box + row.Offset + uint32(lo)
		for n := hi - lo; n > 0; {
			k := n
			if b.m.Swizzle != device.SwizzleNone {
				k = min(n, chunk-int(a%chunk))
			}
			if !yield(Swizzle(b.m.Swizzle, a), k) {
				return
			}
			a, n = a+uint32(k), n-k
		}
	}
}
