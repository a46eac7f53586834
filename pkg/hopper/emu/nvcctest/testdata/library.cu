// Kernels made of NVIDIA's own library code: CUB's block algorithms and the
// atomics of libcu++.
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

constexpr int THREADS = 128, EACH = 4;

// Sorts 512 numbers, adds up the sorted ones from the left, and finds the sum of
// all; one CTA.
extern "C" __global__ void __launch_bounds__(THREADS) sort(const int *in, int *sorted, int *sums, int *total) {
    using Load = cub::BlockLoad<int, THREADS, EACH, cub::BLOCK_LOAD_TRANSPOSE>;
    using Sort = cub::BlockRadixSort<int, THREADS, EACH>;
    using Scan = cub::BlockScan<int, THREADS>;
    using Reduce = cub::BlockReduce<int, THREADS>;
    using Store = cub::BlockStore<int, THREADS, EACH, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    __shared__ union {
        Load::TempStorage load;
        Sort::TempStorage sort;
        Scan::TempStorage scan;
        Reduce::TempStorage reduce;
        Store::TempStorage store;
    } temp;
    int keys[EACH], left[EACH];
    Load(temp.load).Load(in, keys);
    __syncthreads();
    Sort(temp.sort).Sort(keys);
    __syncthreads();
    Scan(temp.scan).InclusiveSum(keys, left);
    __syncthreads();
    const int sum = Reduce(temp.reduce).Sum(keys);
    if (threadIdx.x == 0)
        *total = sum;
    __syncthreads();
    Store(temp.store).Store(sorted, keys); // which shuffles its argument
    __syncthreads();
    Store(temp.store).Store(sums, left);
}

// Atomics of every order and width. All threads of the grid add to the same
// places.
extern "C" __global__ void references(int *words, unsigned long long *wide, double *real, __half2 *halves,
                                      __nv_bfloat162 *brains, float4 *four, unsigned short *ticket) {
    cuda::atomic_ref<int, cuda::thread_scope_device> sum(words[0]), most(words[1]), bits(words[2]);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum.fetch_add(i, cuda::memory_order_relaxed);
    most.fetch_max(i * 7 % 101, cuda::memory_order_acq_rel);
    bits.fetch_or(1 << (i % 31), cuda::memory_order_release);
    int seen = sum.load(cuda::memory_order_acquire);
    while (!sum.compare_exchange_weak(seen, seen + 1000))
        ;
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_system>(wide[0]).fetch_add(1ull << 32);
    cuda::atomic_ref<double, cuda::thread_scope_device>(*real).fetch_add(0.5);
    atomicAdd(halves, __floats2half2_rn(1, 0.5f));
    atomicAdd(brains, __floats2bfloat162_rn(1, 2));
    atomicAdd(four, make_float4(1, 2, 3, 4));
    unsigned short old = *(volatile unsigned short *)ticket, expected;
    do {
        expected = old;
        old = atomicCAS(ticket, expected, (unsigned short)(expected + 3));
    } while (old != expected);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}
