// mode: coherence
// flags: -Icoherent
// output: 1 3 7
// A table's piece grows: what the host has not changed moves on the device.
#include "gpu.cuh"
int main() {
  double a[8];
  for (double &x : a) x = 1;
  double *d = new_on_device(4), *e = new_on_device(8);
  cudasim::links(a, d, 4 * sizeof *a);
  copy_to_device(d, a, 4);
  add_on_device(d, 4, 1);
  cudasim::links(a, e, 8 * sizeof *a);
  cudaMemcpy(e, d, 4 * sizeof *a, cudaMemcpyDeviceToDevice);
  cudaFree(d);
  copy_to_device(e + 4, a + 4, 4);
  add_on_device(e, 4, 1);
  copy_to_host(a, e, 4);
  printf("%g %g", a[4], a[3]);
  a[7] = 7;
  printf(" %g\n", a[7]);
  cudasim::unlinks(e, 8 * sizeof *a);
  cudaFree(e);
}
