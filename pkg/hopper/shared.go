package hopper

import (
	"fmt"

	"gohopper/pkg/hopper/ptx"
)

// Elem is the type of a matrix element.
type Elem ptx.Type

// Element types, two bytes each (PTX 5.2).
const (
	F16  Elem = "f16"
	BF16 Elem = "bf16"
)

const elemBytes = 2

// checkElem notes a type that is not one of the constants.
func (k *Kernel) checkElem(word string, e Elem) {
	if e != F16 && e != BF16 {
		k.mistake("%s of %q: the element type is hopper.F16 or hopper.BF16", word, e)
	}
}

// Swizzle is how the 16-byte chunks of a tile's rows are permuted in shared
// memory, and at the same time how wide a row is (PTX 5.5.7).
type Swizzle int

// Swizzle modes, by the bytes of a row. Bits are those of the shared address.
const (
	// Swizzle64B permutes the four chunks of a 64-byte row: bits 4-5 are
	// exclusive-ored with bits 7-8.
	Swizzle64B Swizzle = 64
	// Swizzle128B permutes the eight chunks of a 128-byte row by the row's
	// index modulo 8: bits 4-6 are exclusive-ored with bits 7-9.
	Swizzle128B Swizzle = 128
)

// atomRows is the number of rows after which a swizzle pattern repeats.
const atomRows = 8

// Tile is a matrix tile in shared memory, Rows by Cols elements. A row is one
// swizzle span.
type Tile struct {
	place
	Type       Elem
	Rows, Cols int
	Swizzle    Swizzle
}

// Bytes is the size of the tile. It records nothing.
func (t Tile) Bytes() int { return t.Rows * t.Cols * elemBytes }

// Addr is the tile's address in the shared window, in a register of each
// executing thread (add.s32).
func (t Tile) Addr() Int { return t.value() }

// From is the part of the tile that starts at a row and has the given number
// of rows. Both are multiples of 8, whole swizzle atoms. A Go int records
// nothing; an Int is one mad.lo.s32, and that it is such a multiple cannot be
// checked here.
func (t Tile) From(row Number, rows int) Tile {
	if rows < atomRows || rows%atomRows != 0 || rows > t.Rows {
		t.k.mistake("From with %d rows of a tile of %d: a part has whole swizzle atoms of %d rows, and no more than the tile",
			rows, t.Rows, atomRows)
	} else if c, ok := row.(int); ok && (c < 0 || c%atomRows != 0 || c+rows > t.Rows) {
		t.k.mistake("From row %d with %d rows of a tile of %d: a part starts at a multiple of %d rows, one swizzle atom, and lies inside the tile",
			c, rows, t.Rows, atomRows)
	}
	t.place = t.plus(row, t.Cols*elemBytes)
	t.Rows = rows
	return t
}

// Shared sets a tile of rows by cols elements aside in dynamic shared memory,
// at a multiple of 1024 bytes. One row is one swizzle span: 64 elements for
// Swizzle128B, 32 for Swizzle64B. Rows are a multiple of 8. It records nothing.
func (k *Kernel) Shared(e Elem, rows, cols int, s Swizzle) Tile {
	return k.SharedRing(1, e, rows, cols, s).Tile
}

// Ring is one tile for each stage of a pipeline, one after the other in shared
// memory.
type Ring struct {
	Tile   // of stage 0
	Stages int
}

// SharedRing sets a tile for each stage aside, as Shared does. The first one
// starts at a multiple of 1024 bytes, and each at row 0 of the swizzle pattern.
func (k *Kernel) SharedRing(stages int, e Elem, rows, cols int, s Swizzle) Ring {
	k.checkElem("a tile", e)
	if s != Swizzle128B && s != Swizzle64B {
		k.mistake("swizzle %d: use hopper.Swizzle128B or hopper.Swizzle64B", s)
	} else if cols*elemBytes != int(s) {
		k.mistake("a tile of %d columns: with Swizzle%dB a row is exactly %d bytes, so %d columns",
			cols, s, s, int(s)/elemBytes)
	}
	if stages < 1 {
		k.mistake("a ring of %d stages: it needs at least 1", stages)
	}
	if rows < atomRows || rows%atomRows != 0 {
		k.mistake("a tile of %d rows: rows come in swizzle atoms of %d", rows, atomRows)
	}
	bytes := max(stages, 0) * max(rows, 0) * max(cols, 0) * elemBytes
	p := k.allocate(fmt.Sprintf("%d x tile of %d x %d %s", stages, rows, cols, e), bytes, sharedAlign)
	return Ring{Tile{p, e, rows, cols, s}, stages}
}

// Stage is the tile of a stage, 0 to Stages-1: nothing for a Go int, one
// mad.lo.s32 for an Int.
func (r Ring) Stage(stage Number) Tile {
	t := r.Tile
	if c, ok := stage.(int); ok && (c < 0 || c >= r.Stages) {
		r.k.mistake("stage %d of a ring of %d: stages are 0 to %d", c, r.Stages, r.Stages-1)
	}
	t.place = t.plus(stage, t.Bytes())
	return t
}
