package launch

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/event"
)

// TestBuffers: what a launch left behind is told by element, and seeds that
// left something else are named.
func TestBuffers(t *testing.T) {
	// The kernel writes 7 over the third element of each buffer.
	text := head + ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c)\n{\n\t.reg .b64 %a, %b, %c;\n" +
		"\tld.param.u64 %a, [a];\n\tld.param.u64 %b, [b];\n\tld.param.u64 %c, [c];\n" +
		"\tst.global.u32 [%a+8], 7;\n\tst.global.u32 [%b+8], 7;\n\tst.global.u8 [%c+2], 7;\n\tret;\n}\n"
	const launch = `{"grid": 1, "block": 1, "seeds": [4, 5], "args": [
		{"buffer": {"count": 3, "type": "u32"}}, {"buffer": {"count": 9, "type": "s32", "fill": "index"}}, {"buffer": {"bytes": %d}}]}`
	r, err := Run(t.Context(), "x.ptx", text, described(t, fmt.Sprintf(launch, 4)), roomy)
	require.NoError(t, err)
	require.Len(t, r.Buffers, 3)
	assert.Equal(t, &Buffer{Arg: 0, Type: "u32", Count: 3, Changed: 1, First: []string{"poison", "poison", "7"}, Digest: "2f744e40e0acc0da", Differs: []int64{}}, r.Buffers[0])
	assert.Equal(t, 1, r.Buffers[1].Changed)
	assert.Equal(t, []string{"0", "1", "7", "3", "4", "5", "6", "7"}, r.Buffers[1].First, "the first eight of nine")
	assert.Equal(t, []string{"poison", "poison", "7", "poison"}, r.Buffers[2].First)
	assert.Equal(t, []Count{{What: "writes to global memory", Times: 3, Bytes: 9}}, r.Counts)

	r.results(outcome{seed: 6, buffers: []*Buffer{{Digest: "another"}, r.Buffers[1], r.Buffers[2]}})
	assert.Equal(t, []int64{6}, r.Buffers[0].Differs)
	assert.Empty(t, r.Buffers[1].Differs)

	r, err = Run(t.Context(), "x.ptx", text, described(t, fmt.Sprintf(launch, mostLooked+1)), roomy)
	require.NoError(t, err)
	assert.Len(t, r.Buffers, 2, "a large one is not looked at")
}

func TestShow(t *testing.T) {
	for _, c := range []struct {
		kind, want, why string
		raw             []byte
	}{
		{"s8", "-1", "a sign in one byte", []byte{0xff}},
		{"u8", "255", "the same without", []byte{0xff}},
		{"s16", "-2", "the low byte comes first", []byte{0xfe, 0xff}},
		{"u64", "18446744073709551615", "all 64 bits", []byte{255, 255, 255, 255, 255, 255, 255, 255}},
		{"f16", "1.5", "sign, 5, 10", []byte{0x00, 0x3e}},
		{"bf16", "1.5", "the high half of an f32", []byte{0xc0, 0x3f}},
		{"f32", "0.1", "as short as tells it apart", []byte{0xcd, 0xcc, 0xcc, 0x3d}},
		{"f64", "-2", "eight bytes", []byte{0, 0, 0, 0, 0, 0, 0, 0xc0}},
		{"e4m3", "1", "one byte", []byte{0x38}},
		{"f32", "NaN", "no number", []byte{0xff, 0xff, 0xff, 0xff}},
	} {
		for _, e := range elements() {
			if e.name == c.kind {
				assert.Equal(t, c.want, e.show(c.raw), "%s: %s", c.kind, c.why)
			}
		}
	}
}

// TestTally: what a warp or a warpgroup does together counts once.
func TestTally(t *testing.T) {
	all := &tally{}
	for range 2 { // clusters
		c := all.Cluster(nil)
		addrs := [32]uint64{}
		c.Take(&event.Event{Kind: event.Access, Space: event.Shared, Does: event.Update, Lanes: 0xf, Bytes: 4, Addrs: &addrs})
		c.Take(&event.Event{Kind: event.Start, Unit: event.BulkLoad, Lanes: 1, Bytes: 1024})
		for warp := 4; warp < 8; warp++ {
			c.Take(&event.Event{Kind: event.Start, Unit: event.TensorCore, Warp: warp, Lanes: 1<<32 - 1, Op: 3})
		}
		c.Take(&event.Event{Kind: event.MbarrierUpdate, N: 1})
		c.Take(&event.Event{Kind: event.MbarrierUpdate, N: 1, Done: true})
		assert.Empty(t, c.Finish(false))
	}
	assert.Equal(t, []Count{
		{What: "bulk copies into shared memory", Times: 2, Bytes: 2048},
		{What: "wgmma", Times: 2},
		{What: "phases of mbarriers completed", Times: 2},
		{What: "atomics on shared memory", Times: 2, Bytes: 32},
	}, all.list())
}

// TestMistakePlace: a mistake has the line and the column of its value.
func TestMistakePlace(t *testing.T) {
	for _, c := range []struct {
		why, text    string
		line, column int
	}{
		{"a value of the object", "{\n  \"grid\": 0,\n  \"block\": 1\n}", 2, 11},
		{"blanks before everything", "\n\n  [1]", 3, 3},
		{"an extent in a list", "{\"grid\": [1,\n 0], \"block\": 1}", 2, 2},
		{"a number before a comma", `{"block": 1.5 , "grid": 1}`, 1, 11},
		{"something missing, at what it is missing in", "{\"grid\": 1, \"block\": 1, \"args\": [{\"s32\": 1},\n  {\"map\": {\"buffer\": 0}}]}", 2, 11},
		{"a field that is not known", "{\"grid\": 1, \"block\": 1, \"args\": [\n\t{\"buffer\":\n\t\t{\"bytes\": 4, \"size\": \"x\"}}]}", 3, 24},
		{"a syntax error", "{\"grid\": 1,\n \"block\" 1}", 2, 10},
	} {
		t.Run(c.why, func(t *testing.T) {
			_, err := Parse([]byte(c.text))
			m := new(Mistake)
			require.True(t, errors.As(err, &m), "%v", err)
			assert.Equal(t, []int{c.line, c.column}, []int{m.Line, m.Column}, m.Message)
		})
	}
}
