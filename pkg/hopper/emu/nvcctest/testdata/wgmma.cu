// A WGMMA tile: one warpgroup computes 64 x 128 of C = A Bt. A is m x k and B
// is n x k, both f16 and row-major, so both operands are K-major; C is m x n of
// f32. TMA brings slabs of 64 along K with the 128-byte swizzle. The sizes are
// multiples of the tile.
#include "wgmma.cuh"
#include <cuda_fp16.h>

constexpr int M = 64, N = 128, K = 64;

extern "C" __global__ void __launch_bounds__(128)
    wgmma_tile(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *c, int n,
               int k) {
    __shared__ alignas(1024) __half sa[M * K];
    __shared__ alignas(1024) __half sb[N * K];
    __shared__ uint64_t full;
    const int row = blockIdx.y * M, col = blockIdx.x * N;
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    float acc[64];
    for (int i = 0; i < 64; i++)
        acc[i] = 0;
    int phase = 0;
    for (int k0 = 0; k0 < k; k0 += K) {
        if (threadIdx.x == 0) {
            mbarrier_arrive_expect_tx(&full, sizeof sa + sizeof sb);
            tma_load(sa, &map_a, k0, row, &full);
            tma_load(sb, &map_b, k0, col, &full);
        }
        mbarrier_wait(&full, phase);
        phase ^= 1;
        wgmma_fence();
#pragma unroll
        for (int i = 0; i < K / 16; i++)
            wgmma_m64n128k16(acc, descriptor(sa + 16 * i), descriptor(sb + 16 * i), 1);
        wgmma_commit();
        wgmma_wait<0>();
        __syncthreads();
    }
    store_accumulator(c + row * n + col, n, acc);
}
