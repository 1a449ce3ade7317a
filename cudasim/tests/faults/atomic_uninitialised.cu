// Counting in memory that nobody cleared, and beyond its end.
// mode: check
// finding: atomic_uninitialised.cu:6: kernel 'count', block \(0,0,0\) thread \(0,0,0\): read of element 0 of shared 'local', which has no value yet
// finding: atomic_uninitialised.cu:7: kernel 'count', block \(0,0,0\) thread \(0,0,0\): out of bounds: atomic update of 8 bytes, element 4 of 4, 8 bytes past the end of 'sums' \(allocated at faults/atomic_uninitialised.cu:11\)
__device__ void add(float *local, double *sums) {
  atomicAdd(local, 1.0f);
  atomicAdd(&sums[4], 1.0);
}
int main() {
  double *sums;
  cudaMalloc(&sums, 32);
  cudaMemset(sums, 0, 32);
  extern void run(double *);
  run(sums);
  cudaFree(sums);
}
__global__ void count(double *sums) {
  __shared__ float local;
  add(&local, sums);
}
void run(double *sums) { count<<<1, 1>>>(sums); }
