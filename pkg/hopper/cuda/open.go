//go:build cuda && cgo

package cuda

import (
	"fmt"
	"runtime"

	"gorgonia.org/cu"

	"gohopper/pkg/hopper/device"
)

// built says whether Open can reach a GPU.
const built = true

// maxSharedOptIn is CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
// which gorgonia.org/cu does not name.
const maxSharedOptIn cu.DeviceAttribute = 97

// gpu is an open GPU. Work goes to the context's default stream, so it is
// ordered as device.Device promises.
type gpu struct {
	ctx     cu.CUContext
	ordinal int
	info    device.Info
	version cudaVersion
	sensors *sensors // nil where NVML is missing
	noSense error    // why it is missing

	allocs  map[device.Ptr]int // bytes of each allocation
	pending int                // launches since the last Synchronize
	last    launched           // the youngest of them
}

var (
	_ device.Device       = (*gpu)(nil)
	_ device.Timer        = (*gpu)(nil)
	_ device.Sensor       = (*gpu)(nil)
	_ device.LibraryOwner = (*gpu)(nil)
)

// Open opens the GPU with the given ordinal, counted from 0 among those that
// CUDA_VISIBLE_DEVICES leaves. Its errors wrap ErrNoDriver, ErrNoDevice,
// ErrOldDriver or ErrNotHopper where one of these is the reason.
func Open(ordinal int) (device.Device, error) {
	switch r := initResult(); r {
	case success:
	case stubLibrary, notFound:
		return nil, fmt.Errorf("%w (%w)", ErrNoDriver, failed("cuInit", r))
	case noDevice, invalidDevice:
		return nil, fmt.Errorf("%w (%w)", ErrNoDevice, failed("cuInit", r))
	case driverMismatch, compatNotServed:
		return nil, fmt.Errorf("%w (%w)", ErrOldDriver, failed("cuInit", r))
	default:
		return nil, failed("cuInit", r)
	}
	version := cudaVersion(cu.Version())
	if version < oldest {
		return nil, fmt.Errorf("it supports CUDA %v and CUDA %v is needed: %w", version, oldest, ErrOldDriver)
	}
	count, err := cu.NumDevices()
	if err != nil {
		return nil, failed("cuDeviceGetCount", ofCu(err))
	}
	if count == 0 {
		return nil, ErrNoDevice
	}
	if ordinal < 0 || ordinal >= count {
		return nil, fmt.Errorf("cuda: there is no GPU %d: ordinals go from 0 to %d", ordinal, count-1)
	}
	g := &gpu{ordinal: ordinal, version: version, allocs: map[device.Ptr]int{}}
	if err := g.describe(); err != nil {
		return nil, err
	}
	if c := g.info.Capability; c != [2]int{9, 0} {
		return nil, fmt.Errorf("%s has compute capability %d.%d: %w", g.info.Name, c[0], c[1], ErrNotHopper)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if g.ctx, err = cu.Device(ordinal).MakeContext(cu.SchedAuto); err != nil {
		return nil, failed("cuCtxCreate", ofCu(err))
	}
	return g, nil
}

// describe fills in what the driver and NVML say about the card.
func (g *gpu) describe() error {
	d, err := cu.GetDevice(g.ordinal)
	if err != nil {
		return failed("cuDeviceGet", ofCu(err))
	}
	info := device.Info{Real: true, CUDA: g.version.String()}
	if info.Name, err = d.Name(); err != nil {
		return failed("cuDeviceGetName", ofCu(err))
	}
	total, err := d.TotalMem()
	if err != nil {
		return failed("cuDeviceTotalMem", ofCu(err))
	}
	info.TotalMemory = uint64(total)
	for _, a := range []struct {
		attr cu.DeviceAttribute
		to   *int
	}{
		{cu.MultiprocessorCount, &info.SMs},
		{cu.ComputeCapabilityMajor, &info.Capability[0]},
		{cu.ComputeCapabilityMinor, &info.Capability[1]},
		{maxSharedOptIn, &info.SharedBytes},
		{cu.L2CacheSize, &info.L2Bytes},
		{cu.ClockRate, &info.MaxClockMHz}, // in kHz, put right below
	} {
		if *a.to, err = d.Attribute(a.attr); err != nil {
			return failed("cuDeviceGetAttribute", ofCu(err))
		}
	}
	info.MaxClockMHz /= 1000
	bus, r := busID(g.ordinal)
	if r != success {
		return failed("cuDeviceGetPCIBusId", r)
	}
	if g.sensors, g.noSense = openSensors(bus); g.sensors != nil {
		info.Driver, info.PowerLimitW = g.sensors.driver(), g.sensors.powerLimit()
	} else {
		info.Driver = Probe().Driver
	}
	g.info = info
	return nil
}

func (g *gpu) Info() device.Info { return g.info }

// on runs f with the GPU's context current on the calling thread. Every driver
// call that needs a context goes through it.
func (g *gpu) on(call string, f func() result) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if g.ctx == (cu.CUContext{}) {
		return fmt.Errorf("cuda: %s: the device is closed", call)
	}
	if err := cu.SetCurrentContext(g.ctx); err != nil {
		return failed("cuCtxSetCurrent", ofCu(err))
	}
	return g.blame(call, f())
}

// Close frees everything the GPU was given, modules and memory included.
func (g *gpu) Close() error {
	if g.ctx == (cu.CUContext{}) {
		return nil
	}
	if g.sensors != nil {
		g.sensors.close()
	}
	err := g.ctx.Destroy()
	g.allocs, g.pending = nil, 0
	return failed("cuCtxDestroy", ofCu(err))
}
