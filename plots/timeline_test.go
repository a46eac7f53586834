package plots

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTimelines: what the figures show is what every pipeline must do, and
// what each lesson is about.
func TestTimelines(t *testing.T) {
	traces, err := readTraces("data/timelines")
	require.NoError(t, err)
	overlaps := map[string]bool{} // whether a fill and a product of another slice are ever at the same time
	inFlight := map[string]bool{} // whether a warpgroup has two groups in flight
	for _, trace := range traces {
		t.Run(trace.lesson.Name, func(t *testing.T) {
			fills := map[int]span{}
			stages := trace.stages()
			for _, row := range stages {
				for _, b := range row.boxes {
					assert.NotContains(t, fills, b.slice)
					fills[b.slice] = b.span
				}
			}
			products := 0
			for _, row := range trace.tracks()[len(stages):] {
				if row.ink == green {
					continue
				}
				products++
				assert.Len(t, row.boxes, len(fills), "%s: every slice once", row.name)
				inFlight[trace.lesson.Name] = inFlight[trace.lesson.Name] || overlap(row.boxes)
				for i, b := range row.boxes {
					assert.Equal(t, i, b.slice, row.name)
					assert.Less(t, fills[b.slice].to, b.from, "%s: slice %d is there before it is multiplied", row.name, i)
					if next, ok := fills[b.slice+len(stages)]; ok {
						assert.Greater(t, next.from, b.to, "%s: the stage of slice %d is filled again after that", row.name, i)
					}
					for _, f := range fills {
						if f.from < b.to && b.from < f.to {
							overlaps[trace.lesson.Name] = true
						}
					}
				}
			}
			assert.NotZero(t, products)
		})
	}
	for i, name := range []string{"v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7"} {
		assert.Equal(t, i >= 2, overlaps[name], "%s: from V2 on loads run behind products", name)
		assert.Equal(t, i >= 5, inFlight[name], "%s: from V5 on a group stays in flight", name)
	}
}

// TestStages: the ring numbers the slices, more than nine stages too.
func TestStages(t *testing.T) {
	fill := func(lane string, from float64) span {
		return span{lane: lane, name: "bytes in flight", from: from, to: from + 1}
	}
	trace := trace{spans: []span{fill("full[10]", 5), fill("full[2]", 1), fill("full[2]", 9), {lane: "empty[2]", name: "arriving"}}}
	rows := trace.stages()
	require.Len(t, rows, 2)
	assert.Equal(t, []numbered{{fill("full[2]", 1), 0}, {fill("full[2]", 9), 2}}, rows[0].boxes)
	assert.Equal(t, []numbered{{fill("full[10]", 5), 1}}, rows[1].boxes)
	assert.Equal(t, []span{{from: 1, to: 5}, {from: 6, to: 7}}, merge([]span{{from: 1, to: 4}, {from: 2, to: 3}, {from: 4, to: 5}, {from: 6, to: 7}}))
}

func TestRefusesTimelines(t *testing.T) {
	packed, err := os.ReadFile("data/timelines/v1.json.gz")
	require.NoError(t, err)
	r, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	for _, c := range []struct{ why, old, new, want string }{
		{"another format", traceFormat, "timeline 99", `the format is "timeline 99", but this program knows only "gohopper timeline 1"`},
		{"a part of a run", `"traced"`, `"cut":"after 10 entries","traced"`, "is not of a whole run: after 10 entries"},
		{"a run that hung", `"traced"`, `"stuck":"at tick 10","traced"`, "is not of a whole run: at tick 10"},
		{"not JSON", "{", "[", "is not a timeline: "},
		{"no ring in it", "bytes in flight", "bytes", "shows no stage that is filled"},
	} {
		t.Run(c.why, func(t *testing.T) {
			n := 1
			if c.old == "bytes in flight" {
				n = -1
			}
			path := filepath.Join(t.TempDir(), "v1.json.gz")
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			_, err := io.WriteString(w, strings.Replace(string(text), c.old, c.new, n))
			require.NoError(t, err)
			require.NoError(t, w.Close())
			require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
			traces, err := readTraces(filepath.Dir(path))
			if err == nil {
				_, err = timeline(traces[0])
			}
			require.ErrorContains(t, err, path)
			require.ErrorContains(t, err, c.want)
		})
	}
	path := filepath.Join(t.TempDir(), "v1.json.gz")
	require.NoError(t, os.WriteFile(path, text, 0o644))
	_, err = readTraces(filepath.Dir(path))
	require.ErrorContains(t, err, path+" is not a compressed timeline")

	none, err := readTraces(t.TempDir())
	require.NoError(t, err, "a lesson need not have one")
	assert.Empty(t, none)
}
