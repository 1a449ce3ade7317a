#include "gpu.h"
__global__ void add(int n, double *a, double x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += x;
}
double *new_on_device(int n) {
  double *d;
  cudaMalloc(&d, n * sizeof *d);
  return d;
}
void copy_to_device(double *d, const double *a, int n) {
  cudaMemcpy(d, a, n * sizeof *d, cudaMemcpyHostToDevice);
}
void copy_to_host(double *a, const double *d, int n) {
  cudaMemcpy(a, d, n * sizeof *d, cudaMemcpyDeviceToHost);
}
void add_on_device(double *d, int n, double x) { add<<<(n + 31) / 32, 32>>>(n, d, x); }
void free_on_device(double *d) { cudaFree(d); }
