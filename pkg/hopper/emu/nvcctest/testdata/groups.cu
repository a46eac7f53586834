// Cooperative groups: tiles smaller and larger than a warp, and the threads that
// happen to be together.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

// Each tile of 8 threads, and each of 64, gets its largest number. Tiles of two
// warps exchange through shared memory that the hardware reserves.
extern "C" __global__ void tiles(const int *in, int *small, int *large) {
    cg::thread_block block = cg::this_thread_block();
    auto eight = cg::tiled_partition<8>(block);
    auto pair = cg::tiled_partition<64>(block);
    const int i = block.thread_rank();
    const int a = cg::reduce(eight, in[i], cg::greater<int>());
    const int b = cg::reduce(pair, in[i], cg::greater<int>());
    small[i] = a + eight.shfl(in[i], 3);
    large[i] = b + pair.meta_group_rank() * 1000;
}

// Counts the numbers above a limit, one atomic for all threads that are
// together, and gives each such thread a place of its own.
extern "C" __global__ void compact(const int *in, int *out, int *count, int limit) {
    const int x = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (x > limit) {
        cg::coalesced_group together = cg::coalesced_threads();
        int first = 0;
        if (together.thread_rank() == 0)
            first = atomicAdd(count, together.size());
        out[together.shfl(first, 0) + together.thread_rank()] = x;
    }
}
