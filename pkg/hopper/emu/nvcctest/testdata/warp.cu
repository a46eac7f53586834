// What the threads of a warp do together, and what threads do to memory at the
// same time: shuffles, votes, matches, reductions, atomics, a lock.
#include <cuda_runtime.h>

constexpr unsigned ALL = 0xffffffff;

__device__ float warp_sum(float x) {
    for (int i = 16; i > 0; i /= 2)
        x += __shfl_xor_sync(ALL, x, i);
    return x;
}

// The sum of in, one CTA of at most four warps. Four lanes of the last warp add
// up what the warps found; the other threads go past.
extern "C" __global__ void block_sum(const float *in, float *out, int n) {
    __shared__ float part[4];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i];
    sum = warp_sum(sum);
    if (lane == 0)
        part[warp] = sum;
    __syncthreads();
    if (warp == warps - 1 && lane < 4) {
        sum = lane < warps ? part[lane] : 0;
        for (int i = 2; i > 0; i /= 2)
            sum += __shfl_down_sync(0xf, sum, i, 4);
        if (lane == 0)
            *out = sum;
    }
}

// out[k * 32 + lane] for each k, one warp.
extern "C" __global__ void exchange(const unsigned *in, unsigned *out) {
    const unsigned lane = threadIdx.x, x = in[lane];
    unsigned r[16];
    r[0] = __shfl_sync(ALL, x, (lane * 7) % 32);
    r[1] = __shfl_up_sync(ALL, x, 3);
    r[2] = __shfl_down_sync(ALL, x, 5, 16);
    r[3] = __shfl_xor_sync(ALL, x, 9);
    r[4] = __ballot_sync(ALL, x & 1);
    r[5] = __any_sync(ALL, x == 7) | __all_sync(ALL, x < 1000) << 1;
    r[6] = __match_any_sync(ALL, x % 5);
    int same;
    r[7] = __match_all_sync(ALL, x / 1000, &same);
    r[7] ^= same;
    r[8] = __reduce_add_sync(ALL, x);
    r[9] = __reduce_min_sync(ALL, x) << 16 | __reduce_max_sync(ALL, x);
    r[10] = __reduce_and_sync(ALL, x | 8);
    r[11] = __reduce_or_sync(ALL, x) ^ __reduce_xor_sync(ALL, x);
    r[12] = (unsigned)__reduce_max_sync(ALL, (int)x - 50);
    r[13] = (unsigned)__shfl_sync(ALL, 0x100000001ull * x, 31 - lane >> 1);
    r[14] = 0;
    // Odd lanes go through a vote of their own.
    if (lane % 2)
        r[14] = __ballot_sync(0xaaaaaaaa, x > 40);
    else
        r[14] = __reduce_add_sync(0x55555555, lane);
    __syncwarp();
    r[15] = __popc(__activemask());
    for (int k = 0; k < 16; k++)
        out[k * 32 + lane] = r[k];
}

// Atomics on global and shared memory.
extern "C" __global__ void atomics(const int *in, int *out, unsigned long long *wide, float *reals, double *doubles) {
    __shared__ int least, most;
    __shared__ unsigned ring;
    const int i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
    if (threadIdx.x == 0) {
        least = 0x7fffffff;
        most = -0x7fffffff;
        ring = 0;
    }
    __syncthreads();
    atomicMin(&least, x);
    atomicMax(&most, x);
    atomicInc(&ring, 9);
    atomicAdd(&out[0], x);
    atomicSub(&out[1], 2);
    atomicAnd(&out[2], ~(1 << (x & 31)));
    atomicOr(&out[3], 1 << (x & 31));
    atomicXor(&out[4], x);
    atomicAdd(wide, 1ull << 33);
    atomicMax(wide + 1, 0x100000000ull * i);
    atomicAdd(reals, 0.25f);
    atomicAdd(doubles, x * 0.5);
    // A product, by compare and swap.
    unsigned *const product = (unsigned *)out + 5;
    unsigned seen = *(volatile unsigned *)product, expected;
    do {
        expected = seen;
        seen = atomicCAS(product, expected, expected * (2 * x + 1));
    } while (seen != expected);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicMin(&out[6], least);
        atomicMax(&out[7], most);
        atomicAdd(&out[8], (int)ring);
        out[16 + blockIdx.x] = atomicExch(&out[9], blockIdx.x + 1);
    }
}

// A spin lock in global memory around a read, a wait and a write. One thread
// of each warp takes it, then every thread of every warp.
extern "C" __global__ void locked(int *lock, int *counter, int rounds) {
    for (int i = 0; i < rounds; i++) {
        if (threadIdx.x % 32 == 0) {
            while (atomicCAS(lock, 0, 1) != 0)
                __nanosleep(20);
            __threadfence();
            *(volatile int *)counter = *(volatile int *)counter + 1;
            __threadfence();
            atomicExch(lock, 0);
        }
    }
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *(volatile int *)counter = *(volatile int *)counter + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// Grid-wide: the last CTA to finish adds up what the others left.
extern "C" __global__ void last_block(const int *in, int *parts, unsigned *arrived, int *out) {
    __shared__ bool last;
    const int all = __syncthreads_count(in[blockIdx.x * blockDim.x + threadIdx.x] > 0);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = all;
        __threadfence();
        last = atomicAdd(arrived, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        __threadfence();
        int sum = 0;
        for (int i = 0; i < gridDim.x; i++)
            sum += *(volatile int *)&parts[i];
        *out = sum;
    }
}
