// output: 63 0 100
__global__ void reverse(float *a, int n) {
  extern __shared__ __align__(16) unsigned char memory[];
  float *s = reinterpret_cast<float *>(memory);
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = s[n - 1 - threadIdx.x];
}
extern __shared__ double big[];
template <int N>
__global__ void large(float *a) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) big[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) a[1] = big[100];
}
int main() {
  float h[64], *a;
  for (int i = 0; i < 64; ++i) h[i] = i;
  cudaMalloc(&a, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  reverse<<<1, 64, 64 * sizeof(float)>>>(a, 64);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  large<16384><<<1, 32, 131072>>>(a);
  if (cudaGetLastError() != cudaErrorInvalidValue) puts("128 KB were accepted");
  if (cudaFuncSetAttribute(large<16384>, cudaFuncAttributeMaxDynamicSharedMemorySize, 131072)) puts("not raised");
  large<16384><<<1, 32, 131072>>>(a);
  float b[64];
  cudaMemcpy(b, a, sizeof b, cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", h[0], h[63], b[1]);
  cudaFree(a);
  return cudaGetLastError();
}
