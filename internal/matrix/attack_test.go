package matrix

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/num"
)

// scene is a product with its right answer, for an attack to work on.
type scene struct {
	a, b, c *Matrix // c is right
	tile    Tile
	seed    uint64
}

// attack makes a wrong result; nil where the shape leaves no room for it.
type attack struct {
	name string
	says string // part of the diagnosis, where the shape has room for one
	make func(s scene) *Matrix
}

// all sets every element to the same bits.
func all(code func(num.Format) uint32) func(s scene) *Matrix {
	return func(s scene) *Matrix {
		c := s.c.Clone()
		for i := range c.Rows {
			for j := range c.Cols {
				c.SetCode(i, j, code(c.Type))
			}
		}
		return c
	}
}

// one sets one element in the middle.
func one(value func(s scene, i, j int) float64) func(s scene) *Matrix {
	return func(s scene) *Matrix {
		c := s.c.Clone()
		i, j := c.Rows/2, c.Cols/2
		c.Set(i, j, value(s, i, j))
		return c
	}
}

// shifted moves the answer by tiles; what has no source keeps the poison.
func shifted(di, dj func(Tile) int) func(s scene) *Matrix {
	return func(s scene) *Matrix {
		c := s.c.Clone()
		c.Poison()
		moved := 0
		for i := range c.Rows {
			for j := range c.Cols {
				if x, y := i+di(s.tile), j+dj(s.tile); x < c.Rows && y < c.Cols {
					c.SetCode(i, j, s.c.Code(x, y))
					moved++
				}
			}
		}
		if 2*moved < c.Rows*c.Cols {
			return nil
		}
		return c
	}
}

// overK is the answer to operands of which only part of K is left.
func overK(keep func(k int, s scene) bool) func(s scene) *Matrix {
	return func(s scene) *Matrix {
		if s.a.Cols <= s.tile.K {
			return nil
		}
		a := s.a.Clone()
		for i := range a.Rows {
			for k := range a.Cols {
				if !keep(k, s) {
					a.SetCode(i, k, 0)
				}
			}
		}
		return answer(a, s.b)
	}
}

func lastTile(s scene) int { return (ceilDiv(s.a.Cols, s.tile.K) - 1) * s.tile.K }

func zero(Tile) int { return 0 }

func attacks() []attack {
	return []attack{
		{"NaN everywhere", "every element is NaN", all(func(f num.Format) uint32 { return f.Encode(math.NaN()) })},
		{"untouched poison", "every byte is 0xFF", func(s scene) *Matrix { c := s.c.Clone(); c.Poison(); return c }},
		{"zeros", "every element is zero", all(func(num.Format) uint32 { return 0 })},
		{"negative zeros", "every element is zero", all(func(f num.Format) uint32 { return f.Encode(math.Copysign(0, -1)) })},
		{"a constant", "every element is 1.5", all(func(f num.Format) uint32 { return f.Encode(1.5) })},
		{"infinity everywhere", "every element is +Inf", all(func(f num.Format) uint32 { return f.Encode(math.Inf(1)) })},
		{"one NaN", "1 elements are NaN", one(func(scene, int, int) float64 { return math.NaN() })},
		{"one infinity", "1 elements are infinite", one(func(scene, int, int) float64 { return math.Inf(1) })},
		{"one negative infinity", "1 elements are infinite", one(func(scene, int, int) float64 { return math.Inf(-1) })},
		{"one element off by two bounds", "", one(func(s scene, i, j int) float64 {
			r, _ := NewReference(s.a, s.b, Options{})
			sum, mag := r.exact(i, j, 0, r.Shape.K)
			_, bound, _ := judge(s.c.Type, 0, sum, Gamma(r.Shape.K, UnitF32)*mag)
			return sum + math.Copysign(2*bound, sum)
		})},
		{"the transpose", "stored transposed", func(s scene) *Matrix {
			if s.c.Rows == 1 || s.c.Cols == 1 {
				return nil
			}
			c := s.c.Clone()
			for i := range c.Rows {
				for j := range c.Cols {
					at := j*c.Rows + i
					c.SetCode(at/c.Cols, at%c.Cols, s.c.Code(i, j))
				}
			}
			return c
		}},
		{"B read as K x N", "B was read as K x N", func(s scene) *Matrix {
			b := s.b.Clone()
			for j := range b.Rows {
				for k := range b.Cols {
					at := k*b.Rows + j
					b.SetCode(j, k, s.b.Code(at/b.Cols, at%b.Cols))
				}
			}
			return answer(s.a, b)
		}},
		{"stale: the right answer of another seed", "nothing to do with this one", func(s scene) *Matrix {
			return answer(Fill(s.a.Rows, s.a.Cols, s.a.Type, s.seed+1, 0), Fill(s.b.Rows, s.b.Cols, s.b.Type, s.seed+1, 1))
		}},
		{"rows shifted by a tile", "rows further", shifted(func(t Tile) int { return t.M }, zero)},
		{"columns shifted by a tile", "columns further", shifted(zero, func(t Tile) int { return t.N })},
		{"columns shifted by one", "1 columns further", shifted(zero, func(Tile) int { return 1 })},
		{"the last tile dropped", "no CTA wrote them", func(s scene) *Matrix {
			c := s.c.Clone()
			c.Poison()
			lastRow, lastCol := (c.Rows-1)/s.tile.M, (c.Cols-1)/s.tile.N
			for i := range c.Rows {
				for j := range c.Cols {
					if i/s.tile.M != lastRow || j/s.tile.N != lastCol {
						c.SetCode(i, j, s.c.Code(i, j))
					}
				}
			}
			return c
		}},
		{"the last row of tiles is zero", "only the last row of tiles is wrong", func(s scene) *Matrix {
			c := s.c.Clone()
			first := (c.Rows - 1) / s.tile.M * s.tile.M
			if first == 0 || c.Cols <= s.tile.N {
				return nil
			}
			for i := first; i < c.Rows; i++ {
				for j := range c.Cols {
					c.SetCode(i, j, 0)
				}
			}
			return c
		}},
		{"the last K tile dropped", "the last K tile is missing", overK(func(k int, s scene) bool { return k < lastTile(s) })},
		{"the first K tile dropped", "the first K tile is missing", overK(func(k int, s scene) bool { return k >= s.tile.K })},
		{"the accumulator cleared in each step", "only the last K tile counts", overK(func(k int, s scene) bool { return k >= lastTile(s) })},
		{"twice the answer", "twice what it should be", func(s scene) *Matrix {
			c := s.c.Clone()
			for i := range c.Rows {
				for j := range c.Cols {
					c.Set(i, j, 2*s.c.At(i, j))
				}
			}
			return c
		}},
		{"two neighbouring columns exchanged", "", func(s scene) *Matrix {
			c := s.c.Clone()
			for i := range c.Rows {
				c.SetCode(i, 2, s.c.Code(i, 3))
				c.SetCode(i, 3, s.c.Code(i, 2))
			}
			return c
		}},
		{"K permuted for A only", "nothing to do with this one", func(s scene) *Matrix {
			a := s.a.Clone()
			for i := range a.Rows {
				for k := range a.Cols {
					a.SetCode(i, k, s.a.Code(i, k^1%a.Cols))
				}
			}
			return answer(a, s.b)
		}},
	}
}

// TestAttacksFail runs every attack on every shape, type and kind of check.
func TestAttacksFail(t *testing.T) {
	tile := Tile{M: 32, N: 32, K: 16}
	tried, explained := map[string]int{}, map[string]int{}
	for _, typ := range []num.Format{num.FormatF16, num.FormatBF16} {
		for _, shape := range []Shape{
			{1, 8, 8},    // the least
			{2, 8, 2},    // tiny
			{7, 24, 40},  // less than a tile, ragged K
			{64, 64, 64}, // whole tiles, square
			{65, 72, 56}, // ragged everywhere
			{96, 32, 48}, // non-square
			{40, 128, 16},
		} {
			a, b := Fill(shape.M, shape.K, typ, 7, 0), Fill(shape.N, shape.K, typ, 7, 1)
			s := scene{a: a, b: b, c: answer(a, b), tile: tile, seed: 7}
			full, err := NewReference(a, b, Options{Tile: tile})
			require.NoError(t, err)
			sampled, err := newReference(a, b, Options{Tile: tile}, 0, 0)
			require.NoError(t, err)
			require.NoError(t, full.Check(s.c).Err())
			require.NoError(t, sampled.Check(s.c).Err())
			for _, attack := range attacks() {
				c := attack.make(s)
				if c == nil {
					continue
				}
				t.Run(fmt.Sprintf("%v %v %s", typ, shape, attack.name), func(t *testing.T) {
					tried[attack.name]++
					report := full.Check(c)
					require.False(t, report.OK())
					require.Error(t, report.Err())
					assert.NotZero(t, report.Wrong)
					if strings.Contains(report.Err().Error(), attack.says) {
						explained[attack.name]++
					}
					if attack.name != "one element off by two bounds" { // the screen may miss it, see the package comment
						assert.False(t, sampled.Check(c).OK(), "sampled and screened")
					}
				})
			}
		}
	}
	for _, attack := range attacks() {
		assert.GreaterOrEqual(t, tried[attack.name], 4, "%s: found no shape to work on", attack.name)
		assert.Greater(t, 2*explained[attack.name], tried[attack.name], "%s: explained %d of %d", attack.name, explained[attack.name], tried[attack.name])
	}
}

// TestNarrowAccumulatorsFail: an accumulator in the type of C is the mistake
// that a loose bound hides.
func TestNarrowAccumulatorsFail(t *testing.T) {
	for _, c := range []struct {
		operands, accumulator num.Format
		k                     int
	}{
		{num.FormatF16, num.FormatF16, 256},
		{num.FormatF16, num.FormatF16, 8192},
		{num.FormatBF16, num.FormatF16, 2048},
		{num.FormatBF16, num.FormatBF16, 256},
		{num.FormatBF16, num.FormatBF16, 8192},
	} {
		t.Run(fmt.Sprintf("%v in %v, K = %d", c.operands, c.accumulator, c.k), func(t *testing.T) {
			a, b := Fill(16, c.k, c.operands, 3, 0), Fill(24, c.k, c.operands, 3, 1)
			narrow := order{"narrow", func(p []float32, _ *rand.Rand) float32 {
				var s float64
				for _, v := range p {
					s = c.accumulator.Decode(c.accumulator.Encode(s + float64(v)))
				}
				return float32(s)
			}}
			wrong := multiplyAs(a, b, c.operands, 0, narrow)
			report, err := Check(a, b, wrong, Options{})
			require.NoError(t, err)
			require.False(t, report.OK())
			if c.accumulator == num.FormatF16 {
				assert.Contains(t, report.Err().Error(), "see that the accumulator is float32")
			}
			sampled, err := newReference(a, b, Options{}, 0, 0)
			require.NoError(t, err)
			assert.False(t, sampled.Check(wrong).OK())
		})
	}
}
