//go:build cuda && cgo

package cuda

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stddef.h>

// The part of cuBLAS used here (cuBLAS documentation, "cublasGemmEx"). The
// handle is opaque; statuses are 0 for success.
typedef struct {
	void *core, *library;
	int (*create)(void **handle);
	int (*destroy)(void *handle);
	int (*version)(void *handle, int *version);
	int (*workspace)(void *handle, void *memory, size_t bytes);
	int (*math)(void *handle, int mode);
	int (*gemm)(void *handle, int transA, int transB, int m, int n, int k,
		const void *alpha, const void *a, int typeA, int lda, const void *b, int typeB, int ldb,
		const void *beta, void *c, int typeC, int ldc, int compute, int algorithm);
	const char *(*explain)(int status);
} cublas;

// cublasOpen loads libcublasLt first: libcublas needs it, and does not look
// for it in its own folder.
static int cublasOpen(cublas *b, const char *core, const char *library)
{
	b->core = dlopen(core, RTLD_NOW | RTLD_GLOBAL);
	if (!b->core)
		return 0;
	b->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	if (!b->library) {
		dlclose(b->core);
		return 0;
	}
	b->create = dlsym(b->library, "cublasCreate_v2");
	b->destroy = dlsym(b->library, "cublasDestroy_v2");
	b->version = dlsym(b->library, "cublasGetVersion_v2");
	b->workspace = dlsym(b->library, "cublasSetWorkspace_v2");
	b->math = dlsym(b->library, "cublasSetMathMode");
	b->gemm = dlsym(b->library, "cublasGemmEx");
	b->explain = dlsym(b->library, "cublasGetStatusString");
	return b->create && b->destroy && b->version && b->workspace && b->math && b->gemm && b->explain;
}
static const char *cublasWhyNot(void) { const char *s = dlerror(); return s ? s : "a function is missing"; }
static void cublasClose(cublas *b) { dlclose(b->library); dlclose(b->core); }
static int cublasCreate(cublas *b, void **handle) { return b->create(handle); }
static int cublasDestroy(cublas *b, void *handle) { return b->destroy(handle); }
static int cublasVersion(cublas *b, void *handle, int *version) { return b->version(handle, version); }
static int cublasWorkspace(cublas *b, void *handle, unsigned long long memory, size_t bytes)
{
	return b->workspace(handle, (void *)memory, bytes);
}
static int cublasTensorMath(cublas *b, void *handle) { return b->math(handle, 0); } // CUBLAS_DEFAULT_MATH
static const char *cublasExplain(cublas *b, int status) { return b->explain(status); }

// cublasMatMul is C = A * transpose(B), all row-major. Row-major A, m x k, is
// column-major k x m with leading dimension k, so column-major transpose(C) =
// B * transpose(A) is the product transpose(first) * second of the two
// operands as they lie in memory, B first.
static int cublasMatMul(cublas *b, void *handle, int type, int m, int n, int k,
	unsigned long long A, unsigned long long B, unsigned long long C)
{
	enum { plain = 0, transposed = 1, compute32F = 68, defaultAlgorithm = -1 };
	const float one = 1, zero = 0;
	return b->gemm(handle, transposed, plain, n, m, k,
		&one, (void *)B, type, k, (void *)A, type, k,
		&zero, (void *)C, type, n, compute32F, defaultAlgorithm);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"unsafe"

	"gohopper/pkg/hopper/device"
)

// workspaceBytes is the workspace that NVIDIA recommends for Hopper (cuBLAS
// documentation, "cublasSetWorkspace"): 32 MiB.
const workspaceBytes = 32 << 20

// libraryNames are tried newest first; the last is a toolkit's own link.
var libraryNames = [...]string{".so.13", ".so.12", ".so"}

// libraryGlobs are the folders searched for cuBLAS, in this order. The empty
// one leaves the search to the loader: LD_LIBRARY_PATH, then the system's
// folders. The others are CUDA toolkits and the folders of NVIDIA's Python
// wheels (cu13 for CUDA 13, cublas for CUDA 12), in the system's Python and in
// virtual environments under the working directory and /opt.
var libraryGlobs = [...]string{
	"",
	"/usr/local/cuda/lib64",
	"/usr/local/cuda-1[23]*/lib64",
	"/opt/cuda/lib64",
	".venv/lib/python3*/site-packages/nvidia/cu13/lib",
	".venv/lib/python3*/site-packages/nvidia/cublas/lib",
	"/usr/local/lib/python3*/*-packages/nvidia/cu13/lib",
	"/usr/local/lib/python3*/*-packages/nvidia/cublas/lib",
	"/usr/lib/python3*/*-packages/nvidia/cu13/lib",
	"/usr/lib/python3*/*-packages/nvidia/cublas/lib",
	"/opt/*/lib/python3*/site-packages/nvidia/cu13/lib",
	"/opt/*/lib/python3*/site-packages/nvidia/cublas/lib",
	"/opt/*/.venv/lib/python3*/site-packages/nvidia/cu13/lib",
	"/opt/*/.venv/lib/python3*/site-packages/nvidia/cublas/lib",
}

// library is cuBLAS, the yardstick.
type library struct {
	gpu       *gpu
	lib       C.cublas
	handle    unsafe.Pointer
	workspace device.Ptr
	name      string
}

// Library loads cuBLAS: the first one found that runs on this driver. Close it
// before the device. The error means that there is no yardstick, and nothing
// else.
func (g *gpu) Library() (device.Library, error) {
	var reasons []string
	for _, name := range libraryNames {
		for _, glob := range libraryGlobs {
			for _, dir := range expand(glob) {
				l, err := g.openLibrary(filepath.Join(dir, "libcublasLt"+name), filepath.Join(dir, "libcublas"+name))
				if err == nil {
					return l, nil
				}
				reasons = append(reasons, "  "+err.Error())
			}
		}
	}
	return nil, errors.New("cuda: no yardstick: cuBLAS cannot be loaded; install it (pip install nvidia-cublas) and put its folder on LD_LIBRARY_PATH. Tried:\n" +
		strings.Join(reasons, "\n"))
}

// expand is the folders that a glob stands for; "" stands for itself.
func expand(glob string) []string {
	if glob == "" {
		return []string{""}
	}
	dirs, _ := filepath.Glob(glob) // fails only on a malformed pattern
	return dirs
}

func (g *gpu) openLibrary(core, path string) (*library, error) {
	l := &library{gpu: g}
	ccore, cpath := append([]byte(core), 0), append([]byte(path), 0)
	if C.cublasOpen(&l.lib, (*C.char)(unsafe.Pointer(&ccore[0])), (*C.char)(unsafe.Pointer(&cpath[0]))) == 0 {
		return nil, fmt.Errorf("%s: %s", path, C.GoString(C.cublasWhyNot()))
	}
	var err error
	if l.workspace, err = g.Alloc(workspaceBytes); err != nil {
		C.cublasClose(&l.lib)
		return nil, err
	}
	var version C.int
	for _, step := range []struct {
		call string
		f    func() C.int
	}{
		{"cublasCreate", func() C.int { return C.cublasCreate(&l.lib, &l.handle) }},
		{"cublasGetVersion", func() C.int { return C.cublasVersion(&l.lib, l.handle, &version) }},
		{"cublasSetMathMode", func() C.int { return C.cublasTensorMath(&l.lib, l.handle) }},
		{"cublasSetWorkspace", func() C.int {
			return C.cublasWorkspace(&l.lib, l.handle, C.ulonglong(l.workspace), workspaceBytes)
		}},
	} {
		if err := l.call(step.call, step.f); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", path, err), l.Close())
		}
	}
	l.name = "cuBLAS " + libraryVersion(int(version))
	return l, nil
}

// libraryVersion spells cuBLAS's version number: 130100 is "13.1.0".
func libraryVersion(v int) string {
	return fmt.Sprintf("%d.%d.%d", v/10000, v/100%100, v%100)
}

// call runs one cuBLAS function with the GPU's context current.
func (l *library) call(name string, f func() C.int) error {
	var status C.int
	if err := l.gpu.on(name, func() result { status = f(); return success }); err != nil {
		return err
	}
	if status != 0 {
		return fmt.Errorf("cuda: %s: %s", name, C.GoString(C.cublasExplain(&l.lib, status)))
	}
	return nil
}

func (l *library) Name() string { return l.name }

// MatMul enqueues C = A Bᵀ with cublasGemmEx, float32 accumulation and the
// algorithm that the library chooses.
func (l *library) MatMul(t device.ElemType, m, n, k int, a, b, c device.Ptr) error {
	var ctype C.int // cudaDataType_t
	switch t {
	case device.F16:
		ctype = 2
	case device.BF16:
		ctype = 14
	default:
		return fmt.Errorf("cuda: cuBLAS is used for %q and %q here, not %q", device.F16, device.BF16, t)
	}
	for _, d := range []int{m, n, k} {
		if d < 1 || d > math.MaxInt32 {
			return fmt.Errorf("cuda: cublasGemmEx of %d x %d x %d: every size must be from 1 to %d", m, n, k, math.MaxInt32)
		}
	}
	return l.call(fmt.Sprintf("cublasGemmEx of %d x %d x %d", m, n, k), func() C.int {
		return C.cublasMatMul(&l.lib, l.handle, ctype, C.int(m), C.int(n), C.int(k), C.ulonglong(a), C.ulonglong(b), C.ulonglong(c))
	})
}

// Close frees the library's handle and workspace. The library stays loaded:
// unloading it while the driver holds its kernels is not safe.
func (l *library) Close() error {
	var err error
	if l.handle != nil {
		err = l.call("cublasDestroy", func() C.int { return C.cublasDestroy(&l.lib, l.handle) })
		l.handle = nil
	}
	if l.workspace != 0 {
		err = errors.Join(err, l.gpu.Free(l.workspace))
		l.workspace = 0
	}
	return err
}
