// mode: check
// finding: mask_without_self.cu:5: kernel 'k', block \(0,0,0\) thread \(16,0,0\): divergent warp: the mask 0xffff does not name the lane, 16, that gives it
// finding: mask_without_self.cu:6: kernel 'k', block \(0,0,0\) thread \(0,0,0\): divergent warp: the mask 0x2 does not name the lane, 0, that gives it
__global__ void k(int *out) {
  out[threadIdx.x] = __shfl_sync(0xffff, int(threadIdx.x), 2);
  if (threadIdx.x == 0) out[0] = __ballot_sync(2, 1);
}
int main() {
  int *out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaFree(out);
}
