// A pretend libcuda for tests on a machine without a GPU: enough of the driver
// to hold what this package hands it against what was meant. Device memory is
// host memory, kernels are three names with fixed behaviour. .ci/vet-cuda
// links it with a stub of every other name.
//
//	echo(out, n, map)  writes to out the launch as 11 words, then n and map
//	fault()            leaves the context lost, as an illegal address does
//	plain()            does nothing
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CUresult state = CUDA_SUCCESS; // of the context
static int dynamic, wide;             // function attributes that were set

#define MUST(x) do { if (!(x)) return CUDA_ERROR_INVALID_VALUE; } while (0)

CUresult cuInit(unsigned flags) { return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int *v) { *v = 13000; return CUDA_SUCCESS; }
CUresult cuDeviceGetCount(int *n) { *n = 1; return CUDA_SUCCESS; }
CUresult cuDeviceGet(CUdevice *d, int i) { *d = i; return CUDA_SUCCESS; }
CUresult cuDeviceGetName(char *s, int n, CUdevice d) { snprintf(s, n, "pretend GPU"); return CUDA_SUCCESS; }
CUresult cuDeviceTotalMem_v2(size_t *n, CUdevice d) { *n = (size_t)1 << 33; return CUDA_SUCCESS; }
CUresult cuDeviceGetPCIBusId(char *s, int n, CUdevice d) { snprintf(s, n, "0000:00:00.0"); return CUDA_SUCCESS; }

CUresult cuDeviceGetAttribute(int *v, CUdevice_attribute a, CUdevice d)
{
	switch ((int)a) {
	case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *v = 9; break;
	case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *v = 0; break;
	case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *v = 132; break;
	case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: *v = 232448; break;
	case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: *v = 1980000; break;
	default: *v = 50 << 20;
	}
	return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult r, const char **s)
{
	*s = r == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_PRETENDED";
	return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult r, const char **s) { *s = "the driver's sentence"; return CUDA_SUCCESS; }

CUresult cuCtxCreate_v2(CUcontext *c, unsigned flags, CUdevice d) { state = CUDA_SUCCESS; *c = (CUcontext)&state; return CUDA_SUCCESS; }
CUresult cuCtxDestroy_v2(CUcontext c) { return CUDA_SUCCESS; }
CUresult cuCtxSetCurrent(CUcontext c) { return CUDA_SUCCESS; }
CUresult cuCtxSynchronize(void) { return state; }

CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t n)
{
	if (n > (size_t)1 << 33)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*p = (CUdeviceptr)aligned_alloc(256, (n + 255) / 256 * 256);
	return CUDA_SUCCESS;
}
CUresult cuMemFree_v2(CUdeviceptr p) { free((void *)p); return state; }
CUresult cuMemcpyHtoD_v2(CUdeviceptr d, const void *s, size_t n) { memcpy((void *)d, s, n); return state; }
CUresult cuMemcpyDtoH_v2(void *d, CUdeviceptr s, size_t n) { memcpy(d, (void *)s, n); return state; }
CUresult cuMemsetD8_v2(CUdeviceptr d, unsigned char b, size_t n) { memset((void *)d, b, n); return state; }

CUresult cuEventCreate(CUevent *e, unsigned flags) { *e = malloc(1); return CUDA_SUCCESS; }
CUresult cuEventDestroy_v2(CUevent e) { free(e); return CUDA_SUCCESS; }
CUresult cuEventRecord(CUevent e, CUstream s) { return state; }
CUresult cuEventSynchronize(CUevent e) { return state; }
CUresult cuEventElapsedTime(float *ms, CUevent a, CUevent b) { *ms = 1.5f; return state; }
#ifdef cuEventElapsedTime // CUDA 13 gives the name to a second entry point
#undef cuEventElapsedTime
CUresult cuEventElapsedTime(float *ms, CUevent a, CUevent b) { *ms = 1.5f; return state; }
#endif

CUresult cuModuleLoadDataEx(CUmodule *m, const void *text, unsigned n, CUjit_option *o, void **v)
{
	MUST(n == 5 && o[0] == CU_JIT_ERROR_LOG_BUFFER && o[2] == CU_JIT_INFO_LOG_BUFFER);
	if (strstr(text, ".version 9.9"))
		return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
	if (strstr(text, "mistake")) {
		snprintf(v[0], (size_t)v[1], "ptxas application ptx input, line 3; error   : Unknown symbol 'mistake'\n");
		return CUDA_ERROR_INVALID_PTX;
	}
	snprintf(v[2], (size_t)v[3], "ptxas info    : Used 8 registers\n");
	*m = (CUmodule)"module";
	return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule m) { return CUDA_SUCCESS; }

static const char *names[] = {"echo", "fault", "plain"};
CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name)
{
	for (int i = 0; i < 3; i++)
		if (!strcmp(name, names[i])) {
			*f = (CUfunction)names[i];
			return CUDA_SUCCESS;
		}
	return CUDA_ERROR_NOT_FOUND;
}

static const size_t sizes[] = {8, 4, 128};
CUresult cuFuncGetParamInfo(CUfunction f, size_t i, size_t *offset, size_t *bytes)
{
	MUST(f == (CUfunction)names[0] && i < 3);
	*bytes = sizes[i];
	return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *v, CUfunction_attribute a, CUfunction f)
{
	switch ((int)a) {
	case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *v = 1024; break;
	case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *v = 4096; break;
	case CU_FUNC_ATTRIBUTE_NUM_REGS: *v = 8; break;
	case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *v = 16; break;
	default: *v = 0;
	}
	return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute a, int v)
{
	MUST(a == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || a == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
	*(a == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ? &dynamic : &wide) = v;
	return CUDA_SUCCESS;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **arg, void **extra)
{
	if (f == (CUfunction)names[1])
		state = CUDA_ERROR_ILLEGAL_ADDRESS;
	if (f != (CUfunction)names[0])
		return CUDA_SUCCESS;
	unsigned cluster[3] = {0};
	if (c->numAttrs == 1 && c->attrs[0].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
		memcpy(cluster, &c->attrs[0].value.clusterDim, sizeof cluster);
	unsigned words[] = {
		c->gridDimX, c->gridDimY, c->gridDimZ, c->blockDimX, c->blockDimY, c->blockDimZ,
		cluster[0], cluster[1], cluster[2], c->sharedMemBytes, dynamic,
	};
	unsigned char *out = *(unsigned char **)arg[0];
	memcpy(out, words, sizeof words);
	memcpy(out + sizeof words, arg[1], 4);
	memcpy(out + sizeof words + 4, arg[2], 128);
	return CUDA_SUCCESS;
}

// The pretend map is its arguments, as 16 words of 64 bits.
CUresult cuTensorMapEncodeTiled(CUtensorMap *m, CUtensorMapDataType type, cuuint32_t rank, void *address,
	const cuuint64_t *dims, const cuuint64_t *strides, const cuuint32_t *box, const cuuint32_t *step,
	CUtensorMapInterleave inter, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill)
{
	MUST((size_t)m % 64 == 0 && rank == 2);
	cuuint64_t words[16] = {type, rank, (cuuint64_t)address, dims[0], dims[1], strides[0],
		box[0], box[1], step[0], step[1], inter, swizzle, l2, fill};
	memcpy(m, words, sizeof words);
	return CUDA_SUCCESS;
}
