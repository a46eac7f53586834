// Package cuda is the contract of pkg/hopper/device on an NVIDIA Hopper GPU,
// over the driver's own interface: memory, tensor maps, PTX compiled by the
// driver, launches. It also finds the vendor's matrix library (cuBLAS) and the
// card's sensors (NVML) at run time, and goes on without them.
//
// The package must not know what a kernel computes or how it was written: PTX
// arrives as text. It is the only user of gorgonia.org/cu and the only package
// with cgo.
//
// # Building
//
// Without the build tag "cuda" the package holds no cgo: Open returns
// ErrNotBuilt, and Probe still says whether the machine has a GPU. With it, a
// C compiler and the CUDA headers are needed, and at run time only the driver.
// With CUDA 12.4 or later in /usr/local/cuda:
//
//	go build -tags cuda ./lessons/v1
//
// With CUDA 13, gorgonia.org/cu needs the header in this package's include
// folder, which does no harm with CUDA 12 either:
//
//	CGO_CFLAGS=-I$PWD/pkg/hopper/cuda/include go build -tags cuda ./lessons/v1
//
// With headers elsewhere, or on a machine without a driver to link against,
// say where the headers and the toolkit's stub of libcuda.so are:
//
//	CGO_CFLAGS="-I$PWD/pkg/hopper/cuda/include -I/opt/cuda/include" \
//	CGO_LDFLAGS=-L/opt/cuda/lib64/stubs go build -tags cuda ./lessons/v1
//
// A machine with no toolkit at all gets headers from NVIDIA's wheels through
// the script .ci/nvidia, and .ci/vet-cuda builds everything with them. The
// program then depends on libc and libcuda.so.1 alone and can be carried to
// the machine with the GPU.
package cuda
