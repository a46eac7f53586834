// This header stands before NVIDIA's cuda.h on the include path, so that
// gorgonia.org/cu v0.9.6 compiles against CUDA 13 as it does against CUDA 12.
//
// CUDA 13.0 points five names at entry points with longer parameter lists. The
// driver still exports the older entry points, so the names are pointed back
// at those. Against CUDA 12 this file is NVIDIA's header and nothing else.
//
// cu is another package, so only the environment can put this folder on its
// include path:
//
//	CGO_CFLAGS=-I$PWD/pkg/hopper/cuda/include
#include_next <cuda.h>

#ifndef GOHOPPER_CUDA_H
#define GOHOPPER_CUDA_H
#if CUDA_VERSION >= 13000

#undef cuCtxCreate
#undef cuMemAdvise
#undef cuMemPrefetchAsync
#undef cuGraphAddDependencies
#undef cuGraphGetEdges

#define cuCtxCreate cuCtxCreate_v2

CUresult CUDAAPI cuCtxCreate_v2(CUcontext *ctx, unsigned int flags, CUdevice dev);
CUresult CUDAAPI cuMemAdvise(CUdeviceptr ptr, size_t bytes, CUmem_advise advice, CUdevice dev);
CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr ptr, size_t bytes, CUdevice dev, CUstream stream);
CUresult CUDAAPI cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t n);
CUresult CUDAAPI cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *n);

#endif
#endif
