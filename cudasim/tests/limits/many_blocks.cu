// More blocks and launches than one worker takes at once, barriers included.
// mode: fast
// output: 0
__global__ void rotate(const int *from, int *to) {
  __shared__ int s[64];
  s[threadIdx.x] = from[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  to[blockIdx.x * 64 + (threadIdx.x + 1) % 64] = s[threadIdx.x];
  __syncthreads();
}
int main() {
  const int n = 64 * 500;
  static int h[n];
  int *a, *b, wrong = 0;
  cudaMalloc(&a, sizeof h), cudaMalloc(&b, sizeof h);
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  for (int t = 0; t < 32; ++t) rotate<<<500, 64>>>(a, b), rotate<<<500, 64>>>(b, a);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += h[i] != i;
  printf("%d\n", wrong);
}
