// output: 28 28 28
// `static` says nothing of a shared variable that it does not say itself.
template <class Type>
__device__ Type mirrored(Type value) {
  static __shared__ Type s[32];
  s[threadIdx.x] = value;
  __syncthreads();
  return s[31 - threadIdx.x];
}
__global__ void k(int *out) {
  __shared__ static int s[32];
  volatile static __shared__ int t[32];
  s[threadIdx.x] = t[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x];
  out[32 + threadIdx.x] = t[31 - threadIdx.x];
  out[64 + threadIdx.x] = int(mirrored<float>(threadIdx.x));
}
int main() {
  int *d, h[96];
  cudaMalloc(&d, sizeof h);
  k<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", h[3], h[35], h[67]);
  cudaFree(d);
}
