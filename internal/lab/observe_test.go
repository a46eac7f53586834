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
