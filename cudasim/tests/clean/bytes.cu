// Neighbouring threads write neighbouring bytes: no race, whatever the size of a word.
// output: 0 1 2 255 1000 999
__global__ void k(unsigned char *c, short *s) {
  __shared__ unsigned char t[256];
  t[threadIdx.x] = threadIdx.x;
  __syncthreads();
  c[threadIdx.x] = t[threadIdx.x];
  s[threadIdx.x] = 1000 - threadIdx.x;
}
int main() {
  unsigned char *c, h[256];
  short *s, g[256];
  cudaMalloc(&c, 256), cudaMalloc(&s, 512);
  k<<<1, 256>>>(c, s);
  cudaMemcpy(h, c, 256, cudaMemcpyDeviceToHost);
  cudaMemcpy(g, s, 512, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d %d %d\n", h[0], h[1], h[2], h[255], g[0], g[1]);
  cudaFree(c), cudaFree(s);
}
