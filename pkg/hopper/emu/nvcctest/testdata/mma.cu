// Tensor cores of a warp, and the asynchronous copies of the generation before
// Hopper: nvcuda::wmma, ldmatrix with mma.sync, cp.async.
#include <cuda_fp16.h>
#include <mma.h>

namespace wmma = nvcuda::wmma;

// C = A B + C, 16 x 16 x k, one warp; A is row-major, B column-major, both
// packed with pitch k, C row-major with pitch 16.
extern "C" __global__ void wmma_tile(const __half *a, const __half *b, float *c, int k) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
    wmma::load_matrix_sync(acc, c, 16, wmma::mem_row_major);
    for (int i = 0; i < k; i += 16) {
        wmma::load_matrix_sync(fa, a + i, k);
        wmma::load_matrix_sync(fb, b + i, k);
        wmma::mma_sync(acc, fa, fb, acc);
    }
    wmma::store_matrix_sync(c, acc, 16, wmma::mem_row_major);
}

// The 16-byte asynchronous copy and its groups, per thread.
__device__ void copy16(void *dst, const void *src) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(dst)), "l"(src) : "memory");
}
__device__ void copy_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ void copy_wait() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }

// C = A Bt with ldmatrix and mma.sync, 16 x 8 x k, one warp. The tiles go
// through shared memory by cp.async, two stages of 16 along K.
extern "C" __global__ void mma_tile(const __half *a, const __half *b, float *c, int k) {
    __shared__ alignas(16) __half sa[2][16][16];
    __shared__ alignas(16) __half sb[2][8][16];
    const int lane = threadIdx.x, steps = k / 16;
    // Rows of 32 bytes, two copies each: all lanes bring A's sixteen rows, half
    // of them B's eight.
    auto load = [&](int step) {
        const int row = lane / 2, part = lane % 2 * 8;
        copy16(&sa[step % 2][row][part], a + row * k + step * 16 + part);
        if (lane < 16)
            copy16(&sb[step % 2][row][part], b + row * k + step * 16 + part);
        copy_commit();
    };
    float d[4] = {0, 0, 0, 0};
    load(0);
    for (int i = 0; i < steps; i++) {
        if (i + 1 < steps) {
            load(i + 1);
            copy_wait<1>();
        } else {
            copy_wait<0>();
        }
        __syncwarp();
        unsigned ra[4], rb[2];
        const unsigned at_a = __cvta_generic_to_shared(&sa[i % 2][lane % 16][lane / 16 * 8]);
        const unsigned at_b = __cvta_generic_to_shared(&sb[i % 2][lane % 8][lane / 8 % 2 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
                     : "r"(at_a)
                     : "memory");
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(at_b) : "memory");
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                     "{%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
        __syncwarp();
    }
    for (int i = 0; i < 4; i++)
        c[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}
