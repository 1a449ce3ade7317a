// mode: coherence
// flags: -Icoherent
// finding: .*:4: .*stale value: the kernel reads element 0 of 'd' .*, whose newer value is on the device in another copy, written at .*:4
#include "gpu.cuh"
int main() {
  static double a[2];
  double *d = new_on_device(2), *e = new_on_device(2);
  cudasim::links(a, d, sizeof a);
  cudasim::links(a, e, sizeof a);
  copy_to_device(d, a, 2);
  copy_to_device(e, a, 2);
  add_on_device(d, 2, 1);
  add_on_device(e, 1, 1);
  cudaFree(d);
  cudaFree(e);
}
