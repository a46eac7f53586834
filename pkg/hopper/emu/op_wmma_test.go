package emu_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/emu/tensor"
)

// fragmentList is registers %d<first> and so on of a wmma fragment.
func fragmentList(first, n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("%%d%d", first+i))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// laid writes a matrix to memory with a pitch in elements, row-major or by
// columns.
func laid(t tensor.Type, m [][]int, byColumns bool, pitch int) []byte {
	outer, inner := len(m), len(m[0])
	if byColumns {
		outer, inner = inner, outer
	}
	image := make([]byte, outer*pitch*t.Bytes())
	for i := range outer {
		for j := range inner {
			v := 0
			if byColumns {
				v = m[j][i]
			} else {
				v = m[i][j]
			}
			var word [4]byte
			binary.LittleEndian.PutUint32(word[:], code(t, v))
			copy(image[(i*pitch+j)*t.Bytes():], word[:t.Bytes()])
		}
	}
	return image
}

func transposedInts(m [][]int) [][]int {
	t := make([][]int, len(m[0]))
	for i := range t {
		for j := range m {
			t[i] = append(t[i], m[j][i])
		}
	}
	return t
}

// D is exact, since all values are small integers. Loads, product and store
// are one test: only they know the layout of a fragment.
func TestWmma(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	f16, f32, s32 := tensor.F16, tensor.F32, tensor.S32
	for _, c := range []struct {
		shape               string
		m, n, k             int
		layoutA, layoutB    string
		layoutC, layoutD    string
		result, left, right tensor.Type
		types               string // of wmma.mma
		regsA, regsB        int
	}{
		{"m16n16k16", 16, 16, 16, "row", "col", "row", "row", f32, f16, f16, "f32.f32", 8, 8},
		{"m16n16k16", 16, 16, 16, "col", "row", "col", "row", f16, f16, f16, "f16.f16", 8, 8},
		{"m32n8k16", 32, 8, 16, "row", "row", "row", "col", f32, f16, f16, "f32.f32", 8, 8},
		{"m8n32k16", 8, 32, 16, "row", "col", "col", "row", f32, f16, f16, "f32.f32", 8, 8},
		{"m8n32k16", 8, 32, 16, "col", "row", "row", "col", f16, f16, f16, "f16.f16", 8, 8},
		{"m16n16k16", 16, 16, 16, "row", "col", "row", "row", f32, tensor.BF16, tensor.BF16, "f32.bf16.bf16.f32", 4, 4},
		{"m32n8k16", 32, 8, 16, "col", "col", "row", "row", f32, tensor.BF16, tensor.BF16, "f32.bf16.bf16.f32", 8, 2},
		{"m8n32k16", 8, 32, 16, "row", "row", "row", "row", f32, tensor.BF16, tensor.BF16, "f32.bf16.bf16.f32", 2, 8},
		{"m16n16k8", 16, 16, 8, "row", "col", "row", "row", f32, tensor.TF32, tensor.TF32, "f32.tf32.tf32.f32", 4, 4},
		{"m16n16k16", 16, 16, 16, "row", "col", "row", "row", s32, tensor.S8, tensor.S8, "s32.s8.s8.s32", 2, 2},
		{"m8n32k16", 8, 32, 16, "row", "col", "row", "row", s32, tensor.U8, tensor.U8, "s32.u8.u8.s32", 1, 4},
	} {
		t.Run(c.shape+"."+c.types, func(t *testing.T) {
			a, b, x := integers(rng, c.left, c.m, c.k), integers(rng, c.right, c.n, c.k), integers(rng, tensor.S8, c.m, c.n)
			pitch := func(layout string, rows, columns int, t tensor.Type) int {
				if layout == "col" {
					columns = rows
				}
				return columns + 16/t.Bytes() // padded
			}
			pa, pb := pitch(c.layoutA, c.m, c.k, c.left), pitch(c.layoutB, c.k, c.n, c.right)
			pc, pd := pitch(c.layoutC, c.m, c.n, c.result), c.n
			if c.layoutD == "col" {
				pd = c.m
			}
			image := laid(c.left, a, c.layoutA == "col", pa)
			atB := len(image)
			image = append(image, laid(c.right, transposedInts(b), c.layoutB == "col", pb)...)
			atC := len(image)
			image = append(image, laid(c.result, x, c.layoutC == "col", pc)...)
			atD := len(image)
			bytesD := c.m * c.n * c.result.Bytes()
			image = append(image, make([]byte, bytesD)...)

			name := map[tensor.Type]string{f16: "f16", tensor.BF16: "bf16", tensor.TF32: "tf32", tensor.S8: "s8", tensor.U8: "u8", f32: "f32", s32: "s32"}
			regsD := c.m * c.n / 32 * c.result.Bytes() / 4
			la, lb, ld := fragmentList(0, c.regsA), fragmentList(10, c.regsB), fragmentList(20, regsD)
			var s strings.Builder
			fmt.Fprintf(&s, "\twmma.load.a.sync.aligned.%s.%s.shared.%s %s, [%%r3], %d;\n", c.layoutA, c.shape, name[c.left], la, pa)
			fmt.Fprintf(&s, "\twmma.load.b.sync.aligned.%s.%s.shared.%s %s, [%%r3+%d], %d;\n", c.layoutB, c.shape, name[c.right], lb, atB, pb)
			fmt.Fprintf(&s, "\twmma.load.c.sync.aligned.%s.%s.shared.%s %s, [%%r3+%d], %d;\n", c.layoutC, c.shape, name[c.result], ld, atC, pc)
			fmt.Fprintf(&s, "\twmma.mma.sync.aligned.%s.%s.%s.%s %s, %s, %s, %s;\n", c.layoutA, c.layoutB, c.shape, c.types, ld, la, lb, ld)
			fmt.Fprintf(&s, "\twmma.store.d.sync.aligned.%s.%s.shared.%s [%%r3+%d], %s;\n", c.layoutD, c.shape, name[c.result], atD, ld)
			perLane := bytesD / 32
			fmt.Fprintf(&s, "\tbar.warp.sync 0xffffffff;\n\tmad.lo.u32 %%r5, %%r2, %d, %%r3;\n", perLane)
			for i := range perLane / 4 {
				fmt.Fprintf(&s, "\tld.shared.u32 %%d%d, [%%r5+%d];\n", i, atD+4*i)
			}
			out, found := tensorProbe{threads: 32, image: image, body: s.String(), outputs: perLane / 4}.run(t)
			require.Empty(t, found)
			require.Equal(t, words32(laid(c.result, productOf(a, b, x), c.layoutD == "col", pd)), out)
		})
	}
}

// words32 reads little-endian words.
func words32(b []byte) (w []uint32) {
	for i := 0; i < len(b); i += 4 {
		w = append(w, binary.LittleEndian.Uint32(b[i:]))
	}
	return w
}
