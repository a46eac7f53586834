package trace

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRows(t *testing.T) {
	type span struct{ from, to float64 }
	for _, c := range []struct {
		why   string
		nests bool
		in    []span
		want  [][]span
	}{
		{"one after another share a row", false, []span{{0, 2}, {2, 3}}, [][]span{{{0, 2}, {2, 3}}}},
		{"two in flight need two rows", false, []span{{0, 2}, {1, 3}, {2, 4}}, [][]span{{{0, 2}, {2, 4}}, {{1, 3}}}},
		{"one inside another too, where nothing nests", false, []span{{0, 4}, {1, 3}}, [][]span{{{0, 4}}, {{1, 3}}}},
		{"and not where it does", true, []span{{1, 2}, {0, 4}, {2, 4}}, [][]span{{{0, 4}, {1, 2}, {2, 4}}}},
		{"what sticks out goes below", true, []span{{0, 4}, {1, 5}}, [][]span{{{0, 4}}, {{1, 5}}}},
		{"of two that begin together the longer is outside", true, []span{{0, 1}, {0, 2}}, [][]span{{{0, 2}, {0, 1}}}},
		{"three in flight, and a row that is free again", false, []span{{0, 9}, {1, 3}, {2, 9}, {3, 4}}, [][]span{{{0, 9}}, {{1, 3}, {3, 4}}, {{2, 9}}}},
	} {
		t.Run(c.why, func(t *testing.T) {
			l := &lane{nests: c.nests}
			for _, s := range c.in {
				l.slices = append(l.slices, &slice{from: s.from, to: s.to})
			}
			var got [][]span
			for _, row := range l.rows() {
				var spans []span
				for _, s := range row {
					spans = append(spans, span{s.from, s.to})
				}
				got = append(got, spans)
			}
			assert.Equal(t, c.want, got)
		})
	}
}

func TestClockLeavesIdleTimeOut(t *testing.T) {
	var k clock
	k.pass(100, 100+longest) // not longer than the longest
	k.pass(1000, 3000)
	k.pass(3000, 3001)
	k.pass(3001, 30001)
	require.Len(t, k.gaps, 2)
	for _, c := range []struct {
		tick int64
		want float64
		why  string
	}{
		{0, 0, "before"},
		{1000, 1000, "the event before the gap"},
		{2999, 1000 + longest - 1, "the instruction of the event after it begins a tick earlier"},
		{3000, 1000 + longest, "the event after it"},
		{3001, 1001 + longest, "and on"},
		{30001, 1001 + 2*longest, "after both"},
		{30010, 1010 + 2*longest, "the end"},
	} {
		assert.Equal(t, c.want, k.page(c.tick), c.why)
	}
	last := -1.0
	for tick := range int64(31000) {
		at := k.page(tick)
		require.GreaterOrEqual(t, at, last, "tick %d", tick)
		last = at
	}
}
