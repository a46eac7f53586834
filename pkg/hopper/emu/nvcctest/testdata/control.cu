// Control flow and storage: calls, switches, loops that threads leave one by
// one, local arrays, constants, more shared memory than 48 KB.
#include <cassert>
#include <cstdio>

struct Pair {
    int sum;
    long long product;
    float mean;
};

// A call with structures in and out.
__device__ __noinline__ Pair combine(Pair a, int b) {
    if (b < 0)
        return a;
    a.sum += b;
    a.product *= b % 3 + 1;
    a.mean = a.mean * 0.5f + b;
    return a;
}

__device__ __noinline__ int collatz(int n) {
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

extern "C" __global__ void calls(const int *in, int *sums, long long *products, float *means, int *steps) {
    const int i = threadIdx.x;
    Pair p = {0, 1, 0};
    for (int j = 0; j < 5; j++)
        p = combine(p, in[i * 5 + j]);
    sums[i] = p.sum;
    products[i] = p.product;
    means[i] = p.mean;
    steps[i] = collatz(i + 1);
}

// A dense switch: a jump table.
extern "C" __global__ void choose(const int *op, const int *a, int *out) {
    const int i = threadIdx.x, x = a[i];
    int r;
    switch (op[i]) {
    case 0: r = x + 100; break;
    case 1: r = x * x; break;
    case 2: r = x << 3; break;
    case 3: r = x / 7; break;
    case 4: r = -x; break;
    case 5: r = x ^ 0x55; break;
    case 6: r = __popc(x); break;
    case 7: r = collatz(x + 1);
    case 8: r = x % 11; break; // case 7 falls through
    case 9: r = __clz(x); break;
    default: r = -1;
    }
    out[i] = r;
}

// An array in local memory, indexed by data: an insertion sort of eight
// numbers a thread.
extern "C" __global__ void sort8(const int *in, int *out) {
    int a[8];
    const int base = threadIdx.x * 8;
    for (int i = 0; i < 8; i++) {
        const int x = in[base + i];
        int j = i;
        while (j > 0 && a[j - 1] > x) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = x;
    }
    for (int i = 0; i < 8; i++)
        out[base + i] = a[i];
}

// The same array by way of a pointer that the callee does not know the space of.
__device__ __noinline__ void reverse(int *p, int n) {
    for (int i = 0; i < n / 2; i++) {
        const int t = p[i];
        p[i] = p[n - 1 - i];
        p[n - 1 - i] = t;
    }
}

extern "C" __global__ void pointers(int *global, int *out) {
    __shared__ int shared[6];
    int local[6];
    for (int i = 0; i < 6; i++)
        local[i] = i * i + threadIdx.x;
    if (threadIdx.x < 6)
        shared[threadIdx.x] = 100 + threadIdx.x;
    reverse(local, 6);
    __syncthreads();
    if (threadIdx.x == 0) {
        reverse(shared, 6);
        reverse(global, 6);
    }
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 6; i++)
        sum += (i + 1) * (local[i] + shared[i]);
    out[threadIdx.x] = sum + (__isShared(shared) ? 1 : 0) + (__isLocal(local) ? 2 : 0) + (__isGlobal(out) ? 4 : 0);
}

// Functions chosen at run time.
__device__ __noinline__ int add3(int x) { return x + 3; }
__device__ __noinline__ int times5(int x) { return x * 5; }
__device__ __noinline__ int square(int x) { return x * x; }
typedef int (*Function)(int);
__device__ Function const table[3] = {add3, times5, square};

extern "C" __global__ void indirect(const int *which, int *out) {
    int x = threadIdx.x;
    for (int i = 0; i < 4; i++)
        x = table[which[threadIdx.x * 4 + i]](x);
    out[threadIdx.x] = x;
}

// The same by virtual functions.
struct Shape {
    int side;
    __device__ virtual int area() const = 0;
};
struct Square : Shape {
    __device__ int area() const override { return side * side; }
};
struct Strip : Shape {
    int length;
    __device__ int area() const override { return side * length; }
};

extern "C" __global__ void areas(const int *side, const int *length, int *out) {
    const int i = threadIdx.x;
    Square square;
    Strip strip;
    square.side = strip.side = side[i];
    strip.length = length[i];
    const Shape *s = length[i] > 0 ? (const Shape *)&strip : &square;
    out[i] = s->area();
}

__constant__ float weights[4] = {0.5f, -1.25f, 3.0f, 8.0f};
__device__ int counter = 40;
__device__ const char text[] = "hopper";

extern "C" __global__ void variables(float *out, int *count) {
    out[threadIdx.x] = weights[threadIdx.x % 4] * text[threadIdx.x % 6];
    if (threadIdx.x < 2)
        *count = atomicAdd(&counter, 1) + 1;
}

// A transpose through 64 KB of dynamic shared memory, two arrays in it.
extern "C" __global__ void __launch_bounds__(256, 2) transpose(const float *in, float *out, int n) {
    extern __shared__ float memory[];
    float *a = memory, *b = memory + n * n;
    for (int i = threadIdx.x; i < n * n; i += blockDim.x)
        a[i] = in[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n * n; i += blockDim.x)
        b[i % n * n + i / n] = a[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n * n; i += blockDim.x)
        out[i] = b[i];
}

// Threads leave a loop, the function and the kernel at different times.
extern "C" __global__ void leave(const int *limit, int *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (limit[i] < 0)
        return;
    int n = 0;
    for (int j = 0;; j++) {
        if (j % 3 == 1)
            continue;
        if (j > limit[i])
            break;
        if (j == 50) {
            out[i] = -50;
            return;
        }
        n += j;
    }
    out[i] = n;
}

// What should not happen is printed and asserted.
extern "C" __global__ void checked(const float *in, float *out) {
    const float x = in[threadIdx.x];
    if (x > 1000)
        printf("%d: %f is too much\n", threadIdx.x, x);
    assert(x >= 0);
    out[threadIdx.x] = sqrtf(x);
}
