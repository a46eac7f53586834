// Mistakes around wgmma: the kernel with the line that is missing stands beside
// the one without. A finding must name the two lines with a comment "planted".
#include "wgmma.cuh"
#include <cuda_fp16.h>

constexpr int M = 64, N = 128, K = 64;

struct Operands {
    __half a[M * K], b[N * K];
};

// Loads the operands, by one thread, and waits for them.
__device__ inline void load(Operands &to, const CUtensorMap &map_a, const CUtensorMap &map_b, uint64_t &full) {
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(&full, sizeof to);
        tma_load(to.a, &map_a, 0, 0, &full);
        tma_load(to.b, &map_b, 0, 0, &full);
    }
    mbarrier_wait(&full, 0);
}

// Keeps the compiler from moving a register's last write behind a fence, which
// it does not take for a user of it.
__device__ inline void keep(float &x) { asm volatile("" : "+f"(x)::"memory"); }

// A product without the fence that orders the accumulators that ordinary code
// has written.
template <bool RIGHT> __device__ void bare(const CUtensorMap &map_a, const CUtensorMap &map_b, float *c) {
    __shared__ alignas(1024) Operands s;
    __shared__ uint64_t full;
    load(s, map_a, map_b, full);
    float acc[64];
#pragma unroll
    for (int i = 0; i < 64; i++)
        keep(acc[i] = 0); // planted: an ordinary write
    if (RIGHT)
        wgmma_fence();
#pragma unroll
    for (int i = 0; i < K / 16; i++)
        wgmma_m64n128k16(acc, descriptor(s.a + 16 * i), descriptor(s.b + 16 * i), 1); // planted: the product
    wgmma_commit();
    wgmma_wait<0>();
    store_accumulator(c, N, acc);
}

extern "C" __global__ void __launch_bounds__(128)
    bare_wrong(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *c) {
    bare<false>(map_a, map_b, c);
}
extern "C" __global__ void __launch_bounds__(128)
    bare_right(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *c) {
    bare<true>(map_a, map_b, c);
}

// The result is stored before the product is waited for.
template <bool RIGHT> __device__ void early_result(const CUtensorMap &map_a, const CUtensorMap &map_b, float *c) {
    __shared__ alignas(1024) Operands s;
    __shared__ uint64_t full;
    load(s, map_a, map_b, full);
    float acc[64];
    wgmma_fence();
#pragma unroll
    for (int i = 0; i < K / 16; i++)
        wgmma_m64n128k16(acc, descriptor(s.a + 16 * i), descriptor(s.b + 16 * i), i > 0); // planted: still writes
    wgmma_commit();
    if (RIGHT)
        wgmma_wait<0>();
    store_accumulator(c, N, acc); // planted: reads the registers
    if (!RIGHT)
        wgmma_wait<0>();
}

extern "C" __global__ void __launch_bounds__(128)
    early_result_wrong(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *c) {
    early_result<false>(map_a, map_b, c);
}
extern "C" __global__ void __launch_bounds__(128)
    early_result_right(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *c) {
    early_result<true>(map_a, map_b, c);
}

// TMA writes with the 128-byte swizzle, and the descriptor asks for none.
template <bool RIGHT> __device__ void modes(const CUtensorMap &map_a, const CUtensorMap &map_b, float *c) {
    __shared__ alignas(1024) Operands s;
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(&full, sizeof s);
        tma_load(s.a, &map_a, 0, 0, &full); // planted: with the swizzle
        tma_load(s.b, &map_b, 0, 0, &full);
    }
    mbarrier_wait(&full, 0);
    const uint64_t mode = RIGHT ? 0 : uint64_t(1) << 62;
    float acc[64];
    wgmma_fence();
#pragma unroll
    for (int i = 0; i < K / 16; i++)
        wgmma_m64n128k16(acc, descriptor(s.a + 16 * i) ^ mode, descriptor(s.b + 16 * i), i > 0); // planted: without
    wgmma_commit();
    wgmma_wait<0>();
    store_accumulator(c, N, acc);
}

extern "C" __global__ void __launch_bounds__(128)
    modes_wrong(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *c) {
    modes<false>(map_a, map_b, c);
}
extern "C" __global__ void __launch_bounds__(128)
    modes_right(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *c) {
    modes<true>(map_a, map_b, c);
}

// Two warpgroups multiply by the same tile, and each waits for its own product.
// The first then writes over the tile.
template <bool RIGHT> __device__ void own_wait(const CUtensorMap &map_a, const CUtensorMap &map_b, float *c) {
    __shared__ alignas(1024) Operands s;
    __shared__ uint64_t full;
    load(s, map_a, map_b, full);
    float acc[64];
    wgmma_fence();
#pragma unroll
    for (int i = 0; i < K / 16; i++)
        wgmma_m64n128k16(acc, descriptor(s.a + 16 * i), descriptor(s.b + 16 * i), i > 0); // planted: of the other
    wgmma_commit();
    wgmma_wait<0>();
    if (RIGHT)
        __syncthreads();
    if (threadIdx.x < 128)
        s.a[threadIdx.x] = __half(acc[0]); // planted: over an operand
    store_accumulator(c + threadIdx.x / 128 * M * N, N, acc);
}

extern "C" __global__ void __launch_bounds__(256)
    own_wait_wrong(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *c) {
    own_wait<false>(map_a, map_b, c);
}
extern "C" __global__ void __launch_bounds__(256)
    own_wait_right(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *c) {
    own_wait<true>(map_a, map_b, c);
}

// The sizes of the tiles were added up without one: the barrier is inside B.
template <bool RIGHT> __device__ void overlap(const CUtensorMap &map_a, const CUtensorMap &map_b, float *c) {
    extern __shared__ __align__(1024) unsigned char memory[];
    Operands &s = *reinterpret_cast<Operands *>(memory);
    uint64_t &full = *reinterpret_cast<uint64_t *>(memory + (RIGHT ? sizeof s : sizeof s - sizeof s.a));
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1); // planted: inside a tile
        fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(&full, sizeof s);
        tma_load(s.a, &map_a, 0, 0, &full);
        tma_load(s.b, &map_b, 0, 0, &full); // planted: over the barrier
    }
    mbarrier_wait(&full, 0);
    float acc[64];
    wgmma_fence();
#pragma unroll
    for (int i = 0; i < K / 16; i++)
        wgmma_m64n128k16(acc, descriptor(s.a + 16 * i), descriptor(s.b + 16 * i), i > 0);
    wgmma_commit();
    wgmma_wait<0>();
    store_accumulator(c, N, acc);
}

extern "C" __global__ void __launch_bounds__(128)
    overlap_wrong(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *c) {
    overlap<false>(map_a, map_b, c);
}
extern "C" __global__ void __launch_bounds__(128)
    overlap_right(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *c) {
    overlap<true>(map_a, map_b, c);
}
