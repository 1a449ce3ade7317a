// mode: coherence
// flags: -Icoherent
// output: 0 3
// A copy on the device is scratch memory, and a table's memory gets packed values.
#include "gpu.cuh"
int main() {
  static double a[2], packed[2];
  double *d = new_on_device(2), *e = new_on_device(2);
  copy_to_device(d, a, 2);
  cudaMemcpy(e, d, sizeof a, cudaMemcpyDeviceToDevice);
  add_on_device(e, 2, 1);
  printf("%g", a[1]);
  cudasim::links(a, d, sizeof a);
  for (int i = 0; i < 2; ++i) a[i] = 2;
  for (int i = 0; i < 2; ++i) packed[i] = a[i];
  copy_to_device(d, packed, 2);
  add_on_device(d, 2, 1);
  copy_to_host(a, d, 2);
  printf(" %g\n", a[1]);
  cudaFree(d);
  cudaFree(e);
}
