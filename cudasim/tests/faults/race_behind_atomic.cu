// mode: check
// finding: race_behind_atomic.cu:9: kernel 'count', .* thread \(1,0,0\): race: atomic update of element 0 of shared 's' and write by thread \(0,0,0\) at faults/race_behind_atomic.cu:8, with no barrier in between
// finding: race_behind_atomic.cu:16: kernel 'zero', block \(1,0,0\) thread \(0,0,0\): race: atomic update of .* and write by block \(0,0,0\) thread \(0,0,0\) at faults/race_behind_atomic.cu:14, in another block
// finding: race_behind_atomic.cu:20: kernel 'reset', .* thread \(63,0,0\): race: write of .* and atomic update by thread \(31,0,0\) at faults/race_behind_atomic.cu:19
// finding: race_behind_atomic.cu:26: kernel 'peek', .* thread \(1,0,0\): race: read of .* and atomic update by thread \(0,0,0\) at faults/race_behind_atomic.cu:24
__global__ void count(int *out) {
  __shared__ int s;
  if (threadIdx.x == 0) s = 0;
  atomicAdd(&s, 1);
  __syncthreads();
  out[threadIdx.x] = s;
}
__global__ void zero(int *counter) {
  if (threadIdx.x == 0 && blockIdx.x == 0) *counter = 0;
  __syncthreads();
  atomicAdd(counter, 1);
}
__global__ void reset(int *counter) {
  atomicAdd(counter, 1);
  if (threadIdx.x == 63) *counter = 0;
}
// The last atomic operation is the reader's own, and hides the others.
__global__ void peek(int *counter, int *out) {
  atomicAdd(counter, 1);
  if (threadIdx.x == 1)
    *out = *counter;
}
int main() {
  int *counter, *out;
  cudaMalloc(&counter, sizeof(int)), cudaMalloc(&out, 64 * sizeof(int));
  count<<<1, 64>>>(out);
  zero<<<2, 32>>>(counter);
  reset<<<1, 64>>>(counter);
  peek<<<1, 2>>>(counter, out);
  cudaFree(counter), cudaFree(out);
}
