// mode: check
// finding: race_between_parts.cu:8: kernel 'k', .* thread \(16,0,0\): race: read of element 0 of shared 's' and write by thread \(0,0,0\) at faults/race_between_parts.cu:6
// Each half of the warp waits for itself only.
__global__ void k(int *out) {
  __shared__ int s;
  if (threadIdx.x == 0) s = 1;
  __syncwarp(threadIdx.x < 16 ? 0xffffu : 0xffff0000u);
  out[threadIdx.x] = s;
}
int main() {
  int *out;
  cudaMalloc(&out, 32 * sizeof(int));
  k<<<1, 32>>>(out);
  cudaFree(out);
}
