package lab

import (
	"errors"
	"fmt"
	"io"

	"gohopper/pkg/hopper/cuda"
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
)

var (
	errNoSeconds = errors.New("-bench, -tune and -ablate need a GPU: the emulator computes results, not seconds")
	errNoTrace   = errors.New("-trace needs the emulator, which sees what happens inside a kernel; a GPU does not tell: add -device emu")
)

// Open opens the device that the flags ask for. With "auto" that is a GPU if
// there is one that can be used, else the emulator; why a GPU that is there is
// not used is said on stderr.
func (o *Options) Open(stderr io.Writer) (device.Device, error) {
	if o.Device != "emu" {
		dev, err := cuda.Open(0)
		if err == nil && o.Trace != "" {
			return nil, errors.Join(errNoTrace, dev.Close())
		}
		if err == nil {
			return dev, nil
		}
		if o.Device == "cuda" {
			return nil, err
		}
		if cuda.Probe().GPU() {
			fmt.Fprintf(stderr, "note: this machine has a GPU, but %v\nnote: running on the emulator\n", err)
		}
	}
	if o.Bench || o.Tune || o.Ablate != "" {
		return nil, errNoSeconds
	}
	return emu.New(emu.Config{Seed: o.Seed, Observe: o.observe}), nil
}
