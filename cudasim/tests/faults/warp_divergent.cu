// mode: check
// at-least
// finding: warp_divergent.cu:[45]: kernel 'k', block \(0,0,0\): divergent warp: thread \(0,0,0\) waits here for lanes that its mask names
__global__ void k() {
  if (threadIdx.x < 16) __syncwarp();
  else __syncthreads();
  if (threadIdx.x < 16) __syncthreads();
}
int main() { k<<<1, 32>>>(); }
// at-least
