//go:build !(cuda && cgo)

package cuda

import "gohopper/pkg/hopper/device"

// built says whether Open can reach a GPU.
const built = false

// Open opens the GPU with the given ordinal. In this build it returns
// ErrNotBuilt.
func Open(ordinal int) (device.Device, error) { return nil, ErrNotBuilt }
