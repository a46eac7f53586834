package emu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/emu/tensor"
	"gohopper/pkg/hopper/num"
)

// code is a small integer in the bits of a type.
func code(t tensor.Type, v int) uint32 {
	switch t {
	case tensor.F16:
		return uint32(num.F16FromFloat32(float32(v)))
	case tensor.BF16:
		return uint32(num.BF16FromFloat32(float32(v)))
	case tensor.TF32, tensor.F32:
		return math.Float32bits(float32(v))
	case tensor.E4M3:
		return uint32(num.E4M3FromFloat32(float32(v)))
	case tensor.E5M2:
		return uint32(num.E5M2FromFloat32(float32(v)))
	case tensor.S8:
		return uint32(uint8(int8(v)))
	}
	return uint32(v)
}

// small draws an integer that every type of t's kind has exactly.
func small(rng *rand.Rand, t tensor.Type) int {
	if t == tensor.U8 {
		return rng.IntN(5)
	}
	return rng.IntN(9) - 4
}

// D is exact, since all values are small integers.
func TestMma(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, c := range []struct {
		form                string
		k                   int
		result, left, right tensor.Type
	}{
		{"m16n8k8.row.col.f16.f16.f16.f16", 8, tensor.F16, tensor.F16, tensor.F16},
		{"m16n8k16.row.col.f16.f16.f16.f16", 16, tensor.F16, tensor.F16, tensor.F16},
		{"m16n8k8.row.col.f32.f16.f16.f32", 8, tensor.F32, tensor.F16, tensor.F16},
		{"m16n8k16.row.col.f32.f16.f16.f32", 16, tensor.F32, tensor.F16, tensor.F16},
		{"m16n8k8.row.col.f32.bf16.bf16.f32", 8, tensor.F32, tensor.BF16, tensor.BF16},
		{"m16n8k16.row.col.f32.bf16.bf16.f32", 16, tensor.F32, tensor.BF16, tensor.BF16},
		{"m16n8k4.row.col.f32.tf32.tf32.f32", 4, tensor.F32, tensor.TF32, tensor.TF32},
		{"m16n8k8.row.col.f32.tf32.tf32.f32", 8, tensor.F32, tensor.TF32, tensor.TF32},
		{"m16n8k32.row.col.f32.e4m3.e5m2.f32", 32, tensor.F32, tensor.E4M3, tensor.E5M2},
		{"m16n8k16.row.col.s32.s8.s8.s32", 16, tensor.S32, tensor.S8, tensor.S8},
		{"m16n8k32.row.col.s32.u8.s8.s32", 32, tensor.S32, tensor.U8, tensor.S8},
	} {
		t.Run(c.form, func(t *testing.T) {
			a, b, x := integers(rng, c.left, 16, c.k), integers(rng, c.right, 8, c.k), integers(rng, tensor.S8, 16, 8)
			na, nb, nd := c.k*c.left.Bytes()/8, c.k*c.right.Bytes()/16, c.result.Bytes()
			inputs := make([]uint32, 32*(na+nb+nd))
			for lane := range 32 {
				regs := inputs[lane*(na+nb+nd):][:na+nb+nd]
				for q := range na {
					row, k := c.left.LeftAt(lane, q)
					regs[q] = packed(c.left, a[row][k:])
				}
				for q := range nb {
					n, k := c.right.RightAt(lane, q)
					regs[na+q] = packed(c.right, b[n][k:])
				}
				for i := range nd {
					regs[na+nb+i] = addend(c.result, x, lane, i)
				}
			}
			body := fmt.Sprintf("\tmma.sync.aligned.%s %s, %s, %s, %s;\n", c.form,
				registers("%d", 0, nd), registers("%d", 0, na), registers("%d", na, nb), registers("%d", na+nb, nd))
			out, found := tensorProbe{threads: 32, inputs: inputs, body: body, outputs: nd}.run(t)
			require.Empty(t, found)
			d := productOf(a, b, x)
			for lane := range 32 {
				for i := range nd {
					require.Equal(t, addend(c.result, d, lane, i), out[lane*nd+i], "lane %d register %d", lane, i)
				}
			}
		})
	}
}

// integers draws a matrix.
func integers(rng *rand.Rand, t tensor.Type, rows, columns int) [][]int {
	m := make([][]int, rows)
	for i := range m {
		m[i] = make([]int, columns)
		for j := range m[i] {
			m[i][j] = small(rng, t)
		}
	}
	return m
}

// productOf is a·bᵀ + x.
func productOf(a, b, x [][]int) [][]int {
	d := make([][]int, len(a))
	for i := range a {
		d[i] = make([]int, len(b))
		for j := range b {
			d[i][j] = x[i][j]
			for k := range a[i] {
				d[i][j] += a[i][k] * b[j][k]
			}
		}
	}
	return d
}

// packed is the first elements of row in one register.
func packed(t tensor.Type, row []int) (w uint32) {
	for i := range 4 / t.Bytes() {
		w |= code(t, row[i]) << (8 * t.Bytes() * i)
	}
	return w
}

// addend is register i of a lane's fragment of D, which is one warp's strip.
func addend(t tensor.Type, d [][]int, lane, i int) uint32 {
	if t == tensor.F16 {
		row, column := tensor.HalfAccumulatorAt(lane, i)
		return packed(t, d[row][column:])
	}
	row, column := tensor.AccumulatorAt(lane, i)
	return code(t, d[row][column])
}
