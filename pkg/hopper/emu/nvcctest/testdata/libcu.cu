// Tensor copies as libcu++ writes them: cuda::barrier and the experimental
// copies of <cuda/barrier>, then the cuda::ptx wrappers. The box is 8 rows of
// 32 floats.
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <utility>

namespace cde = cuda::device::experimental;
namespace ptx = cuda::ptx;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int ROWS = 8, COLS = 32;

// Loads a box, adds one and stores it through the second map.
extern "C" __global__ void barrier_tile(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to) {
    __shared__ alignas(128) float tile[ROWS][COLS];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ block_barrier full;
    const int x = blockIdx.x * COLS, y = blockIdx.y * ROWS;
    if (threadIdx.x == 0) {
        init(&full, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    block_barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_global_to_shared(&tile, &from, x, y, full);
        token = cuda::device::barrier_arrive_tx(full, 1, sizeof tile);
    } else {
        token = full.arrive();
    }
    full.wait(std::move(token));
    for (int i = threadIdx.x; i < ROWS * COLS; i += blockDim.x)
        tile[i / COLS][i % COLS] += 1;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_shared_to_global(&to, x, y, &tile);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}

// Sums the boxes of one column of boxes, the mbarrier used once per box.
extern "C" __global__ void ptx_sum(const __grid_constant__ CUtensorMap map, float *out, int boxes) {
    __shared__ alignas(128) float tile[ROWS][COLS];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < boxes; i++) {
        if (threadIdx.x == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof tile);
            const int at[2] = {int(blockIdx.x * COLS), i * ROWS};
            ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, &tile, &map, at, &full);
        }
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, &full, i & 1))
            ;
        for (int row = 0; row < ROWS; row++)
            sum += tile[row][threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * COLS + threadIdx.x] = sum;
}

// A split arrive and wait: the first half of the CTA hands numbers to the
// second half through a cuda::barrier, a number a round.
extern "C" __global__ void handover(const int *in, int *out, int rounds) {
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ block_barrier ready, taken;
    __shared__ int box[32];
    if (threadIdx.x == 0) {
        init(&ready, blockDim.x);
        init(&taken, blockDim.x);
    }
    __syncthreads();
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int i = 0; i < rounds; i++) {
            box[lane] = in[i * 32 + lane];
            (void)ready.arrive();
            taken.arrive_and_wait();
        }
    } else {
        for (int i = 0; i < rounds; i++) {
            ready.arrive_and_wait();
            out[i * 32 + lane] = 2 * box[31 - lane];
            (void)taken.arrive();
        }
    }
}
