// Mistakes with barriers, phases and what a CTA owes others: the kernel with
// the line that is missing stands beside the one without. A finding must name
// the two lines with a comment "planted".
#include "hopper.cuh"

constexpr int ROWS = 8, COLS = 32; // of a box of floats

// All threads arrive at a barrier that one of them initialises.
template <bool RIGHT> __device__ void early_use(int *out) {
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        mbarrier_init(&full, blockDim.x); // planted: initialised by one
        fence_mbarrier_init();
    }
    if (RIGHT)
        __syncthreads();
    mbarrier_arrive(&full); // planted: used by all
    mbarrier_wait(&full, 0);
    out[threadIdx.x] = threadIdx.x;
}

extern "C" __global__ void early_use_wrong(int *out) { early_use<false>(out); }
extern "C" __global__ void early_use_right(int *out) { early_use<true>(out); }

// The bytes are expected, and nobody arrives.
template <bool RIGHT> __device__ void expect_only(const CUtensorMap &map, float *out) {
    __shared__ alignas(128) float tile[ROWS * COLS];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1); // planted: one arrival
        fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&full)),
                     "r"((int)sizeof tile) : "memory"); // planted: no arrival
        tma_load(tile, &map, 0, 0, &full);
        if (RIGHT)
            mbarrier_arrive(&full);
    }
    mbarrier_wait(&full, 0);
    for (int i = threadIdx.x; i < ROWS * COLS; i += blockDim.x)
        out[i] = tile[i] + 1;
}

extern "C" __global__ void expect_only_wrong(const __grid_constant__ CUtensorMap map, float *out) {
    expect_only<false>(map, out);
}
extern "C" __global__ void expect_only_right(const __grid_constant__ CUtensorMap map, float *out) {
    expect_only<true>(map, out);
}

// Sums the boxes of a column of boxes. The next load may overtake the reads of
// the last one.
template <bool RIGHT> __device__ void next_load(const CUtensorMap &map, float *out, int boxes) {
    __shared__ alignas(128) float tile[ROWS][COLS];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < boxes; i++) {
        if (threadIdx.x == 0) {
            mbarrier_arrive_expect_tx(&full, sizeof tile);
            tma_load(tile, &map, 0, i * ROWS, &full); // planted: the next box
        }
        mbarrier_wait(&full, i & 1);
        for (int row = 0; row < ROWS; row++)
            sum += tile[row][threadIdx.x % COLS]; // planted: still read
        if (RIGHT)
            __syncthreads();
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void next_load_wrong(const __grid_constant__ CUtensorMap map, float *out, int boxes) {
    next_load<false>(map, out, boxes);
}
extern "C" __global__ void next_load_right(const __grid_constant__ CUtensorMap map, float *out, int boxes) {
    next_load<true>(map, out, boxes);
}

// Boxes leave through two buffers in turn: one store may go on.
template <bool RIGHT> __device__ void two_buffers(const CUtensorMap &map, int boxes) {
    __shared__ alignas(128) float tile[2][ROWS * COLS];
    for (int i = 0; i < boxes; i++) {
        if (threadIdx.x == 0)
            bulk_wait_read<RIGHT ? 1 : 2>(); // planted: one group too many
        __syncthreads();
        for (int j = threadIdx.x; j < ROWS * COLS; j += blockDim.x)
            tile[i % 2][j] = i * ROWS * COLS + j; // planted: the buffer of the store before the last
        fence_proxy_async();
        __syncthreads();
        if (threadIdx.x == 0) {
            tma_store(&map, tile[i % 2], 0, i * ROWS); // planted: reads one of two
            bulk_commit();
        }
    }
    if (threadIdx.x == 0)
        bulk_wait<0>();
}

extern "C" __global__ void two_buffers_wrong(const __grid_constant__ CUtensorMap map, int boxes) {
    two_buffers<false>(map, boxes);
}
extern "C" __global__ void two_buffers_right(const __grid_constant__ CUtensorMap map, int boxes) {
    two_buffers<true>(map, boxes);
}

// A bell rings every round. Nothing holds the ringer back until all have heard.
template <bool RIGHT> __device__ void lapped(int *out, int rounds) {
    __shared__ uint64_t bell, heard;
    if (threadIdx.x == 0) {
        mbarrier_init(&bell, 1);
        mbarrier_init(&heard, blockDim.x - 32);
        fence_mbarrier_init();
    }
    __syncthreads();
    int count = 0;
    for (int i = 0; i < rounds; i++) {
        if (threadIdx.x >= 32) {
            mbarrier_wait(&bell, i & 1); // planted: may come too late
            count++;
            mbarrier_arrive(&heard);
        } else if (threadIdx.x == 0) {
            if (RIGHT)
                mbarrier_wait(&heard, ~i & 1);
            mbarrier_arrive(&bell); // planted: rings again
        }
    }
    out[threadIdx.x] = count;
}

extern "C" __global__ void lapped_wrong(int *out, int rounds) { lapped<false>(out, rounds); }
extern "C" __global__ void lapped_right(int *out, int rounds) { lapped<true>(out, rounds); }

// Two warpgroups, each with 128 threads, meet at a barrier of 128.
template <bool RIGHT> __device__ void one_barrier(int *out, int rounds) {
    for (int i = 0; i < rounds; i++)
        asm volatile("bar.sync %0, 128;" ::"r"(RIGHT ? 1 + threadIdx.x / 128 : 1) : "memory"); // planted: for all
    out[threadIdx.x] = rounds;
}

extern "C" __global__ void one_barrier_wrong(int *out, int rounds) { one_barrier<false>(out, rounds); }
extern "C" __global__ void one_barrier_right(int *out, int rounds) { one_barrier<true>(out, rounds); }

template <int N> __device__ void more_registers() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N)); }
template <int N> __device__ void fewer_registers() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N)); }

// One warpgroup gives back registers, and the other two ask for more than that.
template <bool RIGHT> __device__ void registers(int *out) {
    if (threadIdx.x < 256)
        more_registers<RIGHT ? 232 : 248>(); // planted: asks for too many
    else
        fewer_registers<40>(); // planted: gives too few
    out[threadIdx.x] = threadIdx.x;
}

extern "C" __global__ void __launch_bounds__(384, 1) registers_wrong(int *out) { registers<false>(out); }
extern "C" __global__ void __launch_bounds__(384, 1) registers_right(int *out) { registers<true>(out); }

__device__ uint32_t in_other(const void *p) {
    uint32_t rank, r;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(r) : "r"(shared_address(p)), "r"(rank ^ 1));
    return r;
}

__device__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ inline void store_there(uint32_t at, int value) {
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at), "r"(value) : "memory");
}

// Each of two CTAs stores into the other, which may not have started.
template <bool RIGHT> __device__ void early_peer(int *out) {
    __shared__ int box[32];
    if (RIGHT)
        cluster_sync();
    store_there(in_other(&box[threadIdx.x]), blockIdx.x); // planted: into another CTA
    cluster_sync();
    out[blockIdx.x * 32 + threadIdx.x] = box[threadIdx.x];
}

extern "C" __global__ void early_peer_wrong(int *out) { early_peer<false>(out); } // planted: starts at any time
extern "C" __global__ void early_peer_right(int *out) { early_peer<true>(out); }
