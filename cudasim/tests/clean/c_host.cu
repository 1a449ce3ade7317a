// flags: clean/host.c -Iclean
// output: 10
#include "gpu.h"
__global__ void twice(int *a) { a[threadIdx.x] *= 2; }
extern "C" void gpu_twice(int *a, int n) {
  int *d;
  cudaMalloc(&d, n * sizeof *d);
  cudaMemcpy(d, a, n * sizeof *d, cudaMemcpyHostToDevice);
  twice<<<1, n>>>(d);
  cudaMemcpy(a, d, n * sizeof *d, cudaMemcpyDeviceToHost);
  cudaFree(d);
}
