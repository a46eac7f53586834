package matrix

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/num"
)

// TestProductAgainstThreeLoops covers every kind of edge of the blocks.
func TestProductAgainstThreeLoops(t *testing.T) {
	for _, s := range []Shape{{1, 1, 1}, {2, 4, 256}, {3, 5, 257}, {64, 64, 10}, {65, 67, 300}, {130, 70, 513}} {
		a, b := Fill(s.M, s.K, num.FormatF16, 1, 0), Fill(s.N, s.K, num.FormatF16, 1, 1)
		with := computed(a, b, s.K, upTo(s.M), upTo(s.N), true)
		without := computed(a, b, s.K, upTo(s.M), upTo(s.N), false)
		assert.Nil(t, without.mag)
		for i := range s.M {
			for j := range s.N {
				var sum, mag float64
				for k := range s.K {
					p := a.At(i, k) * b.At(j, k)
					sum += p
					mag += math.Abs(p)
				}
				at := i*s.N + j
				require.InDelta(t, sum, with.sum[at], 1e-12*mag, "%v (%d, %d)", s, i, j)
				require.InDelta(t, mag, with.mag[at], 1e-12*mag, "%v (%d, %d)", s, i, j)
				require.InDelta(t, sum, without.sum[at], 1e-12*mag, "%v (%d, %d)", s, i, j)
			}
		}
	}
}

func TestPatchOfChosenRows(t *testing.T) {
	a, b := Fill(10, 20, num.FormatBF16, 1, 0), Fill(12, 20, num.FormatBF16, 1, 1)
	whole := computed(a, b, 20, upTo(10), upTo(12), true)
	part := computed(a, b, 20, []int{9, 0, 4}, []int{11, 3}, true)
	for n, i := range []int{9, 0, 4} {
		for m, j := range []int{11, 3} {
			assert.Equal(t, whole.sum[i*12+j], part.sum[n*2+m])
			assert.Equal(t, whole.mag[i*12+j], part.mag[n*2+m])
		}
	}
}

func TestJudge(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		why           string
		typ           num.Format
		c, ref, slack float64
		ok            bool
	}{
		{"exact", num.FormatF16, 1, 1, 0, true},
		{"half a unit above", num.FormatF16, 1, 1 + 0x1p-11, 0, true},
		{"more than half a unit", num.FormatF16, 1, 1 + 0x1.001p-11, 0, false},
		{"the slack is added", num.FormatF16, 1, 1 + 0x1p-11 + 0.25, 0.25, true},
		{"and no more", num.FormatF16, 1, 1 + 0x1p-9 + 0.25, 0.25, false},
		{"the accumulator may be in the next binade, where a unit is twice as large", num.FormatBF16, 2, 2 - 0x1p-10, 0x1p-8, true},
		{"subnormals round to a unit of their own", num.FormatF16, 0x1p-24, 0x1.8p-24, 0, true},
		{"a subnormal flushed to zero", num.FormatF16, 0, 0x1p-20, 0, false},
		{"zero for zero", num.FormatF16, 0, 0, 0, true},
		{"negative zero for zero", num.FormatF16, math.Copysign(0, -1), 0, 0, true},
		{"NaN", num.FormatF16, nan, 1, 1e300, false},
		{"NaN for NaN", num.FormatF16, nan, nan, 1, false},
		{"a number for NaN", num.FormatF16, 1, nan, 1, false},
		{"infinity for a small number", num.FormatF16, inf, 1, 100, false},
		{"largest value from below the border", num.FormatF16, 65504, 65519, 0, true},
		{"infinity from below the border", num.FormatF16, inf, 65519, 0, false},
		{"infinity from the border", num.FormatF16, inf, 65520, 0, true},
		{"infinity when the accumulator may be beyond the border", num.FormatF16, inf, 65500, 20, true},
		{"infinity of the other sign", num.FormatF16, -inf, 65600, 20, false},
		{"negative infinity", num.FormatF16, -inf, -65600, 0, true},
		{"the largest value where only infinity is right", num.FormatF16, 65504, 70000, 20, false},
		{"bf16 reaches further", num.FormatBF16, inf, 1e38, 1e30, false},
	} {
		t.Run(c.why, func(t *testing.T) {
			_, bound, ok := judge(c.typ, c.c, c.ref, c.slack)
			assert.Equal(t, c.ok, ok)
			if c.ref == c.ref {
				assert.Greater(t, bound, 0.0)
			}
		})
	}
}

func TestGamma(t *testing.T) {
	for k := 1; k <= 130; k++ {
		assert.GreaterOrEqual(t, Gamma(k, UnitF32), float64(k)*UnitF32/2, "K = %d: short sums are covered in the worst case", k)
	}
	assert.Less(t, Gamma(8192, UnitF32), 8192*UnitF32/2/2, "K = 8192: far below the worst case")
}

// TestOverflowOfF16 has products that are beyond the range of f16.
func TestOverflowOfF16(t *testing.T) {
	a, b := New(2, 64, num.FormatF16), New(2, 64, num.FormatF16)
	for k := range 64 {
		a.Set(0, k, 40)
		a.Set(1, k, -40)
		b.Set(0, k, 40)
		b.Set(1, k, 0.5)
	}
	c := answer(a, b)
	require.Equal(t, math.Inf(1), c.At(0, 0))
	require.Equal(t, math.Inf(-1), c.At(1, 0))
	report, err := Check(a, b, c, Options{})
	require.NoError(t, err)
	assert.NoError(t, report.Err())
	c.Set(1, 0, -65504)
	report, err = Check(a, b, c, Options{})
	require.NoError(t, err)
	assert.False(t, report.OK(), "a saturated value is not what rounding gives")
}

func TestWhatCannotBeReferenced(t *testing.T) {
	withNaN := New(3, 4, num.FormatF16)
	withNaN.Set(2, 1, math.NaN())
	for _, c := range []struct {
		why  string
		a, b *Matrix
		o    Options
		want string
	}{
		{"different K", New(3, 4, num.FormatF16), New(5, 6, num.FormatF16), Options{},
			"operand A is 3 x 4 and B is 5 x 6: both are stored with K last, so they must have as many columns"},
		{"empty", New(0, 4, num.FormatF16), New(5, 4, num.FormatF16), Options{},
			"m is 0: every dimension of a product must be at least 1"},
		{"FP8 result by default", New(3, 4, num.FormatE4M3), New(5, 4, num.FormatE4M3), Options{},
			"a result of type e4m3 cannot be checked: set Options.Type to f16, bf16 or f32"},
		{"NaN in A", withNaN, New(5, 4, num.FormatF16), Options{},
			"A has NaN at (2, 1): there is no product to compare with; fill the operands with finite values"},
		{"NaN in B", New(5, 4, num.FormatF16), withNaN, Options{},
			"B has NaN at (2, 1): there is no product to compare with; fill the operands with finite values"},
	} {
		t.Run(c.why, func(t *testing.T) {
			_, err := NewReference(c.a, c.b, c.o)
			assert.EqualError(t, err, c.want)
		})
	}
}

func TestReportTexts(t *testing.T) {
	a, b := Fill(96, 48, num.FormatF16, 1, 0), Fill(64, 48, num.FormatF16, 1, 1)
	r, err := NewReference(a, b, Options{Tile: Tile{32, 32, 16}})
	require.NoError(t, err)
	c := answer(a, b)
	assert.Regexp(t, `^right: 6144 elements within their bounds, worst 0\.\d\d of its bound$`, r.Check(c).String())

	for i := 32; i < 64; i++ {
		for j := range 32 {
			c.Set(i, j, 0)
		}
	}
	report := r.Check(c)
	assert.Regexp(t, `^wrong: 1024 of 6144 elements beyond their bounds, worst at row \d+, column \d+: got 0, want -?[\d.]+ within [\d.e-]+$`, report.String())
	assert.Regexp(t, `(?s)^C = A·Bᵀ of 96x64x48 in f16 is wrong: .* \([\d.e+]+ times the bound\)
  1024 elements are zero: .*
  only tile \(1, 0\) is wrong: rows from 32, columns from 0; .*$`, report.Err().Error())

	report = r.Check(New(96, 65, num.FormatF16))
	assert.False(t, report.OK())
	assert.EqualError(t, report.Err(), "C = A·Bᵀ of 96x64x48 in f16 is not compared: C is a 96 x 65 matrix of f16, but the product is 96 x 64 of f16")
	assert.False(t, Report{}.OK())
	assert.Error(t, Report{}.Err())
}

func computed(a, b *Matrix, k int, rows, cols []int, magnitudes bool) *patch {
	p := &patch{rows: rows, cols: cols}
	p.compute(a, b, k, magnitudes)
	return p
}
