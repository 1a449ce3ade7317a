// mode: check
// finding: race_with_atomic.cu:6: kernel 'count', block \(0,0,0\) thread \(1,0,0\): race: atomic update of element 0 of device variable 'total' and read by thread \(0,0,0\) at faults/race_with_atomic.cu:5
__device__ int total;
__global__ void count(int *out) {
  if (threadIdx.x == 0) { __syncwarp(1); if (__any_sync(3, 1)) *out = total; }
  else { atomicAdd(&total, 1); __any_sync(3, 1); atomicAdd(&total, 1); }
}
int main() {
  int *out;
  cudaMalloc(&out, sizeof *out);
  count<<<1, 2>>>(out);
  cudaFree(out);
}
