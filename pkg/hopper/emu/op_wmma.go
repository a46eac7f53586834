package emu

import (
	"gohopper/pkg/hopper/emu/tensor"
	"gohopper/pkg/hopper/ptx"
)

// wmma is what nvcuda::wmma compiles to (PTX 9.7.14.4). PTX leaves open which
// lane holds which element of a fragment, so a kernel cannot depend on it: here
// a fragment is that of mma.sync, tile by tile, and wmma.mma is a few of those.
// Where a fragment has more registers than that needs, the rest repeats it.

var wmmaForms = map[string][]form{
	"wmma": {
		{"load a|b sync aligned row|col m16n16k16|m32n8k16|m8n32k16 ?global|shared|shared::cta f16|bf16|s8|u8", compileWmmaLoad},
		{"load a|b sync aligned row|col m16n16k8 ?global|shared|shared::cta tf32", compileWmmaLoad},
		{"load c sync aligned row|col m16n16k16|m32n8k16|m8n32k16|m16n16k8 ?global|shared|shared::cta f16|f32|s32", compileWmmaLoad},
		{"store d sync aligned row|col m16n16k16|m32n8k16|m8n32k16|m16n16k8 ?global|shared|shared::cta f16|f32|s32", compileWmmaStore},
		{"mma sync aligned row|col row|col m16n16k16|m32n8k16|m8n32k16 f16|f32 f16|f32", compileWmma},
		{"mma sync aligned row|col row|col m16n16k16|m32n8k16|m8n32k16 f32 bf16 bf16 f32", compileWmma},
		{"mma sync aligned row|col row|col m16n16k16|m32n8k16|m8n32k16 s32 s8|u8 s8|u8 s32", compileWmma},
		{"mma sync aligned row|col row|col m16n16k8 f32 tf32 tf32 f32", compileWmma},
	},
}

// wmmaShape is the size of a wmma product in the terms of mma.sync, whose left
// operand is strips of 16 rows and whose right one is tiles of 8 columns. With
// m = 8 the operands change places: D is then computed as its transpose.
type wmmaShape struct {
	strips, tiles, k int
	swapped          bool
}

var wmmaShapes = map[string]wmmaShape{
	"m16n16k16": {strips: 1, tiles: 2, k: 16},
	"m16n16k8":  {strips: 1, tiles: 2, k: 8},
	"m32n8k16":  {strips: 2, tiles: 1, k: 16},
	"m8n32k16":  {strips: 2, tiles: 1, k: 16, swapped: true},
}

// chunks is the number of registers that hold 8 rows of an operand along k.
func (x wmmaShape) chunks(t tensor.Type) int { return x.k / t.PerChunk() }

// rowsOf is the rows of matrix a, the columns of b and the rows of c or d.
func (x wmmaShape) rowsOf(matrix string) int {
	if (matrix == "b") != x.swapped {
		return 8 * x.tiles
	}
	return tensor.StripRows * x.strips
}

// element is the place of element e of a register: row and k of a, column and
// k of b, row and column of c or d.
func (x wmmaShape) element(matrix string, t tensor.Type, lane, reg, e int) (outer, inner int) {
	switch {
	case matrix == "c" || matrix == "d":
		per, at := 4, tensor.AccumulatorAt
		if t == tensor.F16 {
			per, at = 2, tensor.HalfAccumulatorAt
		}
		tile := reg / per
		row, column := at(lane, reg%per)
		row, column = row+tile/x.tiles*tensor.StripRows, column+tile%x.tiles*8+e
		if x.swapped {
			return column, row
		}
		return row, column
	case (matrix == "a") != x.swapped:
		per := 2 * x.chunks(t)
		row, k := t.LeftAt(lane, reg%per)
		return row + reg/per*tensor.StripRows, k + e
	}
	per := x.chunks(t)
	n, k := t.RightAt(lane, reg%per)
	return n + reg/per*8, k + e
}

// registers is how many registers a fragment needs.
func (x wmmaShape) registers(matrix string, t tensor.Type) int {
	switch {
	case matrix == "c" || matrix == "d":
		return 4 * x.strips * x.tiles * t.Bytes() / 4
	case (matrix == "a") != x.swapped:
		return 2 * x.strips * x.chunks(t)
	}
	return x.tiles * x.chunks(t)
}

// wmmaTypes are the types of D, A, B and C. With f16 operands the opcode has
// only those of D and C.
func wmmaTypes(in *ptx.Instr) (d, a, b, c tensor.Type) {
	names := in.Mods[6:]
	if len(names) == 2 {
		return tensorTypes[names[0]], tensor.F16, tensor.F16, tensorTypes[names[1]]
	}
	return tensorTypes[names[0]], tensorTypes[names[1]], tensorTypes[names[2]], tensorTypes[names[3]]
}

func compileWmma(c *compiler, in *ptx.Instr) op {
	x := wmmaShapes[in.Mods[5]]
	result, left, right, addend := wmmaTypes(in)
	// ptxas converts f16 where C and D differ: the product is one of float32.
	product := tensor.Product{Left: left, Right: right, Result: result, Warp: true}
	if addend == tensor.F32 {
		product.Result = addend
	}
	args := c.args(4, 4)
	d, l, r, s := c.fragmentTo(args[0]), c.fragment(args[1]), c.fragment(args[2]), c.fragment(args[3])
	if x.swapped {
		l, r, left, right = r, l, right, left
	}
	perLeft, perRight := 2*x.chunks(left), x.chunks(right)
	perD, perC := 4*result.Bytes()/4, 4*addend.Bytes()/4
	if len(l) < x.strips*perLeft || len(r) < x.tiles*perRight || len(d) != x.strips*x.tiles*perD || len(s) != x.strips*x.tiles*perC {
		return c.failf("the fragments of %s have too few or too many registers", in.Name())
	}
	return func(w *warp, m mask) *wait {
		sums := make([]row32, len(d)) // D may be the registers of another operand
		var panelA [16]tensor.Column
		var panelB [mmaN * 16]float32
		matrixB := tensor.Right{Elements: panelB[:], StepN: x.k, StepK: 1}
		for tile := range x.strips * x.tiles {
			for i := range perLeft {
				left.LoadLeft(panelA[:x.k], i, lanesOf(&w.r[l[tile/x.tiles*perLeft+i]]))
			}
			for i := range perRight {
				right.LoadRight(matrixB, i, lanesOf(&w.r[r[tile%x.tiles*perRight+i]]))
			}
			var panelD [mmaN]tensor.Column
			sum := sums[tile*perD:][:perD]
			for i := range perC {
				from := w.r[s[tile*perC+i]]
				addend.LoadD(panelD[:], i, lanesOf(&from))
				if addend == tensor.S32 {
					sum[i] = from // integers are added to it
				}
			}
			product.Multiply(&w.cta.cluster.scratch, panelD[:], panelA[:x.k], matrixB, mmaN)
			for i := range sum {
				result.StoreD(lanesOf(&sum[i]), panelD[:], i)
			}
		}
		for i, row := range d {
			w.writeRow(row, &sums[i], m)
		}
		return nil
	}
}
