// mode: check
// finding: host_touches_device.cu:7: host code: bad pointer: the host accesses 'a' \(allocated at faults/host_touches_device.cu:5\) directly
int main() {
  int *a, sum = 0;
  cudaMalloc(&a, 16);
  cudaMemset(a, 0, 16);
  for (int i = 0; i < 4; i++) sum += a[i];
  cudaFree(a);
  return sum;
}
