// The PTX words that the kernels here share, one instruction each: mbarriers,
// tensor copies and their fences. Addresses of shared memory are 32 bits.
#pragma once
#include <cstdint>
#include <cuda.h>

__device__ inline uint32_t shared_address(const void *p) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline void mbarrier_init(uint64_t *bar, int count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(bar)), "r"(count) : "memory");
}

// Makes initialised mbarriers known to the copy engine; a barrier of the CTA
// or the cluster must follow.
__device__ inline void fence_mbarrier_init() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ inline void mbarrier_arrive(uint64_t *bar) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(bar)) : "memory");
}

__device__ inline void mbarrier_arrive_expect_tx(uint64_t *bar, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(bar)), "r"(bytes)
                 : "memory");
}

// Spins inside the assembly, with labels of its own, as many libraries do.
__device__ inline void mbarrier_wait(uint64_t *bar, int parity) {
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "WAIT:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@done bra.uni DONE;\n"
                 "bra.uni WAIT;\n"
                 "DONE:\n"
                 "}" ::"r"(shared_address(bar)),
                 "r"(parity)
                 : "memory");
}

// Copies the map's box at element (x, y) to shared memory.
__device__ inline void tma_load(void *dst, const CUtensorMap *map, int x, int y, uint64_t *bar) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 " [%0], [%1, {%3, %4}], [%2];" ::"r"(shared_address(dst)),
                 "l"(map), "r"(shared_address(bar)), "r"(x), "r"(y)
                 : "memory");
}

// Copies shared memory to the map's box at element (x, y).
__device__ inline void tma_store(const CUtensorMap *map, const void *src, int x, int y) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
                 "r"(shared_address(src)), "r"(x), "r"(y)
                 : "memory");
}

// Adds shared memory to the map's box at element (x, y).
__device__ inline void tma_reduce_add(const CUtensorMap *map, const void *src, int x, int y) {
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
                 "r"(shared_address(src)), "r"(x), "r"(y)
                 : "memory");
}

__device__ inline void bulk_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

// Waits until the sources of all but the last N groups may be overwritten.
template <int N> __device__ void bulk_wait_read() {
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

// Waits until all but the last N groups have written their destinations.
template <int N> __device__ void bulk_wait() { asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory"); }

// Orders ordinary writes to shared memory before what the copy engine and the
// tensor cores read there.
__device__ inline void fence_proxy_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
