// output: 523776 1023 32 31
__inline__ __device__ int warp_sum(int v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
  return v;
}
__global__ void reduce(const int *in, int *out) {
  __shared__ int partial[32];
  int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  int v = warp_sum(in[threadIdx.x]);
  if (lane == 0) partial[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = warp_sum(partial[lane]);
    if (lane == 0) out[0] = v;
  }
  int greatest = in[threadIdx.x];
  for (int mask = 16; mask; mask >>= 1) greatest = max(greatest, __shfl_xor_sync(~0u, greatest, mask));
  if (threadIdx.x == 1023) out[1] = greatest;
  unsigned votes = __ballot_sync(~0u, lane % 2);
  if (threadIdx.x == 0) out[2] = __popc(votes) * 2;
  int last = __shfl_sync(~0u, lane, 31);
  if (threadIdx.x == 64) out[3] = last;
}
// Shared memory without barriers between the lanes of one warp.
__global__ void reduce_in_warp(int *a) {
  __shared__ int s[32];
  int lane = threadIdx.x;
  s[lane] = 1;
  __syncwarp();
  for (int offset = 16; offset; offset /= 2) {
    int v = s[lane] + s[lane ^ offset];
    __syncwarp();
    s[lane] = v;
    __syncwarp();
  }
  if (lane == 0 && s[0] != 32) *a = -1;
}
int main() {
  int h[1024], *in, *out;
  for (int i = 0; i < 1024; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h), cudaMalloc(&out, 16);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  reduce<<<1, 1024>>>(in, out);
  reduce_in_warp<<<1, 32>>>(out);
  cudaMemcpy(h, out, 16, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]);
  cudaFree(in), cudaFree(out);
}
