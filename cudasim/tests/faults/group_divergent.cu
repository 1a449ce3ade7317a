// Not all threads of a tile, and not all of a block, come to the meeting.
// mode: check
// at-least
// finding: group_divergent.cu:9: kernel 'k', block \(0,0,0\): divergent warp: thread \(0,0,0\) waits here for lanes that its mask names
// finding: group_divergent.cu:13: kernel 'b', block \(0,0,0\): divergent barrier: thread \(0,0,0\) and 15 more wait here, but thread \(16,0,0\) and 15 more have returned
#include <cooperative_groups.h>
__global__ void k(int *out) {
  auto tile = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
  if (tile.thread_rank() < 4) out[threadIdx.x] = tile.shfl(threadIdx.x, 5);
  else __syncthreads();
}
__global__ void b() {
  if (threadIdx.x < 16) cooperative_groups::this_thread_block().sync();
}
int main() {
  int *out;
  cudaMalloc(&out, 128);
  k<<<1, 16>>>(out);
  b<<<1, 32>>>();
  cudaFree(out);
}
