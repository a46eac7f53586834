package trace

import (
	"cmp"
	"slices"
)

// lane is a row of the page, a thread in the words of the format. What would
// overlap in it goes to further rows below.
type lane struct {
	cta    int
	name   string
	more   string // name of the further rows
	nests  bool   // a slice may lie inside another
	slices []*slice
}

// slice is a bar on a row, in microseconds.
type slice struct {
	from, to float64
	name     string
	category string
	details  details
	inner    []*slice // drawn on it

	pid, tid int // of its row, once it has one
}

// flow is an arrow between two slices.
type flow struct {
	name     string
	from, to *slice
	at, end  float64 // inside them
}

// rows places the lane's slices on as few rows as the first free one for each
// gives, from the left.
func (l *lane) rows() [][]*slice {
	slices.SortStableFunc(l.slices, func(a, b *slice) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to))
	})
	var rows [][]*slice
	var open [][]float64 // by row, the ends of the slices that the last one lies in, and its own
	for _, s := range l.slices {
		row := 0
		for ; row < len(rows); row++ {
			for n := len(open[row]); n > 0 && open[row][n-1] <= s.from; n-- {
				open[row] = open[row][:n-1]
			}
			n := len(open[row])
			if n == 0 || l.nests && open[row][n-1] >= s.to {
				break
			}
		}
		if row == len(rows) {
			rows, open = append(rows, nil), append(open, nil)
		}
		rows[row] = append(rows[row], s)
		open[row] = append(open[row], s.to)
	}
	return rows
}
