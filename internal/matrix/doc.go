// Package matrix makes the operands of C = A·Bᵀ and says whether a C is right.
// A is M x K, B is N x K and C is M x N, all row-major. The package knows
// numbers only: it must not know kernels, devices or time.
//
// # What right means
//
// The exact sum Σ a·b and the sum of magnitudes S = Σ|a||b| of an element are
// computed in float64. An element is right if it is within half a unit in the
// last place of its type (the one rounding from the accumulator to C, in
// subnormals and at the border of infinity too) plus Gamma(K)·S (the
// accumulation in float32, in any order, or by a tensor core that truncates)
// of the exact sum. "Within" is meant: what does not compare, a NaN, is wrong.
//
// # What is checked, and what each check can see
//
// Up to 2^31 products and 2^24 elements every element is compared with its own
// exact sum and bound. Nothing beyond a bound goes unseen.
//
// Beyond that a float64 product would take minutes, so two checks share the
// work:
//
//   - Samples. A row of every band of tiles and a column of every band, first,
//     last or at random in turn, and always the outermost ones, are compared
//     element by element. Every CTA tile is hit along at least one row and one
//     column, so a wrong tile, an edge or a corner is seen with the true
//     bounds. What touches no sampled row or column is not seen by this check.
//   - The screen. Every element takes part in one equation over 16 neighbours
//     of its row with random weights (see screen). A group that misses its
//     equation by more than rounding explains is compared element by element,
//     so a right result is never refused on the screen's word, and a wrong
//     tile, row or element of the wrong value is all but certain to be seen.
//     A single element is compared for sure, but for a chance of one in four
//     hundred, if it is off by more than 28 halves of a unit in the last place
//     of the largest element of its group; the chance falls with the error
//     below that, and errors below a unit are hardly ever seen. With normal
//     operands and K = 8192 that threshold is about twice the bound in f16 and
//     ten times the bound in bf16. In f32, where rounding is nothing beside
//     accumulation, it is what accumulation explains.
//
// No check knows which kernel it judges: a kernel that recognises the seed and
// prints a stored answer passes.
package matrix
