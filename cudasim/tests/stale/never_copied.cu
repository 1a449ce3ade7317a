// mode: coherence
// flags: -Icoherent
// finding: .*:4: .*stale value: the kernel reads element 0 of 'd' .*, which was never copied from the host
// Memory of a pool has values, but not those of its present owner.
#include "gpu.cuh"
int main() {
  static double a[2], b[2];
  double *d = new_on_device(2);
  cudasim::links(a, d, sizeof a);
  copy_to_device(d, a, 2);
  cudasim::unlinks(d, sizeof a);
  cudasim::links(b, d, sizeof b);
  add_on_device(d, 2, 1);
  cudaFree(d);
}
