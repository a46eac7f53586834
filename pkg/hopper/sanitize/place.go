package sanitize

import (
	"fmt"

	"gohopper/pkg/hopper/event"
)

// Rules about where bytes lie: swizzles, tensors, and objects that overlap.

// Fields of a matrix descriptor (PTX 9.7.15.5.1.2.2).
func descriptorStart(d uint64) uint32 { return uint32(d) & 0x3fff << 4 }
func descriptorBase(d uint64) uint32  { return uint32(d>>49) & 7 }

// checkDescriptor requires that an operand's swizzle pattern starts where its
// descriptor says: at a whole atom, eight rows, unless the base offset says
// otherwise.
func (c *cluster) checkDescriptor(w *warp, e *event.Event, r *event.Region) {
	if r.Swizzle == 0 {
		return
	}
	start, atom := descriptorStart(r.Descriptor), uint32(8*r.Swizzle)
	if line := start % atom >> 7; line == descriptorBase(r.Descriptor) {
		return
	}
	at := who{w, e.Lanes, e.Instr, nil}
	c.find(Swizzle, at, c.ctas[r.CTA].filled(r), func(f *event.Finding) {
		f.Severity = event.Latent
		f.Message = fmt.Sprintf("an operand of wgmma starts at shared+%#x, inside a swizzle atom of %d bytes, and its descriptor's base offset is %d",
			start, atom, descriptorBase(r.Descriptor))
		f.Details = append(f.Details, "the pattern follows the bits of the address, so it may be right by where it landed")
		f.Advice = fmt.Sprintf("align the tile to %d bytes, or set the base offset to %d", atom, start%atom>>7)
	})
}

// filled is the copy that was the last to write some of a region, nobody if
// none did.
func (t *cta) filled(r *event.Region) who {
	for _, x := range t.written {
		if x.low < r.High && x.high > r.Low {
			return x.op.who()
		}
	}
	return who{}
}

// checkSwizzle compares the mode with which TMA wrote a byte with the mode with
// which wgmma reads it.
func (c *cluster) checkSwizzle(o *op, a *act) {
	if !o.tensor || o.swizzle == a.swizzle {
		return
	}
	c.find(Swizzle, a.who(), o.who(), func(f *event.Finding) {
		f.Message = fmt.Sprintf("wgmma reads with %s what TMA wrote with %s", swizzleName(a.swizzle), swizzleName(o.swizzle))
		f.Details = append(f.Details, "every element arrives, in the wrong place")
		f.Advice = "give the tensor map and the matrix descriptor the same swizzle mode"
	})
}

func swizzleName(span int) string {
	if span == 0 {
		return "no swizzle"
	}
	return fmt.Sprintf("the %d-byte swizzle", span)
}

// checkOutside is asked at the end of the cluster: which copies brought nothing
// but zeros that nobody read.
func (c *cluster) checkOutside() {
	for _, o := range c.outside {
		if o.used || !o.landed {
			continue
		}
		c.find(OutsideTensor, o.who(), who{}, func(f *event.Finding) {
			f.Message = "the whole box of this load lies outside of its tensor, and nobody reads the zeros it brings"
			f.Advice = "stop issuing loads when the last tile is under way"
		})
	}
}

// checkOverlap is asked before bytes are written: no mbarrier may lie there.
func (c *cluster) checkOverlap(t *cta, at, n uint32, a *act) {
	for _, b := range t.bars {
		if at >= b.at+8 || at+n <= b.at {
			continue
		}
		c.find(Overlap, a.who(), c.who(&b.init), func(f *event.Finding) {
			f.Message = fmt.Sprintf("%s writes shared+%#x to shared+%#x, over the %s", c.short(a.who()), at, at+n-1, c.bar(b))
			f.Advice = "add up the bytes of all tiles, stages and barriers, and launch with that much shared memory"
		})
		return
	}
}
