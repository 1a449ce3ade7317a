// output: 0 3 0 5
// What memset, memcpy and loops like them write in kernels has a value.
__global__ void write(float *out, float *wide) {
  __shared__ float s[64];
  if (threadIdx.x == 0) memset(s, 0, sizeof s);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
  float own[16];
  for (int i = 0; i < 16; ++i) own[i] = i;
  float *mine = wide + 32 * threadIdx.x;
  memcpy(mine, own, sizeof own);
  memset(mine + 16, 0, 32);
  for (int i = 24; i < 32; ++i) mine[i] = 0;
}
__global__ void read(float *out, const float *wide) {
  const float *mine = wide + 32 * threadIdx.x;
  out[threadIdx.x] += mine[3] + mine[16] + mine[31];
}
int main() {
  float *out, *wide, h[64];
  cudaMalloc(&out, sizeof h), cudaMalloc(&wide, 32 * sizeof h);
  write<<<1, 64>>>(out, wide);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g ", h[9]);
  read<<<1, 64>>>(out, wide);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  float last[6];
  cudaMemcpy(last, wide + 32 * 63 + 20, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(last + 1, wide + 32 * 63 + 5, 4, cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", h[9], last[0], last[1]);
  cudaFree(out), cudaFree(wide);
}
