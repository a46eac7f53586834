package emu_test

import (
	"fmt"
	"testing"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/device/devicetest"
	"gohopper/pkg/hopper/emu"
)

func TestDevice(t *testing.T) {
	for _, seed := range []int64{0, 1, 7} {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			devicetest.Run(t, func(t *testing.T) device.Device {
				return emu.New(emu.Config{Seed: seed})
			})
		})
	}
}
