package tensor

import (
	"math/rand/v2"
	"testing"
)

// Operand gathers of one m64n256k16, in elements: what the tensor core reads
// beside each 64*256*16 products.
func BenchmarkGather(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	memory := make([]byte, 1<<16)
	for i := range memory {
		memory[i] = byte(rng.Uint32()) & 0xbb // no infinity or NaN of any type
	}
	for _, v := range []struct {
		name string
		o    Operand
		left bool
	}{
		{"A f16", Operand{Type: F16, Rows: 64}, true},
		{"A f16 MN-major", Operand{Type: F16, Rows: 64, MNMajor: true}, true},
		{"B f16", Operand{Type: F16, Rows: 256}, false},
		{"B bf16", Operand{Type: BF16, Rows: 256}, false},
		{"B f16 MN-major", Operand{Type: F16, Rows: 256, MNMajor: true}, false},
		{"B e4m3", Operand{Type: E4M3, Rows: 256}, false},
		{"B s8", Operand{Type: S8, Rows: 256}, false},
		{"B tf32", Operand{Type: TF32, Rows: 256}, false},
	} {
		b.Run(v.name, func(b *testing.B) {
			left, right := make([]Column, 4*v.o.K()), make([]float32, v.o.Rows*v.o.K())
			var chunks []uint32
			d := Descriptor(64<<16 | 64<<32 | 1<<62)
			for b.Loop() {
				chunks = v.o.Chunks(chunks[:0], d)
				if v.left {
					v.o.GatherLeft(left, memory, chunks)
				} else {
					v.o.GatherRight(right, memory, chunks)
				}
			}
			b.ReportMetric(float64(v.o.Rows*v.o.K())*float64(b.N)/1e9/b.Elapsed().Seconds(), "Gelem/s")
		})
	}
	b.Run("chunks", func(b *testing.B) {
		o := Operand{Type: F16, Rows: 256}
		var chunks []uint32
		for b.Loop() {
			chunks = o.Chunks(chunks[:0], 64<<16|64<<32|1<<62)
		}
	})
}

// D of one warp, m64n256: 128 registers in and out.
func BenchmarkAccumulator(b *testing.B) {
	var regs [128]Register
	d := make([]Column, 256)
	for b.Loop() {
		for i := range regs {
			F32.LoadD(d, i, &regs[i])
		}
		for i := range regs {
			F32.StoreD(&regs[i], d, i)
		}
	}
}

// The fragments of one m16n8k16, and the product.
func BenchmarkMma(b *testing.B) {
	var left, right [4]Register
	var acc [4]Register
	var s Scratch
	a, d, r := make([]Column, 16), make([]Column, 8), make([]float32, 128)
	for b.Loop() {
		for q := range left {
			F16.LoadLeft(a, q, &left[q])
		}
		for q := range 2 {
			F16.LoadRight(Right{r, 16, 1}, q, &right[q])
		}
		for i := range acc {
			F32.LoadD(d, i, &acc[i])
		}
		Product{F16, F16, F32, true}.Multiply(&s, d, a, Right{r, 16, 1}, 8)
		for i := range acc {
			F32.StoreD(&acc[i], d, i)
		}
	}
	b.ReportMetric(16*8*16*float64(b.N)/1e9/b.Elapsed().Seconds(), "GMAC/s")
}
