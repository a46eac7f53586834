package tensor

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// placed is a matrix in shared memory as a TMA load leaves it: boxes whose
// rows are one span long, the chunks of each row moved by the swizzle, bit by
// bit on the address. It shares no code with the operand reader.
type placed struct {
	memory []byte
	mode   Swizzle
	phase  int // address where the swizzle pattern starts, modulo 1024
}

// home is where the hardware keeps the byte that an unswizzled box has at
// address.
func (p placed) home(address int) int {
	bit := func(i int) int { return (address - p.phase) >> i & 1 }
	flip := map[Swizzle][][2]int{
		NoSwizzle: {}, Swizzle32: {{4, 7}}, Swizzle64: {{4, 7}, {5, 8}}, Swizzle128: {{4, 7}, {5, 8}, {6, 9}},
	}[p.mode]
	for _, f := range flip {
		address ^= bit(f[1]) << f[0]
	}
	return address
}

func (p placed) put(address, bytes int, w uint32) {
	for i := range bytes {
		p.memory[p.home(address+i)] = byte(w >> (8 * i))
	}
}

// encode makes a descriptor.
func encode(start, leading, stride, base int, mode Swizzle) Descriptor {
	field := func(x int) Descriptor { return Descriptor(x>>4) & 0x3fff }
	return field(start) | field(leading)<<16 | field(stride)<<32 | Descriptor(base)<<49 | Descriptor(mode)<<62
}

var modes = []struct {
	mode Swizzle
	span int
}{{NoSwizzle, 16}, {Swizzle32, 32}, {Swizzle64, 64}, {Swizzle128, 128}}

// check gathers an operand both ways it can be used and compares it with the
// elements that were placed.
func check(t *testing.T, o Operand, p placed, d Descriptor, want func(row, k int) uint32) {
	t.Helper()
	chunks := o.Chunks(nil, d)
	require.Len(t, chunks, 2*o.Rows)
	seen := map[uint32]bool{}
	for _, c := range chunks {
		require.Zero(t, c%16)
		require.False(t, seen[c], "chunk %#x twice", c)
		seen[c] = true
	}
	k := o.K()
	b := o.GatherRight(make([]float32, o.Rows*k), p.memory, chunks)
	for row := range o.Rows {
		for i := range k {
			same(t, value(o.Type, want(row, i)), b.Elements[row*b.StepN+i*b.StepK], "B row %d k %d", row, i)
		}
	}
	if o.Rows != 64 {
		return
	}
	a := make([]Column, 4*k)
	o.GatherLeft(a, p.memory, chunks)
	for row := range o.Rows {
		for i := range k {
			same(t, value(o.Type, want(row, i)), a[row/16*k+i][row%16], "A row %d k %d", row, i)
		}
	}
}

// K-major: boxes of one span of K by all rows, slab behind slab.
func TestKMajor(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, m := range modes {
		for _, ty := range operandTypes {
			for _, rows := range []int{8, 24, 64, 256} {
				for _, phase := range []int{0, 3 * 128} {
					t.Run(fmt.Sprintf("span %d type %d rows %d phase %d", m.span, ty, rows, phase), func(t *testing.T) {
						const kBytes = 256 // two slabs of the widest span
						base := 2048 + phase
						p := placed{make([]byte, base+rows*kBytes+1024), m.mode, phase}
						size := ty.Bytes()
						matrix := make([]uint32, rows*kBytes/size)
						for i := range matrix {
							matrix[i] = rng.Uint32()
							row, at := i/(kBytes/size), i%(kBytes/size)*size
							p.put(base+at/m.span*rows*m.span+row*m.span+at%m.span, size, matrix[i])
						}
						o := Operand{Type: ty, Rows: rows}
						for step := range kBytes / 32 {
							at := 32 * step
							leading := 16 // ignored when swizzled
							if m.mode == NoSwizzle {
								leading = rows * 16
							}
							d := encode(base+at/m.span*rows*m.span+at%m.span, leading, 8*m.span, phase/128, m.mode)
							check(t, o, p, d, func(row, k int) uint32 { return matrix[row*kBytes/size+step*o.K()+k] })
						}
					})
				}
			}
		}
	}
}

// MN-major: boxes of one span of M or N by all of K, slab behind slab.
func TestMNMajor(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	const blockK = 64
	for _, m := range modes {
		for _, ty := range []Type{F16, BF16} {
			for _, rows := range []int{64, 128, 256} {
				t.Run(fmt.Sprintf("span %d type %d rows %d", m.span, ty, rows), func(t *testing.T) {
					const base = 3072
					p := placed{make([]byte, base+rows*blockK*2), m.mode, 0}
					matrix := make([]uint32, rows*blockK)
					for i := range matrix {
						matrix[i] = rng.Uint32() & 0xffff
						row, k := i/blockK, i%blockK
						p.put(base+row*2/m.span*blockK*m.span+k*m.span+row*2%m.span, 2, matrix[i])
					}
					o := Operand{Type: ty, Rows: rows, MNMajor: true}
					for step := range blockK / 16 {
						leading, stride := blockK*m.span, 8*m.span
						if m.mode == NoSwizzle {
							leading, stride = stride, leading
						}
						d := encode(base+step*16*m.span, leading, stride, 0, m.mode)
						check(t, o, p, d, func(row, k int) uint32 { return matrix[row*blockK+step*16+k] })
					}
				})
			}
		}
	}
}

func TestDescriptor(t *testing.T) {
	d := encode(0x38a40, 0x4000, 0x400, 5, Swizzle64)
	require.EqualValues(t, 0x38a40, d.Start())
	require.EqualValues(t, 0x4000, d.Leading())
	require.EqualValues(t, 0x400, d.Stride())
	require.EqualValues(t, 5, d.BaseOffset())
	require.Equal(t, Swizzle64, d.Swizzle())
	require.EqualValues(t, 64, d.Swizzle().Span())
}

// A whole tile through memory and back: the product of two operands that were
// placed, gathered and multiplied is the product of the matrices.
func TestProductOfPlacedTiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	const n, blockK = 96, 64
	pa := placed{make([]byte, 1<<16), Swizzle128, 0}
	pb := placed{make([]byte, 1<<16), Swizzle64, 0}
	var a [64][blockK]int8
	var b [n][blockK]int8
	for k := range blockK {
		for i := range a {
			a[i][k] = int8(rng.Uint32())
			pa.put(i*128+k, 1, uint32(a[i][k]))
		}
		for j := range b {
			b[j][k] = int8(rng.Uint32())
			pb.put(j*64+k, 1, uint32(b[j][k]))
		}
	}
	left, right := Operand{Type: S8, Rows: 64}, Operand{Type: S8, Rows: n}
	d := make([]Column, 4*n)
	for step := range blockK / 32 {
		panelA := make([]Column, 4*32)
		left.GatherLeft(panelA, pa.memory, left.Chunks(nil, encode(32*step, 16, 1024, 0, Swizzle128)))
		panelB := right.GatherRight(make([]float32, n*32), pb.memory, right.Chunks(nil, encode(32*step, 16, 512, 0, Swizzle64)))
		Product{Left: S8, Right: S8, Result: S32}.Multiply(new(Scratch), d, panelA, panelB, n)
	}
	for i := range a {
		for j := range b {
			sum := 0
			for k := range blockK {
				sum += int(a[i][k]) * int(b[j][k])
			}
			require.EqualValues(t, sum, d[i/16*n+j][i%16])
		}
	}
}
