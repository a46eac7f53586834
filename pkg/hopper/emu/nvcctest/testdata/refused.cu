// Kernels that the emulator cannot run and says so when they are loaded.
#include <cuda_runtime.h>

extern "C" __global__ void texture(cudaTextureObject_t t, float *out) {
    out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); // refused: no texture units
}

extern "C" __global__ void fine(float *out) { out[threadIdx.x] = threadIdx.x; }
