// An epilogue through TMA: threads fill a tile in shared memory, make it known
// to the copy engine, and one thread stores it. Two tiles take turns, so that
// one is filled while the other is stored.
#include "hopper.cuh"

constexpr int ROWS = 16, COLS = 32;

__device__ float value(int row, int col) { return row + col / 64.0f; }

// Each CTA writes a column of boxes, top to bottom.
extern "C" __global__ void __launch_bounds__(128) store_tiles(const __grid_constant__ CUtensorMap map, int boxes) {
    __shared__ alignas(128) float tile[2][ROWS][COLS];
    for (int i = 0; i < boxes; i++) {
        if (threadIdx.x == 0)
            bulk_wait_read<1>(); // the store before the last has read this tile
        __syncthreads();
        float(&t)[ROWS][COLS] = tile[i % 2];
        for (int j = threadIdx.x; j < ROWS * COLS; j += blockDim.x)
            t[j / COLS][j % COLS] = value(i * ROWS + j / COLS, blockIdx.x * COLS + j % COLS);
        fence_proxy_async();
        __syncthreads();
        if (threadIdx.x == 0) {
            tma_store(&map, t, blockIdx.x * COLS, i * ROWS);
            bulk_commit();
        }
    }
    if (threadIdx.x == 0)
        bulk_wait<0>();
}

// All CTAs add their number plus one to the same box.
extern "C" __global__ void __launch_bounds__(128) add_tile(const __grid_constant__ CUtensorMap map) {
    __shared__ alignas(128) float tile[ROWS][COLS];
    for (int j = threadIdx.x; j < ROWS * COLS; j += blockDim.x)
        tile[j / COLS][j % COLS] = blockIdx.x + 1;
    fence_proxy_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        tma_reduce_add(&map, tile, 0, 0);
        bulk_commit();
        bulk_wait<0>();
    }
}

// Copies whole rows without a tensor map, down into shared memory and up
// again: the bulk copies that take a size. n is a multiple of 4 and at most 1024.
extern "C" __global__ void __launch_bounds__(128) bulk_rows(const float *in, float *out, int n) {
    __shared__ alignas(128) float row[1024];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    const int bytes = n * sizeof(float);
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(&full, bytes);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         shared_address(row)),
                     "l"(in + blockIdx.x * n), "r"(bytes), "r"(shared_address(&full))
                     : "memory");
    }
    mbarrier_wait(&full, 0);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        row[i] *= 2;
    fence_proxy_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + blockIdx.x * n),
                     "r"(shared_address(row)), "r"(bytes)
                     : "memory");
        bulk_commit();
        bulk_wait<0>();
    }
}
