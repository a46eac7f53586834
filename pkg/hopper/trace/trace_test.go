package trace

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/event"
)

var update = flag.Bool("update", false, "rewrite the goldens in testdata")

func encode(t *testing.T, r *Recorder) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, r.Encode(&b))
	require.True(t, json.Valid(b.Bytes()), "the file is JSON")
	return b.Bytes()
}

// TestGolden: the whole file of three tiles through a ring of two stages. A
// reader should find the producer two tiles ahead until empty[0] stops it,
// phases that are even, then odd, one group in flight at a time, and the 600
// ticks without an event cut short.
func TestGolden(t *testing.T) {
	const path = "testdata/two-stages.json"
	got := encode(t, whole(Limit).Recorder)
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "if the change is meant, rewrite it: go test -run TestGolden -update")
}

// file is what a test looks at.
type file struct {
	About  about   `json:"otherData"`
	Events []entry `json:"traceEvents"`
}

func read(t *testing.T, r *Recorder) (f file) {
	t.Helper()
	require.NoError(t, json.Unmarshal(encode(t, r), &f))
	return f
}

// named is the slices with a name.
func (f file) named(name string) (list []entry) {
	for _, e := range f.Events {
		if e.Phase == "X" && e.Name == name {
			list = append(list, e)
		}
	}
	return list
}

func TestStuckKernelShowsWhoWaits(t *testing.T) {
	s := newStory(Limit)
	s.init()
	s.load(0)
	s.await(0, full+8, 0)
	s.sink.Finish(true)
	f := read(t, s.Recorder)
	assert.NotEmpty(t, f.About.Stuck)
	waits := f.named("wait mbarrier shared+0x2408, never over")
	require.Len(t, waits, 1)
	assert.Equal(t, float64(s.now), waits[0].Time+*waits[0].Duration, "it lasts to the end of the record")
	assert.Contains(t, waits[0].Args, "note")
}

// TestLimit: a record that is cut says so and closes what was open, and its
// file is not much longer than the limit.
func TestLimit(t *testing.T) {
	for limit := range 60 {
		f := read(t, whole(limit).Recorder)
		require.NotEmpty(t, f.About.Cut, "limit %d", limit)
		drawn := 0
		for _, e := range f.Events {
			if e.Phase != "M" {
				drawn++
			}
			if e.Phase == "X" {
				require.GreaterOrEqual(t, *e.Duration, 0.0, "limit %d: %s", limit, e.Name)
				require.NotContains(t, e.Name, "never over", "limit %d: the kernel is not stuck", limit)
			}
		}
		require.LessOrEqual(t, drawn, limit+40, "limit %d", limit)
	}
	assert.Empty(t, read(t, whole(Limit).Recorder).About.Cut)
}

func TestOnlyTheFirstClusterOfTheFirstLaunch(t *testing.T) {
	r := New(Limit)
	assert.Error(t, r.Encode(&bytes.Buffer{}), "nothing has run")
	o := r.Observe(event.Launch{Block: [3]int{32, 1, 1}})
	assert.Nil(t, o.Cluster([][3]int{{1, 0, 0}}), "the emulator need not tell what nobody looks at")
	assert.NotNil(t, o.Cluster([][3]int{{0, 0, 0}}))
	assert.Nil(t, r.Observe(event.Launch{}), "a second launch")
}

func TestIs(t *testing.T) {
	for text, want := range map[string]bool{
		string(encode(t, whole(Limit).Recorder)): true,
		`{"traceEvents":[]}`:                     true,
		`{"schema":"gohopper report 1"}`:         false,
		`[1,2]`:                                  false,
		"notes\n":                                false,
	} {
		assert.Equal(t, want, Is([]byte(text)), text)
	}
}
