package sanitize

import (
	"math/bits"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// footprint is what a cluster, or all clusters so far, read and wrote of global
// memory by plain loads and stores and by bulk copies, byte by byte, with who
// did it. Two clusters know of each other only through global memory itself, so
// most often nothing at all orders them: then they may share what both read.
type footprint struct {
	chunks map[uint64]*chunk
	at     uint64 // number of the chunk that was used last
	last   *chunk
	pages  int
	marks  []mark
	index  map[markKey]uint32
}

// mark is who touched bytes: a warp at an instruction.
type mark struct {
	markKey
	cta     [3]int
	index   int // of the warp in the CTA
	cluster *voice
}

type markKey struct {
	instr *ptx.Instr
	warp  int // in the cluster
}

// voice is what a cluster may have told others through global memory, or heard
// from them, at any time.
type voice struct {
	order    int // of the cluster in the grid
	releases bool
	acquires bool
}

// Sizes. Pages are small: a CTA touches some hundred bytes of each row of a
// matrix.
const (
	pageBytes  = 256
	chunkPages = 256
	mostPages  = 1 << 16 // further ones are not followed
)

type chunk struct {
	read    [chunkPages]*readPage
	written [chunkPages]*writtenPage
}

// bitmap is a bit for each byte of a page.
type bitmap [pageBytes / 64]uint64

// words is a mark for each four bytes of a page.
type words [pageBytes / 4]uint32

// touched is what was touched of a page, and of each four bytes who was the
// last to and when. Where several touched other parts of four bytes, that says
// nothing of any of them, and the bit in mixed is set.
type touched struct {
	bytes bitmap
	by    words
	when  words // time of the warp
	mixed uint64
}

type readPage struct{ touched }

type writtenPage struct {
	touched
	known bitmap // bytes whose value is known
	value [pageBytes]byte
}

// add marks n bytes, which are in one word of the bitmap.
func (t *touched) add(from, n uint64, by, now uint32) {
	mask := maskOf(from, n)
	for i := from / 4; i <= (from+n-1)/4; i++ {
		four := uint64(0xf) << (i % 16 * 4)
		if old := t.bytes[from/64] & four; old&^mask != 0 && t.by[i] != by {
			t.mixed |= 1 << i
		} else if mask&four == four {
			t.mixed &^= 1 << i
		}
		t.by[i], t.when[i] = by, now
	}
	t.bytes[from/64] |= mask
}

// maskOf is n bytes of a page as bits of one word of a bitmap.
func maskOf(from, n uint64) uint64 { return ^uint64(0) >> (64 - n) << (from % 64) }

// chunkOf is the chunk with a number.
func (f *footprint) chunkOf(at uint64) *chunk {
	if f.last != nil && f.at == at {
		return f.last
	}
	c := f.chunks[at]
	if c == nil {
		if f.chunks == nil {
			f.chunks, f.index = map[uint64]*chunk{}, map[markKey]uint32{}
		}
		c = &chunk{}
		f.chunks[at] = c
	}
	f.at, f.last = at, c
	return c
}

// room reports whether there may be another page.
func (f *footprint) room() bool {
	f.pages++
	return f.pages <= mostPages
}

// reading and writing are a page of a chunk, nil where there is no room for it.
func (f *footprint) reading(c *chunk, page uint64) *readPage {
	p := c.read[page]
	if p == nil && f.room() {
		p = &readPage{}
		c.read[page] = p
	}
	return p
}

func (f *footprint) writing(c *chunk, page uint64) *writtenPage {
	p := c.written[page]
	if p == nil && f.room() {
		p = &writtenPage{}
		c.written[page] = p
	}
	return p
}

// touchGlobal follows a plain access to global memory.
func (c *cluster) touchGlobal(e *event.Event, w *warp) {
	f, n := c.footprint, uint64(e.Bytes)
	by, before := unmarked, ^uint64(0)
	for l := range eachLane(e.Lanes) {
		at := e.Addrs[l]
		if e.Does == event.Read && at == before {
			continue
		}
		if n == 0 || at%n != 0 {
			continue // reported by the machine
		}
		before = at
		k, page, from := f.chunkOf(at/pageBytes/chunkPages), at/pageBytes%chunkPages, at%pageBytes
		mask := maskOf(from, n)
		if p := k.written[page]; p != nil && p.bytes[from/64]&mask != 0 {
			c.besideWrite(e, w, l, p, from)
		}
		if e.Does == event.Read {
			if p := f.reading(k, page); p != nil && p.bytes[from/64]&mask != mask {
				by = f.mark(by, e, w, c)
				p.add(from, n, by, w.now())
			}
			continue
		}
		if p := k.read[page]; p != nil && p.bytes[from/64]&mask != 0 {
			c.besideRead(e, w, l, p, from)
		}
		p := f.writing(k, page)
		if p == nil {
			continue
		}
		by = f.mark(by, e, w, c)
		p.add(from, n, by, w.now())
		p.known[from/64] &^= mask
		if e.Data != nil {
			p.known[from/64] |= mask
			copy(p.value[from:from+n], e.Data[l*e.Bytes:])
		}
	}
}

// copyGlobal follows a bulk copy. What it writes, nobody tells.
func (c *cluster) copyGlobal(e *event.Event, w *warp, writes bool) {
	f, by := c.footprint, unmarked
	for _, r := range e.Global {
		for at, end := r.At, r.At+r.Bytes; at < end; {
			next := min(end, at/64*64+64)
			k, page, from, n := f.chunkOf(at/pageBytes/chunkPages), at/pageBytes%chunkPages, at%pageBytes, next-at
			mask := maskOf(from, n)
			at = next
			if !writes {
				if p := f.reading(k, page); p != nil && p.bytes[from/64]&mask != mask {
					by = f.mark(by, e, w, c)
					p.add(from, n, by, w.now())
				}
				continue
			}
			if p := f.writing(k, page); p != nil {
				by = f.mark(by, e, w, c)
				p.add(from, n, by, w.now())
				p.known[from/64] &^= mask
			}
		}
	}
}

// unmarked is no mark.
const unmarked = ^uint32(0)

// mark is the number of an access's mark, if that is not known already.
func (f *footprint) mark(known uint32, e *event.Event, w *warp, c *cluster) uint32 {
	if known != unmarked {
		return known
	}
	key := markKey{e.Instr, w.id}
	n, ok := f.index[key]
	if !ok {
		n = uint32(len(f.marks))
		f.index[key] = n
		f.marks = append(f.marks, mark{key, c.ctas[w.cta].at, w.index, c.voice})
	}
	return n
}

// each visits the bytes of a bitmap.
func (b *bitmap) each(visit func(at int)) {
	for i, rest := range b {
		for ; rest != 0; rest &= rest - 1 {
			visit(64*i + bits.TrailingZeros64(rest))
		}
	}
}

// and is the bytes of both; any tells whether there are any.
func (b *bitmap) and(o *bitmap) (both bitmap, any bool) {
	var all uint64
	for i := range b {
		both[i] = b[i] & o[i]
		all |= both[i]
	}
	return both, all != 0
}
