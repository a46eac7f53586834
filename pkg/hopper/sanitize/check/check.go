// Package check runs PTX on the emulator under the sanitizer: one call from a
// kernel's text to what is wrong with it.
//
// It joins the two, which know nothing of each other, and must not know what
// any kernel is for.
package check

import (
	"fmt"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/sanitize"
)

// Kernel is a kernel and its launch.
type Kernel struct {
	Text   string // PTX
	Entry  string // name
	Launch device.Launch
	// Args prepares memory on the device and returns the kernel's arguments;
	// nil for a kernel without parameters.
	Args func(device.Device) ([]device.Arg, error)
	// Workers is how many of the host's threads run it; 0 for one per core. A
	// kernel that races in global memory makes them race, unless there is one.
	Workers int
}

// Run launches the kernel once, under the schedule that a seed chooses, and
// returns what the machine and the sanitizer found. The error says that it
// could not be run.
func (k Kernel) Run(seed int64) ([]event.Finding, error) {
	m := emu.New(emu.Config{Seed: seed, Workers: k.Workers, Observe: sanitize.Observe})
	defer m.Close()
	mod, err := m.Load(k.Text)
	if err != nil {
		return nil, err
	}
	entry, err := mod.Kernel(k.Entry)
	if err != nil {
		return nil, err
	}
	var args []device.Arg
	if k.Args != nil {
		if args, err = k.Args(m); err != nil {
			return nil, fmt.Errorf("the arguments of %s: %w", k.Entry, err)
		}
	}
	if err := entry.Launch(k.Launch, args...); err != nil {
		return nil, err
	}
	return m.Findings(), nil
}
