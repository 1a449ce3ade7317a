// mode: check
// finding: use_after_free.cu:4: kernel 'k', block \(0,0,0\) thread \(0,0,0\): use after free: write of 'a' \(allocated at faults/use_after_free.cu:7\), freed at faults/use_after_free.cu:8
// finding: use_after_free.cu:10: host code: wrong copy: the destination is 'a' .*, freed at
__global__ void k(int *a) { a[threadIdx.x] = 1; }
int main() {
  int *a;
  cudaMalloc(&a, 16);
  cudaFree(a);
  k<<<1, 1>>>(a);
  cudaMemset(a, 0, 16);
}
