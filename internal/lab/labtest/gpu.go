package labtest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/cuda"
	"gohopper/pkg/hopper/device"
)

// openGPU opens the GPU until the end of the test. Where there is none to test
// on it returns nil and the reason; a GPU that should work and does not fails
// the test.
func openGPU(t testing.TB) (device.Device, error) {
	dev, err := cuda.Open(0)
	for _, reason := range []error{cuda.ErrNotBuilt, cuda.ErrNoDriver, cuda.ErrNoDevice, cuda.ErrOldDriver, cuda.ErrNotHopper} {
		if errors.Is(err, reason) {
			return nil, err
		}
	}
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, dev.Close()) })
	return dev, nil
}
