package matrix

import (
	"math"

	"gohopper/pkg/hopper/num"
)

// Unit roundoffs of the accumulation.
const (
	// UnitF32 is the spacing of a 24-bit significand, 2^-23. A CPU adding in
	// float32 rounds each sum to half of that; Hopper's tensor cores, given
	// f16 or bf16, align 16 products and the accumulator to the largest of
	// them, keep two bits more than float32, and cut off the rest, so that an
	// instruction may lose a whole unit (Fasi et al., PeerJ Computer Science
	// 7:e330, 2021; Khattak and Mikaitis, arXiv:2512.07004).
	UnitF32 = 0x1p-23

	// UnitFP8 is the spacing of the 14-bit significand that Hopper keeps while
	// it adds FP8 products, though the accumulator's type is f32 (DeepSeek-V3
	// report, arXiv:2412.19437, section 3.3.2).
	UnitFP8 = 0x1p-13
)

// Gamma is the share of Σ|a||b| by which an honest accumulation of k products
// may be off:
//
//	Gamma(k, u) = u·(k/8 + 4·√k + 4)
//
// The textbook worst case, k·u/2 for round to nearest, is so far above what
// happens that at k = 8192 it hides an accumulation in f16. The terms here:
//
//   - 4·√k: if the rounding errors of a float32 summation, each within u/2 of
//     Σ|a||b|, have zero mean and are independent, all of them together
//     exceed this with a probability of 2·exp(-32) = 3e-14 an element, in any
//     order of summation (Hoeffding's inequality; Higham and Mary, SIAM
//     Journal on Scientific Computing 41(5), 2019). Up to k of about 130 the
//     sum of the terms is above the worst case itself.
//   - k/8: truncation always errs towards zero, so its errors add up. One
//     instruction of 16 products loses up to u for its result and u/4 for each
//     of the 17 terms it aligns; half of that on average, of a running sum
//     that is half the final one on average, when all products are positive:
//     0.08·u a product.
//   - 4: short sums, in which an average says nothing.
func Gamma(k int, unit float64) float64 {
	return unit * (float64(k)/8 + 4*math.Sqrt(float64(k)) + 4)
}

// judge compares a result c of type t with the exact sum ref, when the
// accumulator that was rounded to c may have been off by slack. It returns the
// error, the bound, and whether c is acceptable: a NaN never is.
//
//   - A finite c must be within slack plus the rounding of the accumulator to
//     t, half a unit in the last place.
//   - An infinite c is right if an accumulator within slack of ref rounds to
//     infinity; its error is then 0. A finite c may equally be right there, by
//     the rule above, if ref is that close to the border.
func judge(t num.Format, c, ref, slack float64) (err, bound float64, ok bool) {
	bound = t.ULP(math.Abs(ref)+slack)/2 + slack
	if math.IsInf(c, 0) {
		overflow := t.Max() + t.ULP(t.Max())/2
		if math.Abs(ref)+slack >= overflow && math.Signbit(c) == math.Signbit(ref) {
			return 0, bound, true
		}
	}
	err = math.Abs(c - ref)
	return err, bound, err <= bound
}
