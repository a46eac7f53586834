// A ring of stages between a producer warp and two consumer warpgroups, the
// shape of every fast Hopper GEMM. C = A Bt as in wgmma.cu; a CTA computes 128
// x 128, a consumer 64 rows of it. The first warpgroup gives registers to the
// other two; one thread of it keeps the copies going.
#include "wgmma.cuh"
#include <cuda_fp16.h>

constexpr int M = 128, N = 128, K = 64, STAGES = 3, CONSUMERS = 2;

struct Stage {
    __half a[M * K];
    __half b[N * K];
};

// Shared has 98352 bytes: more than a kernel may declare statically.
struct Shared {
    Stage stage[STAGES];
    uint64_t full[STAGES], empty[STAGES];
};

extern __shared__ __align__(1024) unsigned char memory[];

extern "C" __global__ void __launch_bounds__(128 * (1 + CONSUMERS), 1)
    ring(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *c, int n, int k) {
    Shared &s = *reinterpret_cast<Shared *>(memory);
    const int row = blockIdx.y * M, col = blockIdx.x * N;
    const int steps = k / K, group = threadIdx.x / 128;
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            mbarrier_init(&s.full[i], 1);
            mbarrier_init(&s.empty[i], CONSUMERS);
        }
        fence_mbarrier_init();
    }
    __syncthreads();
    if (group == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0) {
            for (int i = 0; i < steps; i++) {
                const int stage = i % STAGES, use = i / STAGES;
                mbarrier_wait(&s.empty[stage], ~use & 1);
                mbarrier_arrive_expect_tx(&s.full[stage], sizeof(Stage));
                tma_load(s.stage[stage].a, &map_a, i * K, row, &s.full[stage]);
                tma_load(s.stage[stage].b, &map_b, i * K, col, &s.full[stage]);
            }
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        float acc[64];
        const int half = group - 1;
        for (int i = 0; i < steps; i++) {
            const int stage = i % STAGES, use = i / STAGES;
            mbarrier_wait(&s.full[stage], use & 1);
            wgmma_fence();
#pragma unroll
            for (int j = 0; j < K / 16; j++)
                wgmma_m64n128k16(acc, descriptor(s.stage[stage].a + half * 64 * K + 16 * j),
                                 descriptor(s.stage[stage].b + 16 * j), i > 0 || j > 0);
            wgmma_commit();
            wgmma_wait<0>();
            if (threadIdx.x % 128 == 0)
                mbarrier_arrive(&s.empty[stage]);
        }
        store_accumulator(c + (row + half * 64) * n + col, n, acc);
    }
}
