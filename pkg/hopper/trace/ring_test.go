package trace

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"gohopper/pkg/hopper/event"
)

// TestRing: a stage has a number only where everything about the ring is
// regular.
func TestRing(t *testing.T) {
	type load struct{ bar, at uint32 }
	for _, c := range []struct {
		why    string
		loads  []load
		waits  []uint32 // of the warp that loads
		others []uint32 // mbarriers that are only initialised
		stages int
	}{
		{"two stages of two tiles", []load{{16, 0x100}, {16, 0x300}, {24, 0x200}, {24, 0x400}, {16, 0x100}}, nil, nil, 2},
		{"one mbarrier is no ring", []load{{16, 0x100}, {16, 0x200}}, nil, nil, 0},
		{"two mbarriers for one slot", []load{{16, 0x100}, {24, 0x100}}, nil, nil, 0},
		{"a stage with one tile more", []load{{16, 0x100}, {24, 0x200}, {24, 0x400}}, nil, nil, 0},
		{"uneven mbarriers", []load{{16, 0x100}, {24, 0x200}, {40, 0x300}}, nil, nil, 0},
		{"uneven tiles", []load{{16, 0x100}, {24, 0x200}, {32, 0x400}}, nil, nil, 0},
		{"a stage that no load reached, and its empty mbarrier", []load{{16, 0x100}, {24, 0x200}}, []uint32{40, 48, 56}, []uint32{32}, 3},
		{"the same without a third mbarrier", []load{{16, 0x100}, {24, 0x200}}, []uint32{40, 48, 56}, nil, 2},
		{"a ring of which one stage was used", []load{{16, 0x100}}, []uint32{32, 40}, []uint32{24}, 2},
	} {
		t.Run(c.why, func(t *testing.T) {
			w := &warp{loads: 1}
			k := &cluster{warps: []*warp{w}, mbarriers: map[place]*mbarrier{}}
			for _, l := range c.loads {
				k.operations = append(k.operations, &operation{unit: event.BulkLoad, warp: w, bar: place{0, l.bar}, lo: place{0, l.at}, hi: place{0, l.at + 0x100}})
			}
			for _, at := range c.waits {
				w.waits = append(w.waits, &wait{kind: event.MbarrierWait, bar: place{0, at}})
			}
			for _, at := range c.others {
				k.mbarriers[place{0, at}] = &mbarrier{}
			}
			r := findRing(k)
			assert.Equal(t, c.stages, r.stages)
			if c.stages == 0 {
				assert.Equal(t, -1, r.stageOf(c.loads[0].bar))
				return
			}
			assert.Equal(t, 0, r.stageOf(16))
			assert.Equal(t, 0, r.reads(0x180))
			assert.Equal(t, -1, r.reads(0x1000), "nothing is loaded there")
		})
	}
}
