package matrix

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/num"
)

func TestFillIsStandardNormal(t *testing.T) {
	m := Fill(500, 400, num.FormatF16, 1, 0)
	var sum, square, fourth, neighbours float64
	beyond := 0
	for i := range m.Rows {
		for j := range m.Cols {
			v := m.At(i, j)
			sum += v
			square += v * v
			fourth += v * v * v * v
			neighbours += v * m.At((i+1)%m.Rows, j)
			if math.Abs(v) > 3 {
				beyond++
			}
		}
	}
	n := float64(m.Rows * m.Cols)
	// Six standard deviations of each estimate.
	assert.InDelta(t, 0, sum/n, 6/math.Sqrt(n))
	assert.InDelta(t, 1, square/n, 6*math.Sqrt(2/n))
	assert.InDelta(t, 3, fourth/n, 6*math.Sqrt(96/n))
	assert.InDelta(t, 0, neighbours/n, 6/math.Sqrt(n), "rows are independent")
	assert.InDelta(t, 0.0027, float64(beyond)/n, 6*math.Sqrt(0.0027/n))
}

func TestFillDependsOnSeedAndStreamOnly(t *testing.T) {
	base := Fill(8, 8, num.FormatBF16, 1, 0)
	assert.Equal(t, base, Fill(8, 8, num.FormatBF16, 1, 0))
	assert.NotEqual(t, base, Fill(8, 8, num.FormatBF16, 2, 0))
	assert.NotEqual(t, base, Fill(8, 8, num.FormatBF16, 1, 1))
	assert.NotEqual(t, Fill(8, 8, num.FormatBF16, 2, 0), Fill(8, 8, num.FormatBF16, 1, 1), "seed and stream do not stand in for each other")

	// Recorded results name their data by the seed, so it must stay.
	want := []float64{2.53125, -0.90625, -0.3125, -1.0703125}
	for j, w := range want {
		require.Equal(t, w, base.At(0, j))
	}
}

func TestEveryTypeRoundTrips(t *testing.T) {
	for _, typ := range []num.Format{num.FormatF16, num.FormatBF16, num.FormatF32, num.FormatE4M3, num.FormatE5M2} {
		m := Fill(3, 70, typ, 1, 0)
		require.Len(t, m.Bytes(), 3*70*typ.Size())
		row := make([]float64, 60)
		m.row(2, 10, row)
		for j, v := range row {
			require.Equal(t, m.At(2, 10+j), v, "%v", typ)
		}
		clone := m.Clone()
		clone.Set(1, 1, 0.5)
		assert.Equal(t, 0.5, clone.At(1, 1))
		assert.NotEqual(t, 0.5, m.At(1, 1), "a clone shares no memory")
		m.Poison()
		assert.True(t, math.IsNaN(m.At(2, 2)), "%v", typ)
	}
}

func TestBytesAreLittleEndian(t *testing.T) {
	m := New(1, 2, num.FormatF16)
	m.Set(0, 1, 1)
	assert.Equal(t, []byte{0, 0, 0x00, 0x3C}, m.Bytes())
	m = New(1, 1, num.FormatF32)
	m.Set(0, 0, 1)
	assert.Equal(t, []byte{0, 0, 0x80, 0x3F}, m.Bytes())
}

func BenchmarkFill(b *testing.B) {
	b.SetBytes(2 << 20)
	for b.Loop() {
		Fill(1024, 1024, num.FormatF16, 1, 0)
	}
}

func BenchmarkReference(b *testing.B) {
	x, y := Fill(1024, 1024, num.FormatF16, 1, 0), Fill(1024, 1024, num.FormatF16, 1, 1)
	b.Run("full 1024 cubed", func(b *testing.B) {
		for b.Loop() {
			if _, err := NewReference(x, y, Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("sampled 1024 cubed", func(b *testing.B) {
		for b.Loop() {
			if _, err := newReference(x, y, Options{}, 0, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
}
