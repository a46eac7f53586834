package matrix

import "math"

// Element is one compared element of C.
type Element struct {
	Row, Col int
	Got      float64
	Want     float64 // the exact sum, before any rounding
	Bound    float64 // most that |Got - Want| may be
	Ratio    float64 // |Got - Want| / Bound: at most 1 when right, +Inf for a NaN
}

// keptWrong is how many wrong elements of one row are kept for the diagnosis.
const keptWrong = 16

// tally sums up comparisons.
type tally struct {
	compared, right int
	sumAbs          float64
	maxAbs          float64
	maxRel          float64 // of |error| / Σ|a||b|
	worst           Element
	wrong           []Element      // some of the wrong ones
	wrongTiles      map[[2]int]int // wrong elements by tile of C
}

// add counts one comparison. Every test is written so that a NaN counts as
// wrong and as worst.
func (t *tally) add(e Element, err, mag float64, ok bool, tile Tile) {
	t.compared++
	e.Ratio = err / e.Bound
	if math.IsNaN(e.Ratio) {
		e.Ratio = math.Inf(1)
	}
	if t.compared == 1 || !(e.Ratio <= t.worst.Ratio) {
		t.worst = e
	}
	if ok {
		t.right++
	} else {
		if len(t.wrong) < keptWrong {
			t.wrong = append(t.wrong, e)
		}
		if t.wrongTiles == nil {
			t.wrongTiles = map[[2]int]int{}
		}
		t.wrongTiles[[2]int{e.Row / tile.M, e.Col / tile.N}]++
	}
	if math.IsNaN(err) || math.IsInf(err, 0) {
		return // no part of a mean or a largest error
	}
	t.sumAbs += err
	t.maxAbs = max(t.maxAbs, err)
	if mag > 0 {
		t.maxRel = max(t.maxRel, err/mag)
	}
}

// merge adds the counts of u. Merging in a fixed order gives a fixed result.
func (t *tally) merge(u tally) {
	if u.compared == 0 {
		return
	}
	if t.compared == 0 || u.worst.Ratio > t.worst.Ratio {
		t.worst = u.worst
	}
	t.compared += u.compared
	t.right += u.right
	t.sumAbs += u.sumAbs
	t.maxAbs = max(t.maxAbs, u.maxAbs)
	t.maxRel = max(t.maxRel, u.maxRel)
	t.wrong = append(t.wrong, u.wrong...)
	for at, n := range u.wrongTiles {
		if t.wrongTiles == nil {
			t.wrongTiles = map[[2]int]int{}
		}
		t.wrongTiles[at] += n
	}
}
