// Clusters and distributed shared memory: a sum over the CTAs of a cluster,
// once in PTX and once through cooperative groups, and remote arrivals.
#include "hopper.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ uint32_t cluster_rank() {
    uint32_t r;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}

__device__ uint32_t cluster_size() {
    uint32_t n;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(n));
    return n;
}

__device__ uint32_t map_to(uint32_t address, uint32_t rank) {
    uint32_t r;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(r) : "r"(address), "r"(rank));
    return r;
}

__device__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// Each CTA of a cluster of four sums its part of a row of in; CTA 0 reads the
// other sums with ld.shared::cluster and writes their total. Every thread also
// adds one to a counter in CTA 0.
extern "C" __global__ void __cluster_dims__(4, 1, 1) row_sum(const float *in, float *sums, uint32_t *counts, int width) {
    __shared__ float part;
    __shared__ uint32_t counter;
    if (threadIdx.x == 0) {
        part = 0;
        counter = 0;
    }
    cluster_sync();
    const uint32_t rank = cluster_rank(), size = cluster_size();
    const int row = blockIdx.x / size;
    float sum = 0;
    for (int i = rank * blockDim.x + threadIdx.x; i < width; i += size * blockDim.x)
        sum += in[row * width + i];
    atomicAdd(&part, sum);
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(map_to(shared_address(&counter), 0)) : "memory");
    cluster_sync();
    if (rank == 0 && threadIdx.x == 0) {
        float total = 0;
        for (uint32_t r = 0; r < size; r++) {
            float x;
            asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(x) : "r"(map_to(shared_address(&part), r)) : "memory");
            total += x;
        }
        sums[row] = total;
        counts[row] = counter;
    }
    cluster_sync();
}

// A histogram whose bins are spread over the CTAs of a cluster of a size that
// the launch chooses, with atomics on the bins of other CTAs.
extern "C" __global__ void histogram(const uint32_t *in, uint32_t *out, int n, int bins) {
    extern __shared__ uint32_t bin[];
    cg::cluster_group cluster = cg::this_cluster();
    const int mine = bins / cluster.num_blocks();
    for (int i = threadIdx.x; i < mine; i += blockDim.x)
        bin[i] = 0;
    cluster.sync();
    for (int i = cluster.thread_rank(); i < n; i += cluster.num_threads()) {
        const int b = in[i] % bins;
        uint32_t *remote = cluster.map_shared_rank(bin, b / mine);
        atomicAdd(remote + b % mine, 1u);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < mine; i += blockDim.x)
        out[cluster.block_rank() * mine + i] = bin[i];
}

// A relay: CTA r waits until its left neighbour has stored a number in its
// shared memory, adds one, and passes it on with a remote store and a remote
// arrival.
extern "C" __global__ void relay(uint32_t *out, uint32_t start) {
    __shared__ uint64_t ready;
    __shared__ uint32_t box;
    const uint32_t rank = cluster_rank(), size = cluster_size();
    if (threadIdx.x == 0) {
        mbarrier_init(&ready, 1);
        fence_mbarrier_init();
    }
    cluster_sync();
    if (threadIdx.x == 0) {
        uint32_t x = start;
        if (rank > 0) {
            asm volatile("{\n"
                         ".reg .pred done;\n"
                         "WAIT:\n"
                         "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], 0;\n"
                         "@!done bra WAIT;\n"
                         "}" ::"r"(shared_address(&ready))
                         : "memory");
            x = box;
        }
        out[blockIdx.x] = x;
        if (rank + 1 < size) {
            asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(map_to(shared_address(&box), rank + 1)), "r"(x + 1)
                         : "memory");
            asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                             map_to(shared_address(&ready), rank + 1))
                         : "memory");
        }
    }
    cluster_sync();
}
