// output: sum 87422
#define TILE 16
__global__ void matmul(const double *__restrict__ A, const double *__restrict__ B, double *C, int n) {
  __shared__ double a[TILE][TILE + 1], b[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  double sum = 0;
  for (int k0 = 0; k0 < n; k0 += TILE) {
    a[threadIdx.y][threadIdx.x] = row < n && k0 + threadIdx.x < n ? A[row * n + k0 + threadIdx.x] : 0;
    b[threadIdx.y][threadIdx.x] = column < n && k0 + threadIdx.y < n ? B[(k0 + threadIdx.y) * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n) C[row * n + column] = sum;
}
int main() {
  const int n = 54;
  static double h[n * n];
  double *A, *B, *C, sum = 0;
  cudaMalloc(&A, sizeof h), cudaMalloc(&B, sizeof h), cudaMalloc(&C, sizeof h);
  for (int i = 0; i < n * n; ++i) h[i] = i % n == i / n ? 2 : 0;
  cudaMemcpy(A, h, sizeof h, cudaMemcpyHostToDevice);
  for (int i = 0; i < n * n; ++i) h[i] = i % 31;
  cudaMemcpy(B, h, sizeof h, cudaMemcpyHostToDevice);
  dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
  matmul<<<grid, block>>>(A, B, C, n);
  cudaMemcpy(h, C, sizeof h, cudaMemcpyDeviceToHost);
  for (double x : h) sum += x;
  printf("sum %g\n", sum);
  cudaFree(A), cudaFree(B), cudaFree(C);
  return cudaGetLastError();
}
