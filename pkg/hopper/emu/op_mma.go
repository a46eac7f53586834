package emu

import (
	"gohopper/pkg/hopper/emu/tensor"
	"gohopper/pkg/hopper/ptx"
)

// mmaForms is the products that one warp computes by itself (PTX 9.7.14.5).
var mmaForms = map[string][]form{
	"mma": {
		{"sync aligned m16n8k8|m16n8k16 row col f16|f32 f16 f16 f16|f32", compileMma},
		{"sync aligned m16n8k8|m16n8k16 row col f32 bf16 bf16 f32", compileMma},
		{"sync aligned m16n8k4|m16n8k8 row col f32 tf32 tf32 f32", compileMma},
		{"sync aligned m16n8k32 row col f32 e4m3|e5m2 e4m3|e5m2 f32", compileMma},
		{"sync aligned m16n8k16|m16n8k32 row col s32 s8|u8 s8|u8 s32", compileMma},
	},
}

// mmaN is the columns of D of every form.
const mmaN = 8

func compileMma(c *compiler, in *ptx.Instr) op {
	k := map[string]int{"m16n8k4": 4, "m16n8k8": 8, "m16n8k16": 16, "m16n8k32": 32}[in.Mods[2]]
	types := in.Mods[len(in.Mods)-4:]
	result, left := tensorTypes[types[0]], tensorTypes[types[1]]
	right, addend := tensorTypes[types[2]], tensorTypes[types[3]]
	product := tensor.Product{Left: left, Right: right, Result: result, Warp: true}
	args := c.args(4, 4)
	d, a, b, x := c.fragmentTo(args[0]), c.fragment(args[1]), c.fragment(args[2]), c.fragment(args[3])
	return func(w *warp, m mask) *wait {
		var (
			panelA [32]tensor.Column
			panelB [mmaN * 32]float32
			panelD [mmaN]tensor.Column
			sum    [4]row32
		)
		for i, r := range a {
			left.LoadLeft(panelA[:k], i, lanesOf(&w.r[r]))
		}
		matrixB := tensor.Right{Elements: panelB[:], StepN: k, StepK: 1}
		for i, r := range b {
			right.LoadRight(matrixB, i, lanesOf(&w.r[r]))
		}
		for i, r := range x {
			addend.LoadD(panelD[:], i, lanesOf(&w.r[r]))
			sum[i] = w.r[r] // integers are added to it
		}
		product.Multiply(&w.cta.cluster.scratch, panelD[:], panelA[:k], matrixB, mmaN)
		for i, r := range d {
			result.StoreD(lanesOf(&sum[i]), panelD[:], i)
			w.writeRow(r, &sum[i], m)
		}
		return nil
	}
}
