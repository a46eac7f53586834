package labtest

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/internal/lab"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
)

// Benchmark measures a lesson's kernel: how fast the emulator computes it, and
// on a GPU, with the method of the published numbers, how fast it is at 8192
// cubed. Results are verified before and after.
func Benchmark[T any](b *testing.B, l lab.Lesson[T]) {
	b.Run("emulator", func(b *testing.B) {
		dev := emu.New(emu.Config{Seed: 1})
		defer dev.Close()
		bench(b, l, l.Small, dev, func(w *lab.Work) {
			for b.Loop() {
				require.NoError(b, w.Launch())
				require.NoError(b, dev.Synchronize())
			}
			s := w.Shape
			products := float64(s.M) * float64(s.N) * float64(s.K) * float64(b.N)
			b.ReportMetric(products/b.Elapsed().Seconds()/1e9, "GMAC/s")
		})
	})
	b.Run("GPU", func(b *testing.B) {
		gpu, missing := openGPU(b)
		if gpu == nil {
			b.Skip(missing)
		}
		meter, err := lab.NewMeter(gpu)
		require.NoError(b, err)
		bench(b, l, matrix.Shape{M: 8192, N: 8192, K: 8192}, gpu, func(w *lab.Work) {
			ms := 0.0
			for b.Loop() {
				sample, err := meter.Time(w.Launch)
				require.NoError(b, err)
				ms += sample.MS
			}
			s := w.Shape
			b.ReportMetric(2*float64(s.M)*float64(s.N)*float64(s.K)*float64(b.N)/ms/1e9, "TFLOP/s")
		})
	})
}

// bench measures between two verifications of the same work.
func bench[T any](b *testing.B, l lab.Lesson[T], s matrix.Shape, dev device.Device, measure func(*lab.Work)) {
	p, err := lab.NewProduct(dev, s, lab.F16, 1)
	require.NoError(b, err)
	defer p.Close()
	sms := dev.Info().SMs
	tile := l.TileFor(s, sms)
	w, err := p.Work(l.Name, l.Kernel(tile, lab.F16.Word), l.Plan(tile, s, sms), lab.Values(l.Flags, tile))
	require.NoError(b, err)
	ref, err := p.Reference()
	require.NoError(b, err)
	require.NoError(b, w.Check(dev, ref, io.Discard))
	measure(w)
	require.NoError(b, w.Check(dev, ref, io.Discard))
	b.ReportMetric(float64(w.Verdict.Compared+w.Verdict.Screened), "verified")
}
