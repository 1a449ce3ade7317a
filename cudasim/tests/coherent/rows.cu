// mode: coherence
// flags: -Icoherent
// output: 2 0 5 3
#include "gpu.cuh"
int main() {
  static double a[6][8];
  double *d;
  size_t pitch;
  cudaMallocPitch(&d, &pitch, 4 * sizeof *d, 6);
  cudaMemcpy2D(d, pitch, a, 8 * sizeof(double), 4 * sizeof(double), 6, cudaMemcpyHostToDevice);
  for (int i = 0; i < 3; ++i) add_on_device((double *)((char *)d + i * pitch), 4, 2);
  a[1][6] = 5;
  a[4][0] = 3;
  cudaMemcpy2D(a, 8 * sizeof(double), d, pitch, 4 * sizeof(double), 3, cudaMemcpyDeviceToHost);
  printf("%g %g %g %g\n", a[2][3], a[3][3], a[1][6], a[4][0]);
  cudaFree(d);
}
