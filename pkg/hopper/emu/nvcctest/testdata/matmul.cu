// A tiled matrix product in float: the kernel of every CUDA introduction.
// C = A B, all row-major: A is m x k, B is k x n, C is m x n. No size has to be
// a multiple of the tile.

constexpr int TILE = 16;

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
    __shared__ float sa[TILE][TILE];
    __shared__ float sb[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += TILE) {
        sa[y][x] = row < m && k0 + x < k ? a[row * k + k0 + x] : 0.0f;
        sb[y][x] = k0 + y < k && col < n ? b[(k0 + y) * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += sa[y][i] * sb[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
