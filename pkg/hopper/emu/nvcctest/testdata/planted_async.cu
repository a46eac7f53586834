// Asynchronous mistakes, each a line that is left out: the kernel with the line
// stands beside the one without. Most come out right on a GPU nearly every
// time. A finding must name the two lines with a comment "planted".
#include "wgmma.cuh"
#include <cuda_fp16.h>

constexpr int M = 64, N = 128, K = 64; // of a product
constexpr int ROWS = 8, COLS = 32;     // of a box of floats

// Where 16 bytes of a row of 128 bytes are in the 128-byte swizzle.
__device__ int swizzled(int i) { return i / 8 * 8 + (i % 8 ^ i / 8 % 8); }

// A product whose operands ordinary stores bring to shared memory: the tensor
// cores read them through another proxy.
template <bool RIGHT> __device__ void stored_operands(const uint4 *a, const uint4 *b, float *c) {
    __shared__ alignas(1024) uint4 sa[M * 8], sb[N * 8];
    for (int i = threadIdx.x; i < M * 8; i += 128)
        sa[swizzled(i)] = a[i];
    for (int i = threadIdx.x; i < N * 8; i += 128)
        sb[swizzled(i)] = b[i]; // planted: an ordinary store of an operand
    if (RIGHT)
        fence_proxy_async();
    __syncthreads();
    float acc[64];
    wgmma_fence();
#pragma unroll
    for (int i = 0; i < K / 16; i++)
        wgmma_m64n128k16(acc, descriptor(sa + 2 * i), descriptor(sb + 2 * i), i > 0); // planted: reads what was stored
    wgmma_commit();
    wgmma_wait<0>();
    store_accumulator(c, N, acc);
}

extern "C" __global__ void __launch_bounds__(128) stored_operands_wrong(const uint4 *a, const uint4 *b, float *c) {
    stored_operands<false>(a, b, c);
}
extern "C" __global__ void __launch_bounds__(128) stored_operands_right(const uint4 *a, const uint4 *b, float *c) {
    stored_operands<true>(a, b, c);
}

struct Stage {
    __half a[M * K], b[N * K];
};
struct Ring {
    Stage stage[2];
    uint64_t full[2], empty[2];
};
extern __shared__ __align__(1024) unsigned char memory[];

// A ring of two stages. The warpgroup gives a stage back when it has issued its
// product; the product may still read the stage.
template <bool RIGHT> __device__ void release(const CUtensorMap &map_a, const CUtensorMap &map_b, float *c, int steps) {
    Ring &s = *reinterpret_cast<Ring *>(memory);
    if (threadIdx.x == 0) {
        for (int i = 0; i < 2; i++) {
            mbarrier_init(&s.full[i], 1);
            mbarrier_init(&s.empty[i], 1);
        }
        fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 128) {
        for (int i = 0; i < steps; i++) {
            Stage &to = s.stage[i % 2];
            mbarrier_wait(&s.empty[i % 2], ~(i / 2) & 1);
            mbarrier_arrive_expect_tx(&s.full[i % 2], sizeof(Stage));
            tma_load(to.a, &map_a, i * K, 0, &s.full[i % 2]); // planted: fills the stage again
            tma_load(to.b, &map_b, i * K, 0, &s.full[i % 2]);
        }
    }
    if (threadIdx.x >= 128)
        return;
    float acc[64];
    for (int i = 0; i < steps; i++) {
        const Stage &from = s.stage[i % 2];
        mbarrier_wait(&s.full[i % 2], i / 2 & 1);
        wgmma_fence();
#pragma unroll
        for (int j = 0; j < K / 16; j++)
            wgmma_m64n128k16(acc, descriptor(from.a + 16 * j), descriptor(from.b + 16 * j), i + j > 0); // planted: may read
        wgmma_commit();
        if (RIGHT)
            wgmma_wait<0>();
        if (threadIdx.x == 0)
            mbarrier_arrive(&s.empty[i % 2]); // planted: gives the stage back
        if (!RIGHT)
            wgmma_wait<0>();
    }
    store_accumulator(c, N, acc);
}

extern "C" __global__ void __launch_bounds__(160, 1)
    release_wrong(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *c,
                  int steps) {
    release<false>(map_a, map_b, c, steps);
}
extern "C" __global__ void __launch_bounds__(160, 1)
    release_right(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *c,
                  int steps) {
    release<true>(map_a, map_b, c, steps);
}

// Boxes leave through one buffer. Before it is filled again, the thread that
// issued the store must know that the buffer has been read.
template <bool RIGHT> __device__ void one_buffer(const CUtensorMap &map, int boxes) {
    __shared__ alignas(128) float tile[ROWS * COLS];
    for (int i = 0; i < boxes; i++) {
        if (RIGHT && threadIdx.x == 0)
            bulk_wait_read<0>();
        __syncthreads();
        for (int j = threadIdx.x; j < ROWS * COLS; j += blockDim.x)
            tile[j] = i * ROWS * COLS + j; // planted: over what the last store may read
        fence_proxy_async();
        __syncthreads();
        if (threadIdx.x == 0) {
            tma_store(&map, tile, 0, i * ROWS); // planted: reads the buffer
            bulk_commit();
        }
    }
    if (threadIdx.x == 0)
        bulk_wait<0>();
}

extern "C" __global__ void one_buffer_wrong(const __grid_constant__ CUtensorMap map, int boxes) {
    one_buffer<false>(map, boxes);
}
extern "C" __global__ void one_buffer_right(const __grid_constant__ CUtensorMap map, int boxes) {
    one_buffer<true>(map, boxes);
}

__device__ uint32_t cluster_rank() {
    uint32_t r;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}

__device__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// The same variable in another CTA of the cluster, as ordinary memory.
__device__ const int *in_rank(const int *mine, uint32_t rank) {
    const int *theirs;
    asm("mapa.u64 %0, %1, %2;" : "=l"(theirs) : "l"(mine), "r"(rank));
    return theirs;
}

// Each CTA of a cluster of two reads the other's shared memory. The other must
// not end before that.
template <bool RIGHT> __device__ void neighbour(const int *in, int *out) {
    __shared__ int mine[32];
    const int i = blockIdx.x * 32 + threadIdx.x;
    mine[threadIdx.x] = in[i];
    cluster_sync();
    const int *theirs = in_rank(mine, cluster_rank() ^ 1);
    out[i] = theirs[threadIdx.x]; // planted: the neighbour may be gone
    if (RIGHT)
        cluster_sync();
}

extern "C" __global__ void neighbour_wrong(const int *in, int *out) {
    neighbour<false>(in, out);
} // planted: the CTA ends
extern "C" __global__ void neighbour_right(const int *in, int *out) { neighbour<true>(in, out); }

__device__ inline void load_box(float (&tile)[ROWS][COLS], const CUtensorMap &map, int y, uint64_t &full) {
    mbarrier_arrive_expect_tx(&full, sizeof tile);
    tma_load(tile, &map, 0, y, &full);
}

// Sums a row of each box of a column of boxes. A wait for parity 0 every time
// returns at once in the second round, for the box before. If the second box is
// there already, it never returns.
template <bool RIGHT> __device__ void parity(const CUtensorMap &map, float *out, int boxes) {
    __shared__ alignas(128) float tile[ROWS][COLS];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < boxes; i++) {
        if (threadIdx.x == 0)
            load_box(tile, map, i * ROWS, full); // planted: brings the next box
        mbarrier_wait(&full, RIGHT ? i & 1 : 0); // planted: the wrong parity
        sum += tile[i % ROWS][threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void parity_wrong(const __grid_constant__ CUtensorMap map, float *out, int boxes) {
    parity<false>(map, out, boxes);
}
extern "C" __global__ void parity_right(const __grid_constant__ CUtensorMap map, float *out, int boxes) {
    parity<true>(map, out, boxes);
}

__device__ inline void copy_async(int *dst, const int *src) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(dst)), "l"(src) : "memory");
}

// Reverses numbers. Every thread waits for its own copy and reads another's.
template <bool RIGHT> __device__ void own_copies(const int *in, int *out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    copy_async(&tile[i], &in[i]); // planted: a copy of one thread
    asm volatile("cp.async.wait_all;" ::: "memory");
    if (RIGHT)
        __syncthreads();
    out[i] = tile[63 - i]; // planted: read by another
}

extern "C" __global__ void own_copies_wrong(const int *in, int *out) { own_copies<false>(in, out); }
extern "C" __global__ void own_copies_right(const int *in, int *out) { own_copies<true>(in, out); }

// Adds up numbers: each CTA a part, the last one the parts. The last by number
// is not the last to come.
template <bool RIGHT> __device__ void total(const int *in, int *parts, unsigned *arrived, int *out) {
    const int part = __reduce_add_sync(~0u, in[blockIdx.x * 32 + threadIdx.x]);
    if (threadIdx.x != 0)
        return;
    parts[blockIdx.x] = part; // planted: one of the parts
    bool last = blockIdx.x == gridDim.x - 1;
    if (RIGHT) {
        __threadfence();
        last = atomicAdd(arrived, 1) == gridDim.x - 1;
        __threadfence();
    }
    if (!last)
        return;
    int sum = 0;
    for (int i = 0; i < gridDim.x; i++)
        sum += parts[i]; // planted: a part that may not be there
    *out = sum;
}

extern "C" __global__ void total_wrong(const int *in, int *parts, unsigned *arrived, int *out) {
    total<false>(in, parts, arrived, out);
}
extern "C" __global__ void total_right(const int *in, int *parts, unsigned *arrived, int *out) {
    total<true>(in, parts, arrived, out);
}
