//go:build cuda && cgo

// gorgonia.org/cu calls cuInit before main and ends the process if it fails,
// so a machine without a GPU could not even fall back on the emulator. The
// linker takes this definition before the driver's: it makes the call, keeps
// the answer for Open, and reports success to cu.

#include <cuda.h>
#include <dlfcn.h>

CUresult gohopper_init_result = CUDA_ERROR_NOT_INITIALIZED;

__attribute__((visibility("hidden"))) CUresult cuInit(unsigned int flags)
{
	CUresult (*driver)(unsigned int) = (CUresult(*)(unsigned int))dlsym(RTLD_NEXT, "cuInit");
	gohopper_init_result = driver ? driver(flags) : CUDA_ERROR_NOT_FOUND;
	return CUDA_SUCCESS;
}
