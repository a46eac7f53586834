//go:build cuda && cgo

package cuda

/*
#cgo CFLAGS: -D_GNU_SOURCE -I${SRCDIR}/include -I/usr/local/cuda/include
#cgo LDFLAGS: -L/usr/local/cuda/lib64 -L/usr/local/cuda/lib64/stubs -lcuda -ldl

#include <cuda.h>
#include <dlfcn.h>
#include <string.h>

extern CUresult gohopper_init_result;

// Calls younger than the oldest driver that a program should start with are
// looked up by name, so that Open can refuse an old driver in words.
#define DRIVER(name) ((__typeof__(&name))dlsym(RTLD_DEFAULT, #name))

static CUresult load(CUmodule *module, const char *text, char *errors, char *info, size_t bytes)
{
	CUjit_option option[] = {
		CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
		CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
		CU_JIT_LOG_VERBOSE,
	};
	void *value[] = {errors, (void *)bytes, info, (void *)bytes, (void *)1};
	return cuModuleLoadDataEx(module, text, 5, option, value);
}

static CUresult paramInfo(CUfunction f, size_t i, size_t *offset, size_t *bytes)
{
	return DRIVER(cuFuncGetParamInfo)(f, i, offset, bytes);
}

// launch takes the arguments one after the other in args, argument i at
// offset[i]. cluster[0] is 0 where the entry fixes its cluster or has none.
static CUresult launch(CUfunction f, const unsigned *grid, const unsigned *block,
	const unsigned *cluster, unsigned shared, int overlap, unsigned char *args, const size_t *offset, size_t n)
{
	void *arg[n + 1];
	for (size_t i = 0; i < n; i++)
		arg[i] = args + offset[i];
	CUlaunchAttribute attrs[2];
	unsigned given = 0;
	if (cluster[0] != 0) {
		CUlaunchAttribute *a = &attrs[given++];
		a->id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
		a->value.clusterDim.x = cluster[0];
		a->value.clusterDim.y = cluster[1];
		a->value.clusterDim.z = cluster[2];
	}
	if (overlap) {
		CUlaunchAttribute *a = &attrs[given++];
		a->id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
		a->value.programmaticStreamSerializationAllowed = 1;
	}
	CUlaunchConfig config = {
		.gridDimX = grid[0], .gridDimY = grid[1], .gridDimZ = grid[2],
		.blockDimX = block[0], .blockDimY = block[1], .blockDimZ = block[2],
		.sharedMemBytes = shared,
		.attrs = attrs, .numAttrs = given,
	};
	return cuLaunchKernelEx(&config, f, arg, 0);
}

static CUresult encode(void *out, int type, unsigned rank, CUdeviceptr address,
	const cuuint64_t *dims, const cuuint64_t *strides, const cuuint32_t *box, const cuuint32_t *step,
	int interleave, int swizzle, int l2, int fill)
{
	CUtensorMap map; // the driver wants 64-byte alignment, which Go cannot promise
	CUresult r = DRIVER(cuTensorMapEncodeTiled)(&map, type, rank, (void *)address,
		dims, strides, box, step, interleave, swizzle, l2, fill);
	if (r == CUDA_SUCCESS)
		memcpy(out, &map, sizeof map);
	return r;
}
*/
import "C"

import (
	"unsafe"

	"gohopper/pkg/hopper/device"
)

// This file is what gorgonia.org/cu lacks: PTX compiled with its log, function
// attributes, tensor maps, and launches with arguments of any size and with
// clusters. Handles of the driver stay inside it, module.go and kernel.go.

type (
	moduleHandle   = C.CUmodule
	functionHandle = C.CUfunction
	attribute      = C.CUfunction_attribute
)

// The function attributes that Kernel reads and sets.
const (
	attrMaxThreads     = C.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
	attrStaticShared   = C.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
	attrLocal          = C.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES
	attrRegisters      = C.CU_FUNC_ATTRIBUTE_NUM_REGS
	attrDynamicShared  = C.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
	attrClusterX       = C.CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH
	attrClusterY       = C.CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT
	attrClusterZ       = C.CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH
	attrAnyClusterSize = C.CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED
)

// initResult is the driver's answer to cuInit, asked for before main.
func initResult() result { return result(C.gohopper_init_result) }

// resultName is the driver's name of r and its sentence on it.
func resultName(r result) (name, text string) {
	var s *C.char
	if C.cuGetErrorName(C.CUresult(r), &s) != C.CUDA_SUCCESS {
		return "", ""
	}
	name = C.GoString(s)
	C.cuGetErrorString(C.CUresult(r), &s)
	return name, C.GoString(s)
}

func busID(ordinal int) (string, result) {
	var id [32]C.char
	r := C.cuDeviceGetPCIBusId(&id[0], C.int(len(id)), C.CUdevice(ordinal))
	return C.GoString(&id[0]), result(r)
}

// logBytes is room for the compiler's log; a longer one is cut by the driver.
const logBytes = 64 << 10

// loadModule compiles PTX. The logs are filled in whether it works or not.
func loadModule(text string) (m moduleHandle, errors, info string, r result) {
	ptx := append([]byte(text), 0)
	elog, ilog := make([]byte, logBytes), make([]byte, logBytes)
	r = result(C.load(&m, (*C.char)(unsafe.Pointer(&ptx[0])),
		(*C.char)(unsafe.Pointer(&elog[0])), (*C.char)(unsafe.Pointer(&ilog[0])), logBytes))
	return m, cString(elog), cString(ilog), r
}

func cString(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}

func unloadModule(m moduleHandle) result { return result(C.cuModuleUnload(m)) }

func getFunction(m moduleHandle, name string) (f functionHandle, r result) {
	cname := append([]byte(name), 0)
	r = result(C.cuModuleGetFunction(&f, m, (*C.char)(unsafe.Pointer(&cname[0]))))
	return f, r
}

func getAttribute(f functionHandle, attr attribute) (int, result) {
	var v C.int
	r := C.cuFuncGetAttribute(&v, attr, f)
	return int(v), result(r)
}

func setAttribute(f functionHandle, attr attribute, v int) result {
	return result(C.cuFuncSetAttribute(f, attr, C.int(v)))
}

// paramBytes is the size of each parameter of f.
func paramBytes(f functionHandle) ([]int, result) {
	var sizes []int
	for {
		var offset, bytes C.size_t
		switch r := result(C.paramInfo(f, C.size_t(len(sizes)), &offset, &bytes)); r {
		case success:
			sizes = append(sizes, int(bytes))
		case invalidValue: // there is no such parameter
			return sizes, success
		default:
			return nil, r
		}
	}
}

func launch(f functionHandle, l device.Launch, args []device.Arg) result {
	flat := []byte{}
	offsets := make([]C.size_t, len(args)+1)
	for i, a := range args {
		offsets[i] = C.size_t(len(flat))
		flat = append(flat, a...)
	}
	flat = append(flat, 0) // so that there is a first byte to point to
	grid, block, cluster := extent(l.Grid), extent(l.Block), extent(l.Cluster)
	overlap := C.int(0)
	if l.Overlap {
		overlap = 1
	}
	return result(C.launch(f, &grid[0], &block[0], &cluster[0], C.uint(l.Shared), overlap,
		(*C.uchar)(unsafe.Pointer(&flat[0])), &offsets[0], C.size_t(len(args))))
}

func extent(n [3]int) [3]C.uint { return [3]C.uint{C.uint(n[0]), C.uint(n[1]), C.uint(n[2])} }

// encodeTiled wants every list of t to have the length its rank asks for.
func encodeTiled(t device.TensorMap) (m device.EncodedMap, r result) {
	strides := append(t.Strides, 0) // a vector has none, and nothing to point to
	r = result(C.encode(unsafe.Pointer(&m[0]), C.int(t.Type), C.uint(len(t.Dims)), C.CUdeviceptr(t.Address),
		(*C.cuuint64_t)(unsafe.Pointer(&t.Dims[0])), (*C.cuuint64_t)(unsafe.Pointer(&strides[0])),
		(*C.cuuint32_t)(unsafe.Pointer(&t.Box[0])), (*C.cuuint32_t)(unsafe.Pointer(&t.ElementStrides[0])),
		C.int(t.Interleave), C.int(t.Swizzle), C.int(t.L2Promotion), C.int(t.Fill)))
	return m, r
}
