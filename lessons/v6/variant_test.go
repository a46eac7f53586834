package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/internal/lab"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/emu"
	"gohopper/pkg/hopper/ptx"
)

// The zero variant is the lesson's kernel: what an ablation changes is then
// all that differs.
func TestZeroVariantIsTheKernel(t *testing.T) {
	for _, e := range []hopper.Elem{hopper.F16, hopper.BF16} {
		kernel, err := Kernel(DefaultTile, e).Module()
		require.NoError(t, err)
		variant, err := Ablated(DefaultTile, e, Variant{}).Module()
		require.NoError(t, err)
		require.Equal(t, ptx.PrintBare(kernel), ptx.PrintBare(variant))
	}
}

// Every case of every ablation computes the right product, three tiles of a
// CTA and ragged edges included; the inexact one within what it promises.
func TestEveryCaseIsRight(t *testing.T) {
	shape := matrix.Shape{M: 1000, N: 968, K: 264}
	dev := emu.New(emu.Config{Seed: 1, SMs: 4})
	p, err := lab.NewProduct(dev, shape, lab.F16, 1)
	require.NoError(t, err)
	ref, err := p.Reference()
	require.NoError(t, err)
	for _, a := range ablations(DefaultTile, lab.F16, shape, dev.Info().SMs) {
		for _, c := range a.Cases {
			t.Run(a.Name+"/"+c.Name, func(t *testing.T) {
				w, err := p.Work("v6", c.Kernel, c.Plan, c.Tile)
				require.NoError(t, err)
				w.Inexact = c.Inexact
				var findings strings.Builder
				require.NoError(t, w.Check(dev, ref, &findings), findings.String())
			})
		}
	}
}
