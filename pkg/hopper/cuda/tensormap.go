//go:build cuda && cgo

package cuda

import (
	"fmt"

	"gohopper/pkg/hopper/device"
)

// EncodeTiled makes a tensor map with cuTensorMapEncodeTiled.
func (g *gpu) EncodeTiled(t device.TensorMap) (device.EncodedMap, error) {
	if t.ElementStrides == nil {
		t.ElementStrides = make([]uint32, len(t.Dims))
		for i := range t.ElementStrides {
			t.ElementStrides[i] = 1
		}
	}
	if err := t.Validate(); err != nil {
		return device.EncodedMap{}, err
	}
	var m device.EncodedMap
	var r result
	err := g.on("cuTensorMapEncodeTiled", func() result {
		m, r = encodeTiled(t)
		return r
	})
	if r == invalidValue {
		return m, fmt.Errorf("%w: it broke a rule of the driver's that TensorMap.Validate does not know; the map was %+v", err, t)
	}
	return m, err
}
