// Functions inlined into each other, for line information.
__device__ __forceinline__ float square(float x) {
  return x * x + 1.0f;
}
__device__ __forceinline__ float twice(float x) {
  return square(x) * square(x + 1);
}
extern "C" __global__ void inlined(float *out) {
  out[threadIdx.x] = twice(out[threadIdx.x]);
}
