// A mistake written with libcu++: a tensor copy whose barrier nobody waits on.
// A finding must name the two lines with a comment "planted".
#include <cuda.h>
#include <cuda/barrier>
#include <utility>

namespace cde = cuda::device::experimental;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int ROWS = 8, COLS = 32;

// Adds one to a box. All threads arrive and meet, and meeting is no wait for
// the copy.
template <bool RIGHT> __device__ void arrive_only(const CUtensorMap &map, float *out) {
    __shared__ alignas(128) float tile[ROWS * COLS];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ block_barrier full;
    if (threadIdx.x == 0) {
        init(&full, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    block_barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_global_to_shared(tile, &map, 0, 0, full); // planted: brings the box
        token = cuda::device::barrier_arrive_tx(full, 1, sizeof tile);
    } else {
        token = full.arrive();
    }
    if (RIGHT)
        full.wait(std::move(token));
    __syncthreads();
    for (int i = threadIdx.x; i < ROWS * COLS; i += blockDim.x)
        out[i] = tile[i] + 1; // planted: the box may not have come
}

extern "C" __global__ void arrive_only_wrong(const __grid_constant__ CUtensorMap map, float *out) {
    arrive_only<false>(map, out);
}
extern "C" __global__ void arrive_only_right(const __grid_constant__ CUtensorMap map, float *out) {
    arrive_only<true>(map, out);
}
