package event

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// diary is an observer that follows the clusters it is told to.
type diary struct {
	name    string
	follows bool
	read    *[]string
}

func (d diary) Cluster([][3]int) Sink {
	if !d.follows {
		return nil
	}
	return page{d}
}

func (d diary) Findings() []Finding { return []Finding{{Rule: d.name + " of the launch"}} }

type page struct{ diary }

func (p page) Take(*Event)           { *p.read = append(*p.read, p.name) }
func (p page) Finish(bool) []Finding { return []Finding{{Rule: p.name}} }

func TestSeveral(t *testing.T) {
	assert.Nil(t, Several(), "nobody")
	assert.Nil(t, Several(nil, nil), "nobody who is somebody")
	var read []string
	a, b, idle := diary{"a", true, &read}, diary{"b", true, &read}, diary{"idle", false, &read}
	assert.Equal(t, a, Several(nil, a), "one needs no company")
	assert.Nil(t, Several(idle, idle).Cluster(nil), "none follows the cluster")
	assert.Equal(t, page{a}, Several(idle, a).Cluster(nil), "one follows the cluster")

	all := Several(a, idle, nil, b)
	sink := all.Cluster(nil)
	require.NotNil(t, sink)
	sink.Take(&Event{})
	assert.Equal(t, []string{"a", "b"}, read, "in turn")
	assert.Equal(t, []Finding{{Rule: "a"}, {Rule: "b"}}, sink.Finish(false))
	assert.Equal(t, []Finding{{Rule: "a of the launch"}, {Rule: "idle of the launch"}, {Rule: "b of the launch"}}, all.Findings())
}
