// mode: coherence
// flags: -Icoherent
// finding: stale/moved.cu:13: host code: stale value: the copy on the device takes element 0 of 'd' \(allocated at coherent/gpu.cuh:8\), whose newer value is on the device in another copy, written at
#include "gpu.cuh"
int main() {
  static double a[2];
  double *d = new_on_device(2), *e = new_on_device(2);
  cudasim::links(a, d, sizeof a);
  cudasim::links(a, e, sizeof a);
  copy_to_device(d, a, 2);
  copy_to_device(e, a, 2);
  add_on_device(e, 2, 1);
  cudaMemcpy(e, d, sizeof a, cudaMemcpyDeviceToDevice);
  cudaFree(d);
  cudaFree(e);
}
