// mode: coherence
// flags: -Icoherent
// output: 6
#include "gpu.cuh"
__constant__ double factor[2];
__device__ double total[2];
__global__ void sum() { total[0] += factor[0] + factor[1]; }
static void set_factor(double x, double y) {
  double values[2] = {x, y};
  cudaMemcpyToSymbol(factor, values, sizeof values);
}
int main() {
  double values[2] = {};
  cudaMemcpyToSymbol(total, values, sizeof values);
  set_factor(1, 2);
  sum<<<1, 1>>>();
  set_factor(2, 1);
  sum<<<1, 1>>>();
  cudaMemcpyFromSymbol(values, total, sizeof values);
  printf("%g\n", values[0]);
}
