package emu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/emu/tensor"
)

// operandTile is a matrix operand in shared memory with the 128-byte swizzle.
type operandTile struct {
	t      tensor.Type
	m      [][]int // rows of M or N by K
	major  bool    // MN-major
	offset int     // in the image, a multiple of 1024
}

// blockK is what each row takes of K: one span, four steps of 32 bytes.
func (o operandTile) blockK() int { return 128 / o.t.Bytes() }

func (o operandTile) bytes() int { return len(o.m) * 128 }

// place writes the tile as TMA would.
func (o operandTile) place(image []byte) {
	size := o.t.Bytes()
	for row := range o.m {
		for k, v := range o.m[row] {
			at := row*128 + k*size
			if o.major { // slabs of 64 rows, 128 bytes for each k
				at = row/64*o.blockK()*128 + k*128 + row%64*size
			}
			at ^= at >> 3 & 0x70
			for i := range size {
				image[o.offset+at+i] = byte(code(o.t, v) >> (8 * i))
			}
		}
	}
}

// descriptor is that of K step i, without the address of shared memory.
func (o operandTile) descriptor(step int) uint64 {
	start, leading := o.offset+32*step, 16
	if o.major {
		start, leading = o.offset+2048*step, o.blockK()*128
	}
	return uint64(start>>4) | uint64(leading>>4)<<16 | 1024>>4<<32 | 1<<62
}

// wgmmaCase is a product of a 64-row tile of A and a tile of B.
type wgmmaCase struct {
	n                   int
	result, left, right tensor.Type
	majorA, majorB      bool
	registersA          bool
	scaleA, scaleB      int  // of the floats; 1 or -1
	fresh               bool // scale-d is false in the first step
}

var typeNames = map[tensor.Type]string{
	tensor.F16: "f16", tensor.BF16: "bf16", tensor.TF32: "tf32", tensor.E4M3: "e4m3",
	tensor.E5M2: "e5m2", tensor.S8: "s8", tensor.U8: "u8", tensor.F32: "f32", tensor.S32: "s32",
}

func (c wgmmaCase) String() string {
	s := fmt.Sprintf("m64n%dk%d.%s.%s.%s", c.n, 32/c.left.Bytes(), typeNames[c.result], typeNames[c.left], typeNames[c.right])
	for _, f := range []struct {
		on   bool
		name string
	}{{c.majorA, " M-major"}, {c.majorB, " N-major"}, {c.registersA, " A in registers"},
		{c.scaleA < 0, " -A"}, {c.scaleB < 0, " -B"}, {c.fresh, " fresh"}} {
		if f.on {
			s += f.name
		}
	}
	return s
}

// instruction is K step i; A's descriptor is in %rd8 and B's in %rd9.
func (c wgmmaCase) instruction(d, a, scaleD string) string {
	s := fmt.Sprintf("\twgmma.mma_async.sync.aligned.m64n%dk%d.%s.%s.%s %s, %s, %%rd9, %s", c.n, 32/c.left.Bytes(),
		typeNames[c.result], typeNames[c.left], typeNames[c.right], d, a, scaleD)
	if c.result != tensor.S32 {
		s += fmt.Sprintf(", %d, %d", c.scaleA, c.scaleB)
	}
	flag := map[bool]int{true: 1}
	if c.left.Bytes() == 2 && !c.registersA {
		s += fmt.Sprintf(", %d", flag[c.majorA])
	}
	if c.left.Bytes() == 2 {
		s += fmt.Sprintf(", %d", flag[c.majorB])
	}
	return s + ";\n"
}

func (c wgmmaCase) body(a, b operandTile, accumulators int) string {
	var s strings.Builder
	s.WriteString("\twgmma.fence.sync.aligned;\n")
	for step := range 4 {
		fmt.Fprintf(&s, "\tadd.u64 %%rd8, %%rd2, %#x;\n\tadd.u64 %%rd9, %%rd2, %#x;\n", a.descriptor(step), b.descriptor(step))
		from, scaleD := "%rd8", "%p1"
		if c.registersA {
			from = registers("%d", accumulators+4*step, 4)
		}
		if c.fresh && step == 0 {
			scaleD = "%p2"
		}
		s.WriteString(c.instruction(registers("%d", 0, accumulators), from, scaleD))
	}
	s.WriteString("\twgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;\n")
	return s.String()
}

// Four steps over a span of K, for every kind of form, are exact for small
// integers under every seed.
func TestWgmma(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	plain := func(n int, result, left, right tensor.Type) wgmmaCase {
		return wgmmaCase{n: n, result: result, left: left, right: right, scaleA: 1, scaleB: 1}
	}
	with := func(c wgmmaCase, change func(*wgmmaCase)) wgmmaCase { change(&c); return c }
	f16 := plain(64, tensor.F32, tensor.F16, tensor.F16)
	for _, c := range []wgmmaCase{
		plain(8, tensor.F32, tensor.F16, tensor.F16),
		plain(104, tensor.F32, tensor.F16, tensor.F16),
		plain(256, tensor.F32, tensor.F16, tensor.F16),
		plain(128, tensor.F32, tensor.BF16, tensor.BF16),
		plain(64, tensor.F16, tensor.F16, tensor.F16),
		plain(64, tensor.F32, tensor.TF32, tensor.TF32),
		plain(96, tensor.F32, tensor.E4M3, tensor.E4M3),
		plain(64, tensor.F32, tensor.E4M3, tensor.E5M2),
		plain(64, tensor.F16, tensor.E5M2, tensor.E4M3),
		plain(64, tensor.S32, tensor.S8, tensor.S8),
		plain(32, tensor.S32, tensor.U8, tensor.S8),
		with(plain(64, tensor.S32, tensor.S8, tensor.U8), func(c *wgmmaCase) { c.fresh = true }),
		with(f16, func(c *wgmmaCase) { c.majorA = true }),
		with(f16, func(c *wgmmaCase) { c.n, c.majorB = 128, true }),
		with(f16, func(c *wgmmaCase) { c.majorA, c.majorB = true, true }),
		with(f16, func(c *wgmmaCase) { c.registersA = true }),
		with(f16, func(c *wgmmaCase) { c.registersA, c.majorB = true, true }),
		with(plain(64, tensor.F32, tensor.E4M3, tensor.E4M3), func(c *wgmmaCase) { c.registersA = true }),
		with(plain(64, tensor.F32, tensor.TF32, tensor.TF32), func(c *wgmmaCase) { c.registersA = true }),
		with(f16, func(c *wgmmaCase) { c.scaleA = -1 }),
		with(f16, func(c *wgmmaCase) { c.scaleB = -1 }),
		with(f16, func(c *wgmmaCase) { c.scaleA, c.scaleB = -1, -1 }),
		with(f16, func(c *wgmmaCase) { c.fresh = true }),
	} {
		t.Run(c.String(), func(t *testing.T) {
			k := 128 / c.left.Bytes()
			a := operandTile{t: c.left, m: integers(rng, c.left, 64, k), major: c.majorA}
			b := operandTile{t: c.right, m: integers(rng, c.right, c.n, k), major: c.majorB, offset: a.bytes()}
			image := make([]byte, a.bytes()+b.bytes())
			a.place(image)
			b.place(image)
			accumulators := c.n * c.result.Bytes() / 8
			perThread := accumulators
			if c.registersA {
				perThread += 16
			}
			x := integers(rng, tensor.S8, 64, c.n)
			inputs := make([]uint32, 128*perThread)
			for thread := range 128 {
				strip, lane, regs := x[thread/32*16:], thread%32, inputs[thread*perThread:]
				for i := range accumulators {
					regs[i] = addend(c.result, strip, lane, i)
				}
				for i := accumulators; i < perThread; i++ {
					step, q := (i-accumulators)/4, (i-accumulators)%4
					row, at := c.left.LeftAt(lane, q)
					regs[i] = packed(c.left, a.m[thread/32*16+row][step*32/c.left.Bytes()+at:])
				}
			}
			if c.fresh {
				x = integers(rng, tensor.U8, 64, c.n)
				for i := range x {
					clear(x[i])
				}
			}
			signed := a.m
			if c.scaleA*c.scaleB < 0 {
				signed = make([][]int, len(a.m))
				for i, row := range a.m {
					for _, v := range row {
						signed[i] = append(signed[i], -v)
					}
				}
			}
			d := productOf(signed, b.m, x)
			for seed := range int64(3) {
				out, found := tensorProbe{
					seed: seed, threads: 128, image: image, inputs: inputs,
					body: c.body(a, b, accumulators), outputs: accumulators,
				}.run(t)
				require.Empty(t, found)
				for thread := range 128 {
					for i := range accumulators {
						require.Equal(t, addend(c.result, d[thread/32*16:], thread%32, i), out[thread*accumulators+i],
							"seed %d thread %d register %d", seed, thread, i)
					}
				}
			}
		})
	}
}
