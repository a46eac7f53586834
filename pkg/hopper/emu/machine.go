package emu

import (
	"fmt"
	"runtime"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/event"
)

// Config chooses a machine. The zero Config is a good one.
type Config struct {
	Seed    int64 // of the schedule and of all delays
	Workers int   // host threads that run clusters; 0 for one per core
	SMs     int   // streaming multiprocessors; 0 for the H100's 132
	// Budget is how many instructions one cluster may execute before it is
	// taken for an endless loop; 0 for 20 thousand million.
	Budget int64
	// Observe makes the observer of each launch, which is told everything that
	// happens; nil for none.
	Observe func(event.Launch) event.Observer
}

// Machine is an emulated H100. It satisfies device.Device and
// device.Observer.
type Machine struct {
	config   Config
	memory   arena
	findings []event.Finding
	closed   bool
}

var (
	_ device.Device   = (*Machine)(nil)
	_ device.Observer = (*Machine)(nil)
)

// New makes a machine with empty memory.
func New(c Config) *Machine {
	if c.SMs <= 0 {
		c.SMs = 132
	}
	if c.Budget <= 0 {
		c.Budget = 20_000_000_000
	}
	return &Machine{config: c}
}

// Limits of compute capability 9.0 (CUDA C++ Programming Guide, 20.2).
const (
	mostThreads        = 1024
	mostShared         = 232448 // bytes per CTA, static and dynamic
	mostSharedPerSM    = 233472
	mostThreadsPerSM   = 2048
	mostCTAsPerSM      = 32
	mostClusterCTAs    = 16
	registersPerSM     = 65536 // in equal parts, one for each scheduler
	schedulers         = 4
	mostRegisters      = 255
	mostStaticShared   = 48 << 10
	registerAllocation = 8
)

// Info describes the emulator.
func (m *Machine) Info() device.Info {
	return device.Info{
		Name: "emulator", SMs: m.config.SMs, Capability: [2]int{9, 0},
		SharedBytes: mostShared, L2Bytes: 50 << 20, TotalMemory: arenaBytes,
		EmulatorSeed: m.config.Seed,
	}
}

// workers is how many clusters run at a time.
func (m *Machine) workers() int {
	if m.config.Workers > 0 {
		return m.config.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Alloc reserves global memory, filled with poison.
func (m *Machine) Alloc(bytes int) (device.Ptr, error) {
	if err := m.open(); err != nil {
		return 0, err
	}
	b, err := m.memory.alloc(bytes, "")
	if err != nil {
		return 0, err
	}
	return device.Ptr(b.base), nil
}

// Free releases an allocation; its addresses are not used again.
func (m *Machine) Free(p device.Ptr) error {
	if err := m.open(); err != nil {
		return err
	}
	return m.memory.free(uint64(p))
}

// Upload copies src to device memory.
func (m *Machine) Upload(dst device.Ptr, src []byte) error {
	if err := m.open(); err != nil {
		return err
	}
	b, off, err := m.memory.span(uint64(dst), len(src))
	if err != nil {
		return err
	}
	copy(b.bytes[off:], src)
	b.wrote(off, len(src))
	return nil
}

// Download copies device memory to dst. Bytes that nobody wrote are poison.
func (m *Machine) Download(dst []byte, src device.Ptr) error {
	if err := m.open(); err != nil {
		return err
	}
	b, off, err := m.memory.span(uint64(src), len(dst))
	if err != nil {
		return err
	}
	copy(dst, b.bytes[off:])
	return nil
}

// Fill sets n bytes of device memory.
func (m *Machine) Fill(dst device.Ptr, v byte, n int) error {
	if err := m.open(); err != nil {
		return err
	}
	b, off, err := m.memory.span(uint64(dst), n)
	if err != nil {
		return err
	}
	for i := range b.bytes[off : off+n] {
		b.bytes[off+i] = v
	}
	b.wrote(off, n)
	return nil
}

// EncodeTiled makes a tensor map in the emulator's own encoding.
func (m *Machine) EncodeTiled(t device.TensorMap) (device.EncodedMap, error) {
	if err := m.open(); err != nil {
		return device.EncodedMap{}, err
	}
	return encodeTiled(t)
}

// Synchronize returns at once: Launch runs a kernel to its end.
func (m *Machine) Synchronize() error { return m.open() }

// Findings returns what the launches since the last call found.
func (m *Machine) Findings() []event.Finding {
	f := m.findings
	m.findings = nil
	return f
}

// Close ends the machine; every later call is an error.
func (m *Machine) Close() error {
	if err := m.open(); err != nil {
		return err
	}
	m.closed = true
	m.memory = arena{}
	return nil
}

func (m *Machine) open() error {
	if m.closed {
		return fmt.Errorf("the emulator was closed")
	}
	return nil
}
