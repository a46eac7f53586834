package emu

import (
	"slices"

	"gohopper/pkg/hopper/emu/tensor"
)

// panels is the scratch memory in which a cluster computes the products of its
// warpgroups, of the largest shape.
type panels struct {
	a      [4 * 32]tensor.Column
	b      [256 * 32]float32
	d      [4 * 256]tensor.Column
	chunks []uint32
}

// longestChain bounds how many products are summed before D goes back to its
// registers. The sums of eight of 8-bit integers are below 2^24, so float32
// holds them exactly.
const longestChain = 8

// chain is how many of the first products can be computed with D staying in
// the panel: those that add to the same registers.
func chain(ps []*tileProduct) int {
	n := 1
	for n < len(ps) && n < longestChain && ps[n].accumulate && ps[n].result == ps[0].result && slices.Equal(ps[n].d, ps[0].d) {
		n++
	}
	return n
}

// multiply computes a chain of products.
func (g *warpgroup) multiply(chain []*tileProduct) {
	c := g.warps[0].cta.cluster
	if c.panels == nil {
		c.panels = new(panels)
	}
	first := chain[0]
	n := first.right.Rows
	d := c.panels.d[:4*n]
	for i, w := range g.warps {
		for reg, r := range first.d {
			if !first.accumulate {
				w.r[r] = row32{}
			}
			first.result.LoadD(d[i*n:][:n], reg, lanesOf(&w.r[r]))
		}
	}
	for _, p := range chain {
		a, b := g.operands(p, c.panels)
		product := tensor.Product{Left: p.left.Type, Right: p.right.Type, Result: p.result}
		product.Multiply(&c.scratch, d, a, b, n)
	}
	for i, w := range g.warps {
		for reg, r := range first.d {
			first.result.StoreD(lanesOf(&w.r[r]), d[i*n:][:n], reg)
		}
	}
}

// operands reads A and B, B once for the four warps.
func (g *warpgroup) operands(p *tileProduct, s *panels) (a []tensor.Column, b tensor.Right) {
	k := p.left.K()
	a = s.a[:4*k]
	if p.aRegisters != nil {
		for i, w := range g.warps {
			for q, r := range p.aRegisters {
				p.left.Type.LoadLeft(a[i*k:][:k], q, lanesOf(&w.r[r]))
			}
		}
	} else if memory := g.read(p, p.left, p.a, s); memory != nil {
		p.left.GatherLeft(a, memory, s.chunks)
	} else {
		clear(a)
	}
	buffer := s.b[:p.right.Rows*k]
	if memory := g.read(p, p.right, p.b, s); memory != nil {
		b = p.right.GatherRight(buffer, memory, s.chunks)
	} else {
		clear(buffer)
		b = tensor.Right{Elements: buffer, StepN: k, StepK: 1}
	}
	if p.negative {
		for i := range a {
			for r := range a[i] {
				a[i][r] = -a[i][r]
			}
		}
	}
	return a, b
}

// read finds an operand in shared memory: its chunks are left in s. It reports
// bytes that are out of bounds, which gives nil, or that were never written.
func (g *warpgroup) read(p *tileProduct, o tensor.Operand, d tensor.Descriptor, s *panels) []byte {
	s.chunks = o.Chunks(s.chunks[:0], d)
	memory := g.warps[0].cta.shared
	low, high := slices.Min(s.chunks), slices.Max(s.chunks)+16
	inside := int(low) >= memory.first && int(high) <= len(memory.bytes)
	if inside && memory.unwritten(int(low), int(high-low)) < 0 {
		return memory.bytes
	}
	// Find the chunk to blame; one is enough.
	c := g.warps[0].cta.cluster
	for _, at := range s.chunks {
		if c.bytes(p.by, spaceShared, uint64(at), 16, 16, read) == nil || memory.unwritten(int(at), 16) >= 0 {
			break
		}
	}
	if !inside {
		return nil
	}
	return memory.bytes
}
