// Called functions, printf, calls through pointers, a switch, constant and
// initialised variables, dynamic shared memory.
#include <cstdio>
struct Pair { int a; float b[3]; };
struct __attribute__((packed)) Packed { char tag; float *p; };
__constant__ int table[4] = {1, 2, 3, 4};
__device__ float values[3] = {1.5f, -2.0f, 3e-5f};
__device__ float *inside = values + 1;
__device__ Packed packed[2] = {{'a', values}, {'b', values + 2}};
__device__ const char *names[2] = {"a", "b"};
extern __shared__ float scratch[];
typedef int (*function)(int);

__device__ __noinline__ int scale(int x, Pair p) {
  printf("%d %f\n", x, p.b[1]);
  return x * p.a;
}

extern "C" __global__ void direct(int *out, Pair p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = scale(table[i & 3], p);
  switch (n) {
    case 0: out[0] = 1; break;
    case 1: out[0] = 22; break;
    case 2: out[1] = *inside; break;
    case 3: out[0] = *packed[i & 1].p; break;
    case 4: out[0] = 9; break;
    case 5: out[3] = 3; break;
  }
}

extern "C" __global__ void indirect(function *f, int *out) {
  scratch[threadIdx.x] = names[out[0]][0];
  __syncthreads();
  out[threadIdx.x] = f[threadIdx.x](out[1]) + scratch[threadIdx.x ^ 1];
}
