// mode: check
// at-least
// finding: race_between_warps.cu:8: kernel 'k', block \(0,0,0\) thread \([0-9]+,0,0\): race: read of element [0-9]+ of shared 's'
__global__ void k(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof *out);
  k<<<1, 64>>>(out);
  cudaFree(out);
}
