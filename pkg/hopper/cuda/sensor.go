//go:build cuda && cgo

package cuda

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>

// The part of NVML used here (NVML API reference, "Device queries"). A device
// handle is opaque; results are 0 for success.
typedef struct {
	void *library;
	int (*init)(void);
	int (*shutdown)(void);
	int (*byBus)(const char *bus, void **device);
	int (*clock)(void *device, int type, unsigned *mhz);
	int (*power)(void *device, unsigned *milliwatts);
	int (*limit)(void *device, unsigned *milliwatts);
	int (*temperature)(void *device, int sensor, unsigned *celsius);
	int (*driver)(char *version, unsigned length);
	const char *(*explain)(int result);
} nvml;

static int nvmlOpen(nvml *n)
{
	n->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
	return n->library
		&& (n->init = dlsym(n->library, "nvmlInit_v2"))
		&& (n->shutdown = dlsym(n->library, "nvmlShutdown"))
		&& (n->byBus = dlsym(n->library, "nvmlDeviceGetHandleByPciBusId_v2"))
		&& (n->clock = dlsym(n->library, "nvmlDeviceGetClockInfo"))
		&& (n->power = dlsym(n->library, "nvmlDeviceGetPowerUsage"))
		&& (n->limit = dlsym(n->library, "nvmlDeviceGetEnforcedPowerLimit"))
		&& (n->temperature = dlsym(n->library, "nvmlDeviceGetTemperature"))
		&& (n->driver = dlsym(n->library, "nvmlSystemGetDriverVersion"))
		&& (n->explain = dlsym(n->library, "nvmlErrorString"));
}
static int nvmlInit(nvml *n) { return n->init(); }
static int nvmlShutdown(nvml *n) { n->shutdown(); return dlclose(n->library); }
static int nvmlByBus(nvml *n, const char *bus, void **device) { return n->byBus(bus, device); }
static int nvmlClock(nvml *n, void *device, int type, unsigned *mhz) { return n->clock(device, type, mhz); }
static int nvmlPower(nvml *n, void *device, unsigned *mw) { return n->power(device, mw); }
static int nvmlLimit(nvml *n, void *device, unsigned *mw) { return n->limit(device, mw); }
static int nvmlTemperature(nvml *n, void *device, unsigned *celsius) { return n->temperature(device, 0, celsius); }
static int nvmlDriver(nvml *n, char *version, unsigned length) { return n->driver(version, length); }
static const char *nvmlExplain(nvml *n, int result) { return n->explain(result); }
*/
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"gohopper/pkg/hopper/device"
)

// NVML's nvmlClockType_t.
const (
	clockSM     = 1
	clockMemory = 2
)

// sensors is NVML's view of the card, the library that nvidia-smi uses. It is
// found when a program runs, so a driver without it costs only the readings.
type sensors struct {
	lib    C.nvml
	device unsafe.Pointer
}

// openSensors finds the card by its PCI bus id: NVML counts all cards, the
// driver only those that CUDA_VISIBLE_DEVICES leaves.
func openSensors(bus string) (*sensors, error) {
	s := new(sensors)
	if C.nvmlOpen(&s.lib) == 0 {
		return nil, errors.New("cuda: no sensor readings: libnvidia-ml.so.1, which comes with the driver, cannot be loaded")
	}
	if err := s.failed("nvmlInit", C.nvmlInit(&s.lib)); err != nil {
		return nil, err
	}
	id := append([]byte(bus), 0)
	if err := s.failed("nvmlDeviceGetHandleByPciBusId", C.nvmlByBus(&s.lib, (*C.char)(unsafe.Pointer(&id[0])), &s.device)); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *sensors) close() { C.nvmlShutdown(&s.lib) }

func (s *sensors) failed(call string, r C.int) error {
	if r == 0 {
		return nil
	}
	return fmt.Errorf("cuda: no sensor readings: %s: %s", call, C.GoString(C.nvmlExplain(&s.lib, r)))
}

// driver is the driver's version, such as "580.159.03", "" if it is not told.
func (s *sensors) driver() string {
	var version [96]C.char
	if C.nvmlDriver(&s.lib, &version[0], C.uint(len(version))) != 0 {
		return ""
	}
	return C.GoString(&version[0])
}

// powerLimit is in watts, 0 if it is not told.
func (s *sensors) powerLimit() int {
	var mw C.uint
	if C.nvmlLimit(&s.lib, s.device, &mw) != 0 {
		return 0
	}
	return int(mw) / 1000
}

// Read asks the card for its clocks, power and temperature.
func (g *gpu) Read() (device.Reading, error) {
	s := g.sensors
	if s == nil {
		return device.Reading{}, g.noSense
	}
	var sm, mem, mw, celsius C.uint
	for _, q := range []struct {
		call string
		r    C.int
	}{
		{"nvmlDeviceGetClockInfo (SM)", C.nvmlClock(&s.lib, s.device, clockSM, &sm)},
		{"nvmlDeviceGetClockInfo (memory)", C.nvmlClock(&s.lib, s.device, clockMemory, &mem)},
		{"nvmlDeviceGetPowerUsage", C.nvmlPower(&s.lib, s.device, &mw)},
		{"nvmlDeviceGetTemperature", C.nvmlTemperature(&s.lib, s.device, &celsius)},
	} {
		if err := s.failed(q.call, q.r); err != nil {
			return device.Reading{}, err
		}
	}
	return device.Reading{
		SMClockMHz:  int(sm),
		MemClockMHz: int(mem),
		PowerW:      float64(mw) / 1000,
		TempC:       int(celsius),
	}, nil
}
