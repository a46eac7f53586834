package matrix

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/num"
)

// TestEveryOrderOfSummationIsRight is the other half of the verifier's promise:
// it refuses nothing that float32 accumulation may give.
func TestEveryOrderOfSummationIsRight(t *testing.T) {
	var lengths []int
	for k := 1; k <= 8; k++ {
		lengths = append(lengths, k)
	}
	lengths = append(lengths, 16, 40, 100, 333, 2048)
	for _, typ := range []num.Format{num.FormatF16, num.FormatBF16, num.FormatF32} {
		operands := typ
		if typ == num.FormatF32 {
			operands = num.FormatBF16
		}
		for _, k := range lengths {
			for seed := range uint64(4) {
				a, b := Fill(3, k, operands, seed, 0), Fill(8, k, operands, seed, 1)
				if seed == 3 { // no cancellation: truncation adds up
					magnitude(a)
					magnitude(b)
				}
				r, err := NewReference(a, b, Options{Type: typ})
				require.NoError(t, err)
				for _, o := range orders() {
					report := r.Check(multiplyAs(a, b, typ, seed, o))
					require.NoError(t, report.Err(), "%v, K = %d, seed %d, %s", typ, k, seed, o.name)
				}
			}
		}
	}
}

func TestLongSumsOfPositiveProductsAreRight(t *testing.T) {
	const k = 1 << 16
	a := magnitude(Fill(1, k, num.FormatBF16, 1, 0))
	b := magnitude(Fill(4, k, num.FormatBF16, 1, 1))
	r, err := NewReference(a, b, Options{Type: num.FormatF32})
	require.NoError(t, err)
	for _, o := range orders() {
		require.NoError(t, r.Check(multiplyAs(a, b, num.FormatF32, 1, o)).Err(), o.name)
	}
}

func TestFP8OperandsAreRight(t *testing.T) {
	a, b := Fill(20, 100, num.FormatE4M3, 1, 0), Fill(24, 100, num.FormatE5M2, 1, 1)
	for _, typ := range []num.Format{num.FormatF16, num.FormatBF16, num.FormatF32} {
		report, err := Check(a, b, multiplyAs(a, b, typ, 0, orders()[0]), Options{Type: typ})
		require.NoError(t, err)
		require.NoError(t, report.Err())
	}
}

// TestScreenAcceptsRightAnswers forces the checks for large shapes on small
// ones.
func TestScreenAcceptsRightAnswers(t *testing.T) {
	for _, typ := range []num.Format{num.FormatF16, num.FormatBF16, num.FormatF32} {
		for _, s := range []Shape{{1, 1, 1}, {1, 8, 8}, {70, 40, 33}, {33, 100, 64}, {64, 48, 200}} {
			for seed := range uint64(3) {
				t.Run(fmt.Sprintf("%v %v seed %d", typ, s, seed), func(t *testing.T) {
					operands := typ
					if typ == num.FormatF32 {
						operands = num.FormatF16
					}
					a, b := Fill(s.M, s.K, operands, seed, 0), Fill(s.N, s.K, operands, seed, 1)
					r, err := newReference(a, b, Options{Tile: Tile{32, 16, 16}, Type: typ, Seed: seed}, 0, 0)
					require.NoError(t, err)
					for _, o := range []int{0, 5} {
						report := r.Check(multiplyAs(a, b, typ, seed, orders()[o]))
						require.NoError(t, report.Err())
						require.Equal(t, s.M*s.N, report.Screened)
						groups := s.M * ceilDiv(s.N, groupSize)
						require.LessOrEqual(t, report.Suspects, 2+groups/50, "confirming must stay rare, or it costs as much as a full comparison")
					}
				})
			}
		}
	}
}
