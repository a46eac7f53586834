// The wgmma words of the kernels here: f16 operands in shared memory, both
// K-major with the 128-byte swizzle, and a 64 x 128 accumulator of f32.
#pragma once
#include "hopper.cuh"

// The descriptor of an operand tile whose rows are 128 bytes: 8 rows are 1024
// bytes apart, and the start moves by 32 bytes along K inside a row.
__device__ inline uint64_t descriptor(const void *tile) {
    uint64_t d = (shared_address(tile) & 0x3FFFF) >> 4;
    d |= uint64_t(1) << 16;
    d |= uint64_t(1024 >> 4) << 32;
    d |= uint64_t(1) << 62;
    return d;
}

__device__ inline void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N> __device__ void wgmma_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }

// d = a b + (accumulate ? d : 0), 64 x 128 x 16, issued by one warpgroup.
__device__ inline void wgmma_m64n128k16(float (&d)[64], uint64_t a, uint64_t b, int accumulate) {
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.ne.b32 p, %66, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16\n"
                 "{%0,  %1,  %2,  %3,  %4,  %5,  %6,  %7,  %8,  %9,  %10, %11, %12, %13, %14, %15,\n"
                 " %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31,\n"
                 " %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47,\n"
                 " %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63},\n"
                 "%64, %65, p, 1, 1, 0, 0;\n"
                 "}\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
                   "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]),
                   "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]),
                   "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]),
                   "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]),
                   "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]),
                   "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]),
                   "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]),
                   "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
                 : "l"(a), "l"(b), "r"(accumulate));
}

// Writes a 64 x 128 accumulator to the corner of a row-major matrix. Register
// i of thread t is at row 16 (t/32) + (t%32)/4 + 8 ((i/2)%2), column
// 8 (i/4) + 2 (t%4) + i%2 (PTX 9.7.15.5.1).
__device__ inline void store_accumulator(float *c, int pitch, const float (&d)[64]) {
    const int t = threadIdx.x % 128;
    const int row = t / 32 * 16 + t % 32 / 4, col = t % 4 * 2;
#pragma unroll
    for (int i = 0; i < 64; i++)
        c[(row + i / 2 % 2 * 8) * pitch + col + i / 4 * 8 + i % 2] = d[i];
}
