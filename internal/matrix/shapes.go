package matrix

import "fmt"

// Case is a shape worth testing and the reason why.
type Case struct {
	Shape
	Whole bool // every dimension is a multiple of the tile's
	Why   string
}

// Shapes are the shapes on which kernels of this tile with a ring of so many
// stages go wrong, small enough to run on the emulator. M may be ragged by one
// row; N and K stay multiples of 8 elements, since TMA wants the rows of a
// 16-bit matrix to be multiples of 16 bytes (PTX ISA 5.5).
func Shapes(t Tile, stages int) []Case {
	var cases []Case
	seen := map[Shape]bool{}
	add := func(m, n, k int, why string) {
		s := Shape{M: m, N: n, K: k}
		if s.Validate() != nil || seen[s] {
			return
		}
		seen[s] = true
		whole := m%t.M == 0 && n%t.N == 0 && k%t.K == 0
		cases = append(cases, Case{Shape: s, Whole: whole, Why: why})
	}
	tiles := func(n int) string {
		if n == 1 {
			return "1 K tile"
		}
		return fmt.Sprintf("%d K tiles", n)
	}
	add(t.M, t.N, t.K, "one tile, 1 K tile: the ring is filled by its first use")
	add(t.M, t.N, (stages-1)*t.K, tiles(stages-1)+", one less than there are stages: a stage is never used")
	add(t.M, t.N, stages*t.K, tiles(stages)+", as many as stages: no stage is used twice")
	add(t.M, t.N, (stages+1)*t.K, tiles(stages+1)+", one more than there are stages: the first reuse of a stage")
	add(t.M, t.N, (2*stages+1)*t.K, tiles(2*stages+1)+": parities turn over, and the count is odd")
	add(3*t.M, 2*t.N, 2*t.K, "3 x 2 tiles: rows and columns of tiles must not be exchanged")
	add(2*t.M, 3*t.N, 3*t.K, "2 x 3 tiles, 3 K tiles")
	add(2*t.M-1, t.N, t.K, "the last row of C is cut off")
	add(t.M+1, t.N, t.K, "a tile with a single row")
	add(t.M, 2*t.N-8, t.K, "the last columns of C are cut off")
	add(t.M, t.N+8, t.K, "a tile with eight columns")
	add(t.M, t.N, t.K+8, "a K tile with eight elements")
	add(t.M+1, t.N+8, stages*t.K+8, "ragged in every dimension, and the ring is full")
	add(1, 8, 8, "the least that TMA can load")
	add(t.M-1, t.N-8, t.K-8, "less than one tile in every dimension")
	return cases
}
