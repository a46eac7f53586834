// Kernels that are wrong on purpose. A finding must name the line with the
// comment "planted" that says so.
#include "hopper.cuh"
#include <cassert>

// Writes one element past the end of out where n is not checked.
extern "C" __global__ void past_the_end(int *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[i] = i; // planted: i may be n
}

// Waits for more bytes than the copy brings.
extern "C" __global__ void wrong_bytes(const __grid_constant__ CUtensorMap map, float *out) {
    __shared__ alignas(128) float tile[8][32];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(&full, 2 * sizeof tile); // planted: twice the box
        tma_load(tile, &map, 0, 0, &full);
    }
    mbarrier_wait(&full, 0); // planted: this waits
    out[threadIdx.x] = tile[0][threadIdx.x];
}

// Asserts what is not true of thread 5.
extern "C" __global__ void asserts(int *out) {
    assert(threadIdx.x != 5); // planted: one thread fails
    out[threadIdx.x] = 1;
}
