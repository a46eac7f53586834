package lab

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/trace"
)

// TestTimelineOfAKernelThatHangs: where it is needed most, there is one.
func TestTimelineOfAKernelThatHangs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "timeline.json")
	status, stdout, stderr := call(fixture(waiting), "-device emu -trace "+path)
	assert.Equal(t, 1, status)
	assert.Contains(t, stdout, "timeline "+path)
	assert.Contains(t, stderr, "[stuck]")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.True(t, trace.Is(text))
	assert.Contains(t, string(text), "wait full, never over")
}

// TestFollowersDoNotDisturb: the timeline is the same whoever else follows the
// kernel, and a timeline that is there is replaced.
func TestFollowersDoNotDisturb(t *testing.T) {
	path := filepath.Join(t.TempDir(), "timeline.json")
	var texts []string
	for _, flags := range []string{"", " -sanitize=false"} {
		status, _, stderr := call(fixture(none), "-device emu -seed 5 -trace "+path+flags)
		require.Zero(t, status, stderr)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		texts = append(texts, string(text))
	}
	assert.Equal(t, texts[0], texts[1])
}

// TestTraceLimit: a timeline can be kept short, and says so; a limit that
// limits nothing is a slip.
func TestTraceLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "timeline.json")
	status, _, stderr := call(fixture(none), "-device emu -trace-limit 40 -trace "+path)
	require.Zero(t, status, stderr)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Contains(t, string(text), "where it reached its limit of 40 entries")
	for _, c := range []struct{ why, flags, want string }{
		{"nothing at all", "-trace x.json -trace-limit 0", "-trace-limit 0: it is 1 to 200000"},
		{"more than a viewer takes", "-trace x.json -trace-limit 200001", "-trace-limit 200001: it is 1 to 200000"},
		{"no timeline to limit", "-trace-limit 40", "name its file with -trace"},
	} {
		status, _, stderr := call(fixture(none), "-device emu "+c.flags)
		assert.Equal(t, 2, status, c.why)
		assert.Contains(t, stderr, c.want, c.why)
	}
}
