// mode: coherence
// flags: -Icoherent
// finding: .*:4: .*stale value: the kernel reads element 0 of 'd' .*, whose newer value is on the host, written at stale/memory_again.cu:15
// A table keeps a piece of memory that was freed, and takes it for the next one at the same address.
#include "gpu.cuh"
int main() {
  double *a = (double *)calloc(2, sizeof *a), *d = new_on_device(2);
  cudasim::links(a, d, 2 * sizeof *a);
  copy_to_device(d, a, 2);
  add_on_device(d, 2, 1);
  copy_to_host(a, d, 2);
  free(a);
  static double *volatile seen;
  double *b = seen = (double *)malloc(2 * sizeof *b);
  for (int i = 0; i < 2; ++i) b[i] = 5;
  add_on_device(d, 2, 1);
  free(seen);
  cudaFree(d);
}
