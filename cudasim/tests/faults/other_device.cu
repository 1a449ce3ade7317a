// A kernel uses memory of another device, and copies name the wrong one.
// mode: check
// env: CUDASIM_DEVICES=3
// finding: other_device.cu:12: kernel 'k', .*: read of 'b' .*, which is memory of device 1, on device 0
// finding: other_device.cu:13: kernel 'k', .*: write of 'c' .*, which is memory of device 2, on device 0
// finding: other_device.cu:16: kernel 'only_one_way', .*: bad pointer: write of 'a' .* of device 0, on device 2 without
// finding: other_device.cu:32: host code: wrong copy: the source is 'b' .* of device 1, but the call says device 0
// finding: other_device.cu:33: host code: wrong copy: the destination is host memory, but the call says device 0
// output: 1 1 0 0
// output: 0
__global__ void k(int *a, const int *b, int *c) {
  a[threadIdx.x] = b[threadIdx.x];
  c[threadIdx.x] = 1;
}
__global__ void enabled(int *a, const int *c) { a[threadIdx.x] = c[threadIdx.x]; }
__global__ void only_one_way(int *a) { a[threadIdx.x] = 1; }
__global__ void zero(int *a) { a[threadIdx.x] = 0; }
int main() {
  int *a, *b, *c, *managed, h[4];
  cudaMalloc(&a, 16);
  cudaSetDevice(1), cudaMalloc(&b, 16);
  zero<<<1, 4>>>(b), cudaDeviceSynchronize();
  cudaSetDevice(2), cudaMalloc(&c, 16);
  zero<<<1, 4>>>(c);
  cudaMallocManaged(&managed, 16), zero<<<1, 4>>>(managed), cudaDeviceSynchronize();
  cudaSetDevice(0), zero<<<1, 4>>>(managed), k<<<1, 4>>>(a, b, c);
  cudaDeviceEnablePeerAccess(2, 0);
  enabled<<<1, 4>>>(a, c), cudaDeviceSynchronize();
  cudaSetDevice(2), only_one_way<<<1, 4>>>(a);
  cudaDeviceSynchronize();
  int r[4];
  r[0] = cudaMemcpyPeer(a, 0, b, 0, 16);
  r[1] = cudaMemcpyPeer(h, 0, b, 1, 16);
  r[2] = cudaMemcpyPeer(a, 0, b, 1, 16);
  r[3] = cudaMemcpyPeer(a, 0, managed, 0, 16);
  printf("%d %d %d %d\n", r[0], r[1], r[2], r[3]);
  cudaMemcpy(h, a, 16, cudaMemcpyDeviceToHost), printf("%d\n", h[0]);
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(managed);
}
