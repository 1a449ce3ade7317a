// What the block before left in shared memory is no value for the next.
// mode: check
// finding: shared_of_last_block.cu:7: kernel 'k', block \(1,0,0\) thread \(0,0,0\): read of element 0 of shared 's'
__global__ void k(int *a) {
  __shared__ int s[1];
  if (blockIdx.x == 0) s[0] = 1;
  a[blockIdx.x] = s[0];
}
int main() {
  int *a;
  cudaMalloc(&a, 2 * sizeof *a);
  k<<<2, 1>>>(a);
  cudaFree(a);
}
