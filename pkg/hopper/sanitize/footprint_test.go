package sanitize

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

func TestTouched(t *testing.T) {
	var x touched
	x.add(8, 4, 1, 10)
	assert.EqualValues(t, bitmap{0xf00}, x.bytes)
	assert.EqualValues(t, 1, x.by[2])
	assert.EqualValues(t, 10, x.when[2])
	x.add(10, 2, 2, 11)
	assert.EqualValues(t, 1<<2, x.mixed, "two marks share a word")
	x.add(8, 4, 2, 12)
	assert.Zero(t, x.mixed, "one mark has it all again")
	x.add(12, 1, 3, 13)
	x.add(13, 1, 3, 14)
	assert.Zero(t, x.mixed, "parts by one mark")
	x.add(64, 16, 4, 15)
	assert.EqualValues(t, 0xffff, x.bytes[1])
	assert.EqualValues(t, 4, x.by[19])
	assert.Zero(t, x.by[20], "not beyond its end")
}

// story is a launch of three CTAs, each a cluster of one warp.
type story struct {
	*launch
	clusters [3]*cluster
}

func newStory() story {
	entry := &ptx.Func{Name: "k", Body: &ptx.Block{}}
	s := story{launch: Observe(event.Launch{
		Module: &ptx.Module{}, Entry: entry, Grid: [3]int{3, 1, 1}, Block: [3]int{32, 1, 1}, Cluster: [3]int{1, 1, 1},
	}).(*launch)}
	for i := range s.clusters {
		s.clusters[i] = s.Cluster([][3]int{{i, 0, 0}}).(*cluster)
	}
	return s
}

// does is an access by lane 0 of a CTA to four bytes.
func (s story) does(cta int, d event.Does, at uint64, value byte, strong bool) {
	e := &event.Event{Kind: event.Access, Does: d, Space: event.Global, Strong: strong, Lanes: 1, Bytes: 4, Addrs: &[32]uint64{at}, Instr: &ptx.Instr{Op: "op", Pos: ptx.Pos{Line: int(d) + 1}}}
	if d == event.Write && !strong {
		e.Data = []byte{value, value, value, value}
	}
	s.clusters[cta].Take(e)
}

// TestOrderOfEnds: what is found does not depend on which cluster ends first.
func TestOrderOfEnds(t *testing.T) {
	var first []event.Finding
	for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		s := newStory()
		for cta := range 3 {
			s.does(cta, event.Write, 256, byte(cta), false) // all different
			s.does(cta, event.Write, 512, 7, false)         // all the same
		}
		s.does(1, event.Read, 512, 0, false)
		for _, cta := range order {
			s.compare(s.clusters[cta].footprint)
		}
		found := s.Findings()
		if first == nil {
			first = found
		}
		require.Equal(t, first, found, "%v", order)
	}
	require.NotEmpty(t, first)
}

// TestStrangers: a cluster that releases anything may have told one that
// acquires anything.
func TestStrangers(t *testing.T) {
	for _, c := range []struct {
		why    string
		says   func(s story)
		strict bool // a race is found all the same
	}{
		{"nothing is told", func(s story) {}, true},
		{"an atomic read alone", func(s story) { s.does(1, event.Read, 4096, 0, true) }, true},
		{"a fence, an atomic write, an atomic read", func(s story) {
			s.clusters[0].Take(&event.Event{Kind: event.Fence, Lanes: 1, Instr: &ptx.Instr{Op: "fence", Mods: []string{"acq_rel", "gpu"}}})
			s.does(0, event.Write, 4096, 0, true)
			s.does(1, event.Read, 4096, 0, true)
		}, false},
		{"the same, and nobody listens", func(s story) {
			s.clusters[0].Take(&event.Event{Kind: event.Fence, Lanes: 1, Instr: &ptx.Instr{Op: "fence", Mods: []string{"acq_rel", "gpu"}}})
			s.does(0, event.Write, 4096, 0, true)
		}, true},
	} {
		t.Run(c.why, func(t *testing.T) {
			s := newStory()
			s.does(0, event.Write, 256, 1, false)
			c.says(s)
			s.does(1, event.Read, 256, 0, false)
			for _, x := range s.clusters {
				s.compare(x.footprint)
			}
			if c.strict {
				assert.Len(t, s.Findings(), 1)
			} else {
				assert.Empty(t, s.Findings())
			}
		})
	}
}
