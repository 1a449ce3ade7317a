// Different launches are ordered, and so are the reads and writes of one thread.
// output: 8 -8
__global__ void step(int *a, int sign) { a[blockIdx.x * blockDim.x + threadIdx.x] += sign; }
__global__ void swap(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) { int t = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = t; }
}
int main() {
  int h[64], *a;
  cudaMalloc(&a, sizeof h);
  cudaMemset(a, 0, sizeof h);
  for (int t = 0; t < 8; ++t) step<<<2, 16>>>(a, 1), step<<<2, 16>>>(a + 32, -1);
  swap<<<4, 16>>>(a, 64), swap<<<4, 16>>>(a, 64);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[63]);
  cudaFree(a);
}
