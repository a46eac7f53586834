// Asynchronous copies by groups of threads, as libcu++ and cooperative groups
// write them.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

// Scales a vector in pieces of the CTA's size that come through a two-stage
// cuda::pipeline; n is a multiple of the CTA.
extern "C" __global__ void pipelined(const float *in, float *out, int n) {
    extern __shared__ float buffer[];
    auto block = cg::this_thread_block();
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto pipe = cuda::make_pipeline(block, &state);
    const int size = block.size(), pieces = n / size;
    auto fetch = [&](int piece) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, buffer + piece % 2 * size, in + piece * size, sizeof(float) * size, pipe);
        pipe.producer_commit();
    };
    fetch(0);
    for (int i = 0; i < pieces; i++) {
        if (i + 1 < pieces)
            fetch(i + 1);
        pipe.consumer_wait();
        out[i * size + threadIdx.x] = 3 * buffer[i % 2 * size + (size - 1 - threadIdx.x)];
        pipe.consumer_release();
    }
}

// Copies by the whole CTA, waited for by all, and writes backwards.
extern "C" __global__ void grouped(const int *in, int *out, int n) {
    extern __shared__ int piece[];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, piece, in + blockIdx.x * n, sizeof(int) * n);
    cg::wait(block);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[blockIdx.x * n + i] = piece[n - 1 - i];
}
