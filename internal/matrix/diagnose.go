package matrix

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// diagnose says what a wrong result looks like and what to look at.
func (r *Reference) diagnose(c *Matrix, t tally) []string {
	content := look(c)
	if whole := content.whole(); whole != "" {
		return []string{whole}
	}
	lines := content.parts()
	if text := r.place(t); text != "" {
		lines = append(lines, text)
	}
	if text := r.resemblance(t.wrong); text != "" {
		lines = append(lines, text)
	}
	return lines
}

// content counts what C holds, whatever it should hold.
type content struct {
	total                             int
	first                             float64
	poison, nan, inf, zero, likeFirst int
}

func look(c *Matrix) content {
	poison := uint32(1)<<(8*c.Type.Size()) - 1
	first := c.Code(0, 0)
	each := make([]content, c.Rows)
	parallel(c.Rows, func(i int) {
		for j := range c.Cols {
			code := c.Code(i, j)
			v := c.Type.Decode(code)
			n := &each[i]
			switch {
			case code == poison:
				n.poison++
			case math.IsNaN(v):
				n.nan++
			case math.IsInf(v, 0):
				n.inf++
			case v == 0:
				n.zero++
			}
			if code == first {
				n.likeFirst++
			}
		}
	})
	sum := content{total: c.Rows * c.Cols, first: c.At(0, 0)}
	for _, n := range each {
		sum.poison += n.poison
		sum.nan += n.nan
		sum.inf += n.inf
		sum.zero += n.zero
		sum.likeFirst += n.likeFirst
	}
	return sum
}

// whole is what can be said when all elements are alike.
func (n content) whole() string {
	switch n.total {
	case n.poison:
		return "every byte is 0xFF, the poison: nothing was written; see that the kernel ran, that its stores are reached and that C's address is right"
	case n.zero:
		return "every element is zero: the accumulator never saw data; see the coordinates of the loads (out of bounds gives zeros), the scale-d predicate and the store"
	case n.nan:
		return "every element is NaN: an accumulator or shared memory was used before it was written; see the first multiply's scale-d predicate and the wait before it"
	}
	if n.likeFirst == n.total && n.total > 1 {
		return fmt.Sprintf("every element is %g: the result does not depend on the position; see the addresses of loads and stores", n.first)
	}
	return ""
}

// parts is what can be said of special values among others.
func (n content) parts() []string {
	var lines []string
	if n.poison > 0 {
		lines = append(lines, fmt.Sprintf("%d elements still hold the poison 0xFF: no CTA wrote them; see the grid, the tile loop and the bounds of the store", n.poison))
	}
	if n.nan > 0 {
		lines = append(lines, fmt.Sprintf("%d elements are NaN: shared memory or registers were read before they were written, or infinities cancelled", n.nan))
	}
	if n.inf > 0 {
		lines = append(lines, fmt.Sprintf("%d elements are infinite: garbage was multiplied, or the type's range is too small", n.inf))
	}
	if n.zero > n.total/20 {
		lines = append(lines, fmt.Sprintf("%d elements are zero: loads out of bounds give zeros; see the coordinates and the box", n.zero))
	}
	return lines
}

// place says where the wrong elements are, in tiles of C.
func (r *Reference) place(t tally) string {
	down, across := ceilDiv(r.Shape.M, r.tile.M), ceilDiv(r.Shape.N, r.tile.N)
	all, wrong := down*across, len(t.wrongTiles)
	if all == 1 || wrong == 0 {
		return ""
	}
	lastRow, lastCol := true, true
	minRow, minCol, maxRow, maxCol := down, across, 0, 0
	for at := range t.wrongTiles {
		lastRow = lastRow && at[0] == down-1
		lastCol = lastCol && at[1] == across-1
		minRow, maxRow = min(minRow, at[0]), max(maxRow, at[0])
		minCol, maxCol = min(minCol, at[1]), max(maxCol, at[1])
	}
	switch {
	case wrong == 1:
		return fmt.Sprintf("only tile (%d, %d) is wrong: rows from %d, columns from %d; see what is special about that CTA or that turn of the tile loop",
			minRow, minCol, minRow*r.tile.M, minCol*r.tile.N)
	case wrong == all:
		return fmt.Sprintf("all %d tiles of %d x %d have wrong elements", all, r.tile.M, r.tile.N)
	case lastRow:
		return fmt.Sprintf("only the last row of tiles is wrong, from row %d: see how M is rounded up to whole tiles and what is cut off at the edge", minRow*r.tile.M)
	case lastCol:
		return fmt.Sprintf("only the last column of tiles is wrong, from column %d: see how N is rounded up to whole tiles and what is cut off at the edge", minCol*r.tile.N)
	}
	return fmt.Sprintf("%d of %d tiles are wrong, all within tile rows %d to %d and tile columns %d to %d", wrong, all, minRow, maxRow, minCol, maxCol)
}

// probes is how many wrong elements are held against each hypothesis.
const probes = 64

// resemblance says which other computation gives the wrong elements, those
// with a finite value.
func (r *Reference) resemblance(wrong []Element) string {
	wrong = slices.DeleteFunc(wrong, func(e Element) bool { return e.Got-e.Got != 0 })
	rng := rand.New(rand.NewPCG(mix(r.seed), 3))
	rng.Shuffle(len(wrong), func(i, j int) { wrong[i], wrong[j] = wrong[j], wrong[i] })
	wrong = wrong[:min(probes, len(wrong))]
	for _, h := range r.hypotheses() {
		if r.explains(h, wrong) {
			return h.text
		}
	}
	return correlation(wrong)
}

// explains reports whether h gives at least nine in ten of the elements it
// speaks of, three at least.
func (r *Reference) explains(h hypothesis, wrong []Element) bool {
	applicable, right := 0, 0
	for _, e := range wrong {
		sum, mag, ok := h.value(e.Row, e.Col)
		if !ok {
			continue
		}
		applicable++
		if _, _, ok := judge(r.typ, e.Got, sum, Gamma(r.Shape.K, r.unit)*mag); ok {
			right++
		}
	}
	return applicable >= 3 && 2*applicable >= len(wrong) && 10*right >= 9*applicable
}

// correlation compares wrong elements with what they should be as a whole.
func correlation(wrong []Element) string {
	var gg, ww, gw, ee float64
	for _, e := range wrong {
		gg += e.Got * e.Got
		ww += e.Want * e.Want
		gw += e.Got * e.Want
		ee += (e.Got - e.Want) * (e.Got - e.Want)
	}
	switch {
	case ee < ww/400:
		return fmt.Sprintf("the wrong elements are near the right ones (off by %.2g of their size), but not as near as rounding allows: see that the accumulator is float32, that it is rounded once, and that no product is counted twice or left out",
			math.Sqrt(ee/ww))
	case len(wrong) >= 32 && math.Abs(gw) < 0.4*math.Sqrt(gg*ww) && gg > ww/4 && gg < 4*ww:
		return "the wrong elements have the size of a product but nothing to do with this one: a stale buffer, other operands, or rows, columns or K in another order; see the swizzle and the descriptors, and whether a wait is missing"
	}
	return ""
}
