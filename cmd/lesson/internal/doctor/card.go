package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gohopper/pkg/hopper/cuda"
	"gohopper/pkg/hopper/device"
)

// card is the GPU as far as it can be known: through the open device, or, in a
// program without the tag, from nvidia-smi and the file system.
type card struct {
	p       Patient
	dev     device.Device // nil if it is not open
	openErr error
	smi     string // "NVIDIA H200, 580.159.03, 9.0" by nvidia-smi, "" without it
	smiCUDA string // "13.0"
}

func (p Patient) openCard(ctx context.Context) *card {
	c := &card{p: p}
	if !p.GPU.GPU() {
		return c
	}
	if p.GPU.Built {
		c.dev, c.openErr = p.Open()
	}
	if smi := p.Machine.Program("nvidia-smi"); smi != "" {
		c.smi = p.ask(ctx, ",", smi, "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader")
		_, version, _ := strings.Cut(p.ask(ctx, "CUDA Version:", smi), "CUDA Version:")
		c.smiCUDA, _, _ = strings.Cut(strings.TrimSpace(version), " ")
	}
	return c
}

func (c *card) close() {
	if c.dev != nil {
		c.dev.Close()
	}
}

// driver is the driver and the CUDA release that it supports.
func (c *card) driver() Check {
	gpu := c.p.GPU
	var version, release string
	switch {
	case c.dev != nil:
		version, release = c.dev.Info().Driver, c.dev.Info().CUDA
	default:
		version, release = gpu.Driver, c.smiCUDA
		if fields := strings.Split(c.smi, ", "); version == "" && len(fields) == 3 {
			version = fields[1]
		}
	}
	switch {
	case version == "" && gpu.Library == "":
		return Check{"driver", Missing, "", "no NVIDIA driver; the emulator needs none"}
	case gpu.Library == "" && c.dev == nil:
		return Check{"driver", Broken, version, "but no libcuda.so.1: install the driver's libraries, or start the container with the NVIDIA runtime"}
	}
	found := strings.TrimSpace(version + " " + gpu.Library)
	if release != "" {
		found += ", supports CUDA " + release
	}
	return Check{"driver", OK, found, ""}
}

func (c *card) gpu() Check {
	gpu := c.p.GPU
	switch err := gpu.Err(); {
	case c.dev != nil:
		i := c.dev.Info()
		return Check{"GPU", OK, fmt.Sprintf("%s, compute capability %d.%d, %d SMs, %d GB",
			i.Name, i.Capability[0], i.Capability[1], i.SMs, i.TotalMemory/1e9), ""}
	case c.openErr != nil:
		return Check{"GPU", Broken, "", c.openErr.Error()}
	case errors.Is(err, cuda.ErrNotHopper):
		return Check{"GPU", Missing, "", err.Error()}
	case !gpu.GPU():
		return Check{"GPU", Missing, "", "none; lessons run on the emulator"}
	}
	name := strings.Join(append(gpu.Models, gpu.Nodes...), ", ")
	if fields := strings.Split(c.smi, ", "); len(fields) == 3 {
		name = fmt.Sprintf("%s, compute capability %s", fields[0], fields[2])
		if fields[2] != "9.0" {
			return Check{"GPU", Missing, name, "not a Hopper (9.0); lessons run on the emulator"}
		}
	}
	return Check{"GPU", OK, name, ""}
}

// beside is what is said of a library on a machine without a GPU.
const beside = "of use beside a GPU only"

func (c *card) cublas() Check {
	const name, advice = "cuBLAS", "no library to compare with: pip install nvidia-cublas and put its folder on LD_LIBRARY_PATH"
	if owner, ok := c.dev.(device.LibraryOwner); ok {
		lib, err := owner.Library()
		if err != nil {
			return Check{name, Missing, "", advice}
		}
		defer lib.Close()
		return Check{name, OK, lib.Name(), ""}
	}
	if !c.p.GPU.GPU() {
		return Check{name, Missing, "", beside}
	}
	dir := c.p.Machine.Library([]string{"libcublas.so.13", "libcublas.so.12"}, []string{"cu13", "cublas"})
	if dir == "" {
		return Check{name, Missing, "", advice}
	}
	return Check{name, OK, dir, ""}
}

func (c *card) nvml() Check {
	const name, advice = "NVML", "no readings of clock, power and temperature: libnvidia-ml.so.1 comes with the driver"
	if sensor, ok := c.dev.(device.Sensor); ok {
		r, err := sensor.Read()
		if err != nil {
			return Check{name, Missing, "", err.Error()}
		}
		return Check{name, OK, fmt.Sprintf("%d MHz, %.0f W, %d C now", r.SMClockMHz, r.PowerW, r.TempC), ""}
	}
	if !c.p.GPU.GPU() {
		return Check{name, Missing, "", beside}
	}
	dir := c.p.Machine.Library([]string{"libnvidia-ml.so.1"}, nil)
	if dir == "" {
		return Check{name, Missing, "", advice}
	}
	return Check{name, OK, dir, ""}
}

// binary says whether this program itself can open a GPU.
func (p Patient) binary() Check {
	if p.GPU.Built {
		return Check{"this program", OK, "built with -tags cuda", ""}
	}
	if !p.GPU.GPU() {
		return Check{"this program", OK, "built without -tags cuda, which suits a machine without a Hopper GPU", ""}
	}
	return Check{"this program", Missing, "built without -tags cuda", "it cannot open the GPU; lesson run builds lessons with the tag where it can, and lesson build -tags cuda builds both"}
}
