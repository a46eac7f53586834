//go:build cuda && cgo

package nvcctest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/cuda"
)

// onGPU runs a test on the first GPU, which takes the same PTX.
func onGPU(t *testing.T, text string, test func(r rig)) {
	t.Run("GPU", func(t *testing.T) {
		d, err := cuda.Open(0)
		if err != nil {
			t.Skip(err)
		}
		mod, err := d.Load(text)
		require.NoError(t, err)
		test(rig{t, d, mod})
		require.NoError(t, mod.Close())
		require.NoError(t, d.Close())
	})
}
