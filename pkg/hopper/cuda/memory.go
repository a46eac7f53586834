//go:build cuda && cgo

package cuda

import (
	"fmt"
	"unsafe"

	"gorgonia.org/cu"

	"gohopper/pkg/hopper/device"
)

// Alloc reserves memory with cuMemAlloc, whose addresses are aligned to 256
// bytes or more.
func (g *gpu) Alloc(bytes int) (device.Ptr, error) {
	if bytes <= 0 {
		return 0, fmt.Errorf("cuda: Alloc of %d bytes: ask for at least 1", bytes)
	}
	var p cu.DevicePtr
	err := g.on(fmt.Sprintf("cuMemAlloc of %d bytes", bytes), func() result {
		var err error
		p, err = cu.MemAlloc(int64(bytes))
		return ofCu(err)
	})
	if err != nil {
		return 0, err
	}
	g.allocs[device.Ptr(p)] = bytes
	return device.Ptr(p), nil
}

// Free gives back what Alloc returned. It waits for launched work.
func (g *gpu) Free(p device.Ptr) error {
	if _, ok := g.allocs[p]; !ok {
		return fmt.Errorf("cuda: Free of %#x: it is not an address that Alloc returned, or was freed before", uint64(p))
	}
	delete(g.allocs, p)
	return g.on("cuMemFree", func() result { return ofCu(cu.MemFree(cu.DevicePtr(p))) })
}

// Upload copies src to the GPU after all launched work.
func (g *gpu) Upload(dst device.Ptr, src []byte) error {
	if err := g.inside("Upload", dst, len(src)); err != nil || len(src) == 0 {
		return err
	}
	return g.on("cuMemcpyHtoD", func() result {
		return ofCu(cu.MemcpyHtoD(cu.DevicePtr(dst), unsafe.Pointer(&src[0]), int64(len(src))))
	})
}

// Download waits for all launched work and copies from the GPU.
func (g *gpu) Download(dst []byte, src device.Ptr) error {
	if err := g.inside("Download", src, len(dst)); err != nil || len(dst) == 0 {
		return err
	}
	return g.on("cuMemcpyDtoH", func() result {
		return ofCu(cu.MemcpyDtoH(unsafe.Pointer(&dst[0]), cu.DevicePtr(src), int64(len(dst))))
	})
}

// Fill sets n bytes to b after all launched work.
func (g *gpu) Fill(dst device.Ptr, b byte, n int) error {
	if err := g.inside("Fill", dst, n); err != nil || n == 0 {
		return err
	}
	return g.on("cuMemsetD8", func() result { return ofCu(cu.MemsetD8(cu.DevicePtr(dst), b, int64(n))) })
}

// inside checks that n bytes from p lie in one allocation. The driver would
// refuse some of what this refuses, without saying what is wrong.
func (g *gpu) inside(call string, p device.Ptr, n int) error {
	if n < 0 {
		return fmt.Errorf("cuda: %s of %d bytes", call, n)
	}
	for base, bytes := range g.allocs {
		if p < base || p >= base+device.Ptr(bytes) {
			continue
		}
		if room := int(base + device.Ptr(bytes) - p); n > room {
			return fmt.Errorf("cuda: %s of %d bytes at %#x: only %d are left of the allocation of %d at %#x",
				call, n, uint64(p), room, bytes, uint64(base))
		}
		return nil
	}
	return fmt.Errorf("cuda: %s at %#x: the address lies in no allocation", call, uint64(p))
}

// Synchronize waits for all launched work. The error of a kernel that failed
// names the launches it can have been.
func (g *gpu) Synchronize() error {
	err := g.on("cuCtxSynchronize", func() result { return ofCu(cu.Synchronize()) })
	if err == nil {
		g.pending = 0
	}
	return err
}
