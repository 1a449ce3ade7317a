// mode: check
// finding: race_write_write.cu:4: kernel 'count', block \(0,0,0\) thread \(1,0,0\): race: write of element 0 of 'n' .* and write by thread \(0,0,0\)
__global__ void count(int *n) {
  *n = threadIdx.x;
}
int main() {
  int *n;
  cudaMalloc(&n, sizeof *n);
  count<<<1, 2>>>(n);
  cudaFree(n);
}
