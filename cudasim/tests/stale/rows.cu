// mode: coherence
// flags: -Icoherent
// finding: stale/rows.cu:16: host code: stale value: the host reads 8 bytes of host memory, whose newer value is on the device, written at .*:4
// output: 0 2 0
#include "gpu.cuh"
// Two of three rows come back.
int main() {
  static double a[6][8];
  double *d;
  size_t pitch;
  cudaMallocPitch(&d, &pitch, 4 * sizeof *d, 6);
  cudaMemcpy2D(d, pitch, a, 8 * sizeof(double), 4 * sizeof(double), 6, cudaMemcpyHostToDevice);
  for (int i = 0; i < 3; ++i) add_on_device((double *)((char *)d + i * pitch), 4, 2);
  cudaMemcpy2D(a, 8 * sizeof(double), d, pitch, 4 * sizeof(double), 2, cudaMemcpyDeviceToHost);
  printf("%g %g ", a[1][4], a[1][3]);
  printf("%g\n", a[2][3]);
  cudaFree(d);
}
