// Arithmetic: every number format of the CUDA headers and the functions that
// have an instruction or a routine of their own.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

// Conversions: f16, bf16 and fp8 codes of a float, and the floats they stand
// for.
extern "C" __global__ void formats(const float *in, unsigned short *half, unsigned short *bfloat, unsigned char *e4m3,
                                   unsigned char *e5m2, float *back) {
    const int i = threadIdx.x;
    const float x = in[i];
    const __half h = __float2half_rn(x);
    const __nv_bfloat16 b = __float2bfloat16_rn(x);
    const __nv_fp8_e4m3 f(x);
    const __nv_fp8_e5m2 g(x);
    half[i] = __half_as_ushort(h);
    bfloat[i] = __bfloat16_as_ushort(b);
    e4m3[i] = f.__x;
    e5m2[i] = g.__x;
    back[4 * i] = __half2float(h);
    back[4 * i + 1] = __bfloat162float(b);
    back[4 * i + 2] = float(f);
    back[4 * i + 3] = float(g);
}

// Packed arithmetic: sum, product, fused and compared.
extern "C" __global__ void packed(const __half2 *x, const __half2 *y, __half2 *out, const __nv_bfloat162 *u,
                                  const __nv_bfloat162 *v, __nv_bfloat162 *bout) {
    const int i = threadIdx.x, n = blockDim.x;
    out[i] = __hadd2(x[i], y[i]);
    out[n + i] = __hmul2(x[i], y[i]);
    out[2 * n + i] = __hfma2(x[i], y[i], x[i]);
    out[3 * n + i] = __hmax2(x[i], y[i]);
    out[4 * n + i] = __hsub2(x[i], y[i]);
    out[5 * n + i] = __halves2half2(__hneg(__low2half(x[i])), __habs(__high2half(x[i])));
    bout[i] = __hadd2(u[i], v[i]);
    bout[n + i] = __hmul2(u[i], v[i]);
    bout[2 * n + i] = __hfma2(u[i], v[i], u[i]);
    bout[3 * n + i] = __hmin2(u[i], v[i]);
}

// Float functions, the accurate and the fast of each.
extern "C" __global__ void functions(const float *in, float *out) {
    const int i = threadIdx.x, n = blockDim.x;
    const float x = in[i];
    out[i] = expf(x);
    out[n + i] = __expf(x);
    out[2 * n + i] = logf(fabsf(x) + 0.5f);
    out[3 * n + i] = __logf(fabsf(x) + 0.5f);
    out[4 * n + i] = sinf(x);
    out[5 * n + i] = __sinf(x);
    out[6 * n + i] = cosf(x);
    out[7 * n + i] = tanhf(x);
    out[8 * n + i] = sqrtf(fabsf(x));
    out[9 * n + i] = rsqrtf(fabsf(x) + 0.5f);
    out[10 * n + i] = 1.0f / (x + 100.0f);
    out[11 * n + i] = __fdividef(x, 3.0f);
    out[12 * n + i] = powf(fabsf(x) + 0.5f, 1.5f);
    out[13 * n + i] = fmodf(x, 0.75f);
    out[14 * n + i] = rintf(x) + floorf(x) * 100 + ceilf(x) * 10000 + truncf(x) * 1000000;
    out[15 * n + i] = erff(x);
    out[16 * n + i] = exp2f(x) + log2f(fabsf(x) + 1) + log1pf(fabsf(x)) + expm1f(x);
    out[17 * n + i] = fminf(x, 0.3f) + fmaxf(x, -0.2f) + copysignf(1.0f, x) + __saturatef(x);
    out[18 * n + i] = __fmaf_rz(x, 1.7f, 0.1f) - __fmul_ru(x, 1.7f) + __fadd_rd(x, 0.1f);
}

// Double precision.
extern "C" __global__ void doubles(const double *in, double *out) {
    const int i = threadIdx.x, n = blockDim.x;
    const double x = in[i];
    out[i] = x * x + 1 / (x + 200);
    out[n + i] = sqrt(fabs(x));
    out[2 * n + i] = exp(x);
    out[3 * n + i] = sin(x);
    out[4 * n + i] = log(fabs(x) + 0.5);
    out[5 * n + i] = fma(x, x, -x);
    out[6 * n + i] = floor(x) + 1000 * (long long)x + (float)x;
}

// Integers of 32 bits.
extern "C" __global__ void integers(const int *a, const int *b, int *out) {
    const int i = threadIdx.x, n = blockDim.x;
    const int x = a[i], y = b[i];
    const unsigned u = x, v = y;
    out[i] = x / y;
    out[n + i] = x % y;
    out[2 * n + i] = u / v;
    out[3 * n + i] = u % v;
    out[4 * n + i] = x / 10 + x % 1000;
    out[5 * n + i] = __funnelshift_l(u, v, x & 31);
    out[6 * n + i] = __funnelshift_r(u, v, y & 31);
    out[7 * n + i] = __byte_perm(u, v, 0x5140);
    out[8 * n + i] = __byte_perm(u, v, y & 0x7777);
    out[9 * n + i] = __brev(u) ^ __ffs(x) ^ __clz(x) << 8 ^ __popc(v) << 16;
    out[10 * n + i] = __mulhi(x, y) + __umulhi(u, v);
    out[11 * n + i] = __sad(x, y, u) + __usad(u, v, 3) + __hadd(x, y) + __mul24(x, y);
    out[12 * n + i] = __dp4a(x, y, 7);
    out[13 * n + i] = __vadd4(u, v) ^ __vmaxs2(u, v) ^ __vcmpgtu4(u, v);
    out[14 * n + i] = (short)x * (signed char)y + (unsigned char)x - (unsigned short)y;
    out[15 * n + i] = max(x, y) - min(u, v) + abs(x);
    out[16 * n + i] = x >> (y & 31) ^ u >> (y & 31) ^ x << (y & 31);
}

// Packed integers.
extern "C" __global__ void simd(const unsigned *a, const unsigned *b, unsigned *out) {
    const int i = threadIdx.x, n = blockDim.x;
    const unsigned x = a[i], y = b[i];
    out[i] = __vabsdiffu4(x, y);
    out[n + i] = __vabsdiffu2(x, y);
    out[2 * n + i] = __vsadu4(x, y);
    out[3 * n + i] = __vsadu2(x, y);
    out[4 * n + i] = __vavgu4(x, y);
    out[5 * n + i] = __vaddus2(x, y);
    out[6 * n + i] = __vsetgtu4(x, y);
    out[7 * n + i] = __viaddmax_s32(x, y, 5) + __vimin3_u32(x, y, 0x40000000);
}

// Integers of 64 bits, and 128.
extern "C" __global__ void wide(const long long *a, const long long *b, long long *out) {
    const int i = threadIdx.x, n = blockDim.x;
    const long long x = a[i], y = b[i];
    const unsigned long long u = x, v = y;
    out[i] = x / y;
    out[n + i] = x % y;
    out[2 * n + i] = u / v + u % v;
    out[3 * n + i] = x * y;
    out[4 * n + i] = __mul64hi(x, y) ^ __umul64hi(u, v);
    out[5 * n + i] = x >> (y & 63) ^ u << (y & 63) ^ u >> (y & 63);
    out[6 * n + i] = __brevll(u) + __clzll(x) + __ffsll(x) + __popcll(v);
    const unsigned __int128 p = (unsigned __int128)u * v + u;
    out[7 * n + i] = (long long)(p >> 37) + (p > v);
    out[8 * n + i] = (long long)((double)x * 0.5) + __double2ll_rn((double)y / 3) + __float2ll_rz((float)x);
}

// The softmax of each row of a matrix, a CTA a row.
extern "C" __global__ void softmax(const float *in, float *out, int width) {
    __shared__ float scratch[32];
    const float *row = in + blockIdx.x * width;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    float most = -INFINITY;
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        most = fmaxf(most, row[i]);
    for (int i = 16; i > 0; i /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, i));
    if (lane == 0)
        scratch[warp] = most;
    __syncthreads();
    for (int i = 0; i < warps; i++)
        most = fmaxf(most, scratch[i]);
    __syncthreads();
    constexpr float LOG2E = 1.4426950408889634f;
    float sum = 0;
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        sum += exp2f((row[i] - most) * LOG2E);
    for (int i = 16; i > 0; i /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, i);
    if (lane == 0)
        scratch[warp] = sum;
    __syncthreads();
    sum = 0;
    for (int i = 0; i < warps; i++)
        sum += scratch[i];
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        out[blockIdx.x * width + i] = exp2f((row[i] - most) * LOG2E) / sum;
}
