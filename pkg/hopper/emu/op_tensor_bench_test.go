package emu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gohopper/pkg/hopper/emu/tensor"
)

const benchmarkTurns = 512

// loop repeats body.
func loop(body string) string {
	return fmt.Sprintf("\tmov.u32 %%r15, 0;\nLOOP:\n%s\tadd.u32 %%r15, %%r15, 1;\n\tsetp.lt.u32 %%p3, %%r15, %d;\n\t@%%p3 bra LOOP;\n",
		body, benchmarkTurns)
}

func report(b *testing.B, products int) {
	b.ReportMetric(float64(products)*float64(b.N)/1e9/b.Elapsed().Seconds(), "GMAC/s")
}

// A warpgroup's main loop without its loads: four steps of K, commit, wait.
func BenchmarkWgmma(b *testing.B) {
	rng := rand.New(rand.NewPCG(41, 42))
	for _, c := range []wgmmaCase{
		{n: 256, result: tensor.F32, left: tensor.F16, right: tensor.F16, scaleA: 1, scaleB: 1},
		{n: 256, result: tensor.F32, left: tensor.BF16, right: tensor.BF16, scaleA: 1, scaleB: 1, majorB: true},
		{n: 64, result: tensor.F32, left: tensor.F16, right: tensor.F16, scaleA: 1, scaleB: 1},
		{n: 256, result: tensor.F32, left: tensor.E4M3, right: tensor.E4M3, scaleA: 1, scaleB: 1},
		{n: 256, result: tensor.F16, left: tensor.F16, right: tensor.F16, scaleA: 1, scaleB: 1},
	} {
		b.Run(c.String(), func(b *testing.B) {
			k := 128 / c.left.Bytes()
			left := operandTile{t: c.left, m: integers(rng, c.left, 64, k)}
			right := operandTile{t: c.right, m: integers(rng, c.right, c.n, k), major: c.majorB, offset: left.bytes()}
			image := make([]byte, left.bytes()+right.bytes())
			left.place(image)
			right.place(image)
			accumulators := c.n * c.result.Bytes() / 8
			p := tensorProbe{threads: 128, image: image, inputs: make([]uint32, 128*accumulators),
				body: loop(c.body(left, right, accumulators)), outputs: 1}
			for b.Loop() {
				p.run(b)
			}
			report(b, benchmarkTurns*64*c.n*k)
		})
	}
}

// A warp's main loop without its loads: 32 rows by 32 columns of D.
func BenchmarkMma(b *testing.B) {
	var body strings.Builder
	for i := range 8 {
		d := registers("%d", 4*i, 4)
		fmt.Fprintf(&body, "\tmma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 %s, %s, %s, %s;\n",
			d, registers("%d", 32+4*(i%2), 4), registers("%d", 40+2*(i%4), 2), d)
	}
	p := tensorProbe{threads: 32, inputs: make([]uint32, 32*48), body: loop(body.String()), outputs: 1}
	for b.Loop() {
		p.run(b)
	}
	report(b, benchmarkTurns*8*16*8*16)
}

func BenchmarkLdmatrix(b *testing.B) {
	body := "\tldmatrix.sync.aligned.m8n8.x4.shared.b16 {%d0, %d1, %d2, %d3}, [%r8];\n"
	p := tensorProbe{threads: 32, image: make([]byte, 512),
		body: "\tshl.b32 %r8, %r2, 4;\n\tadd.u32 %r8, %r8, %r3;\n" + loop(strings.Repeat(body, 8)), outputs: 1}
	for b.Loop() {
		p.run(b)
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/benchmarkTurns/8, "ns/ldmatrix.x4")
}
