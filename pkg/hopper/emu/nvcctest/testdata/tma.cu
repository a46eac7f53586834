// One tensor copy and the mbarrier that tells when it is done. Each CTA loads
// a box of 8 rows and 32 columns of floats, adds one, and writes it to the
// same place of a dense matrix. The part of a box that is outside the tensor
// arrives as zeros.
#include "hopper.cuh"

constexpr int ROWS = 8, COLS = 32;

extern "C" __global__ void load_tile(const __grid_constant__ CUtensorMap map, float *out, int height, int width) {
    __shared__ alignas(128) float tile[ROWS][COLS];
    __shared__ uint64_t full;
    const int x = blockIdx.x * COLS, y = blockIdx.y * ROWS;
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        tma_load(tile, &map, x, y, &full);
    }
    mbarrier_wait(&full, 0);
    for (int i = threadIdx.x; i < ROWS * COLS; i += blockDim.x) {
        const int row = y + i / COLS, col = x + i % COLS;
        if (row < height)
            out[row * width + col] = tile[i / COLS][i % COLS] + 1;
    }
}

// The same box, but the mbarrier's state is kept in a register and the waiting
// is written in C++: the form of PTX without ".parity".
extern "C" __global__ void load_tile_state(const __grid_constant__ CUtensorMap map, float *out, int height, int width) {
    __shared__ alignas(128) float tile[ROWS][COLS];
    __shared__ uint64_t full;
    const int x = blockIdx.x * COLS, y = blockIdx.y * ROWS;
    if (threadIdx.x == 0) {
        asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
        mbarrier_init(&full, blockDim.x);
        fence_mbarrier_init();
    }
    __syncthreads();
    const uint32_t bar = shared_address(&full);
    uint64_t state;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], %2;"
                     : "=l"(state)
                     : "r"(bar), "r"((int)sizeof tile)
                     : "memory");
        tma_load(tile, &map, x, y, &full);
    } else {
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(bar) : "memory");
    }
    uint32_t done;
    do {
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.shared.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n"
                     "}"
                     : "=r"(done)
                     : "r"(bar), "l"(state)
                     : "memory");
    } while (!done);
    for (int i = threadIdx.x; i < ROWS * COLS; i += blockDim.x) {
        const int row = y + i / COLS, col = x + i % COLS;
        if (row < height)
            out[row * width + col] = tile[i / COLS][i % COLS] + 1;
    }
}
