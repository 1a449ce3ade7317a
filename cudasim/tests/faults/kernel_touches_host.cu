// mode: check
// finding: kernel_touches_host.cu:7: kernel 'k', block \(0,0,0\) thread \(0,0,0\): bad pointer: read through host memory
// finding: kernel_touches_host.cu:8: kernel 'k', block \(0,0,0\) thread \(0,0,0\): bad pointer: write through a host variable
// finding: kernel_touches_host.cu:9: kernel 'k', block \(0,0,0\) thread \(0,0,0\): bad pointer: read through host memory
int table[4];
__global__ void k(const int *heap, int *global, const int *stack, int *out) {
  *out = heap[0];
  global[0] = 3;
  *out += *stack;
}
int main() {
  int *heap = (int *)calloc(1, 16), local = 3, *out;
  cudaMalloc(&out, 4);
  k<<<1, 1>>>(heap, table, &local, out);
  cudaFree(out);
  free(heap);
}
