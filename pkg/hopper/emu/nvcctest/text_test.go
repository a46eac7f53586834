package nvcctest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/ptx"
)

// What the compiler wrote is parsed without a complaint, and what is printed
// of it says the same.
func TestTexts(t *testing.T) {
	files, err := testdata.ReadDir("testdata")
	require.NoError(t, err)
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".ptx") {
			continue
		}
		t.Run(f.Name(), func(t *testing.T) {
			m, err := ptx.Parse(ptxOf(t, f.Name()))
			require.NoError(t, err)
			assert.Empty(t, ptx.Verify(m))
			back, err := ptx.Parse(ptx.Print(m))
			require.NoError(t, err)
			assert.True(t, ptx.Equal(m, back))
		})
	}
}
