//go:build cuda && cgo

package tensortest

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/cuda"
)

// The first GPU and the emulator's arithmetic give the same bits for fresh
// operands. With RECORD, what was seen is left in that folder.
func TestCard(t *testing.T) {
	d, err := cuda.Open(0)
	if err != nil {
		t.Skip(err)
	}
	dir := os.Getenv("RECORD")
	if dir == "" {
		dir = t.TempDir()
	}
	require.NoError(t, compare(d, instructions(), uint64(time.Now().UnixNano()), 1<<20, dir, 90*time.Second, os.Stdout))
	require.NoError(t, d.Close())
	for key, of := range readFigures(t, dir+"/agreement.json").Figures {
		require.Equal(t, of["elements"], of["equal"], key)
		require.Equal(t, of["probes"], of["probes_equal"], key)
	}
}
