package sanitize

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

const allLanes = 1<<32 - 1

func TestClock(t *testing.T) {
	full := []uint32{allLanes, 0xff}
	c := clock{warps: make([]uint32, 2)}

	c.cover(0, 0x1, 3, allLanes)
	assert.True(t, c.covers(0, 0x1, 3))
	assert.True(t, c.covers(0, 0x1, 2), "an earlier time")
	assert.False(t, c.covers(0, 0x1, 4), "a later one")
	assert.False(t, c.covers(0, 0x3, 3), "another lane with it")
	assert.True(t, c.touches(0, 3), "some lane")
	assert.False(t, c.touches(1, 1), "another warp")

	c.cover(0, 0x2, 3, allLanes)
	assert.True(t, c.covers(0, 0x3, 3), "both lanes, each covered by itself")
	assert.Len(t, c.some, 1, "lanes of one time are kept together")
	c.cover(0, allLanes&^0x3, 3, allLanes)
	assert.EqualValues(t, 3, c.warps[0], "when all lanes are covered the warp is")
	assert.Empty(t, c.some)

	c.cover(1, 0x1, 5, 0xff)
	c.cover(1, 0x1, 7, 0xff)
	assert.Len(t, c.some, 1, "a later time of the same lanes takes the earlier one's place")
	c.cover(1, 0xff, 6, 0xff)
	assert.True(t, c.covers(1, 0x1, 7), "a lane may be further than its warp")
	assert.False(t, c.covers(1, 0x2, 7))

	d := clock{warps: make([]uint32, 2)}
	d.see(2, 4)
	d.join(&c, full)
	assert.True(t, d.covers(0, allLanes, 3))
	assert.True(t, d.covers(1, 0x1, 7))
	assert.EqualValues(t, 4, d.phases(2))
	assert.Zero(t, d.phases(9), "an mbarrier it has not heard of")
	c.join(&d, full)
	assert.EqualValues(t, 4, c.phases(2), "phases are joined too")
}

func TestMinds(t *testing.T) {
	c := &cluster{full: []uint32{allLanes, allLanes}, scratch: newKnowledge(2)}
	for id := range 2 {
		w := &warp{id: id, full: allLanes, time: 1}
		w.minds = []*mind{{lanes: allLanes, knowledge: *newKnowledge(2)}}
		c.warps = append(c.warps, w)
	}
	a, b := c.warps[0], c.warps[1]
	k := newKnowledge(2)

	first := a.now()
	c.publish(a, 0x1, k, false)
	assert.Greater(t, a.now(), first, "what follows a publication is later")
	c.learn(b, 0x2, k, false)
	assert.Len(t, b.minds, 2, "one lane knows more than the others")
	assert.True(t, b.mind(0x2).order.covers(0, 0x1, first))
	assert.False(t, b.mind(0x1).order.covers(0, 0x1, first))

	c.exchange(b, allLanes)
	assert.Len(t, b.minds, 1, "a shuffle makes them of one mind about others")
	assert.True(t, b.minds[0].order.covers(0, 0x1, first))
	assert.False(t, b.minds[0].order.covers(1, 0x1, 1), "but orders nothing among themselves")
	c.meet(b, allLanes)
	assert.True(t, b.minds[0].order.covers(1, 0x1, 1), "which a barrier does")

	assert.False(t, b.minds[0].fenced.covers(0, 0x1, first), "a barrier is no proxy fence")
	c.fenceProxy(b, allLanes)
	assert.True(t, b.minds[0].fenced.covers(0, 0x1, first), "a fence covers what its thread knows of, too")

	relaxed := newKnowledge(2)
	c.publish(b, allLanes, relaxed, true)
	assert.True(t, relaxed.done.covers(1, allLanes, b.time))
	assert.False(t, relaxed.order.covers(1, allLanes, b.time), "a relaxed arrival orders nothing")
}

func TestOverwrite(t *testing.T) {
	var s cta
	a, b := &op{}, &op{}
	s.overwrite(100, 200, a)
	s.overwrite(300, 400, a)
	s.overwrite(150, 350, b)
	assert.Equal(t, []run{{100, 150, a}, {150, 350, b}, {350, 400, a}}, s.written)
	s.overwrite(150, 350, a)
	assert.Equal(t, a, s.written[1].op, "the same bytes again")
	s.overwrite(200, 210, b)
	assert.Equal(t, []run{{100, 150, a}, {150, 200, a}, {200, 210, b}, {210, 350, a}, {350, 400, a}}, s.written)
	s.overwrite(0, 1000, b)
	assert.Equal(t, []run{{0, 1000, b}}, s.written)
}
