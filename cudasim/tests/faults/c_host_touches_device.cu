// mode: check
// flags: faults/helper.c
// finding: faults/helper.c:3: host code: bad pointer: the host accesses 'a' \(allocated at faults/c_host_touches_device.cu:7\) directly
extern "C" int sum(const int *a, int n);
int main() {
  int *a;
  cudaMalloc(&a, 16);
  cudaMemset(a, 0, 16);
  int total = sum(a, 4);
  cudaFree(a);
  return total;
}
