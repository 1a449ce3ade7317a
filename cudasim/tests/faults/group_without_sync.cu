// Tiles exchange values through shared memory: within a tile after its sync, but not with the next tile.
// mode: check
// finding: group_without_sync.cu:12: kernel 'k', block \(0,0,0\) thread \(0,0,0\): read of element 8 of shared 's', which has no value yet
// finding: group_without_sync.cu:9: kernel 'k', block \(0,0,0\) thread \(8,0,0\): race: write of element 8 of shared 's' and read by thread \(0,0,0\) at faults/group_without_sync.cu:12, with no barrier in between
// finding: group_without_sync.cu:12: kernel 'k', block \(0,0,0\) thread \(24,0,0\): race: read of element 0 of shared 's' and write by thread \(0,0,0\) at faults/group_without_sync.cu:9, with no barrier in between
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ void stage(int *s) {
  s[threadIdx.x] = threadIdx.x; }
__device__ int own(const int *s, unsigned rank) { return s[threadIdx.x / 8 * 8 + 7 - rank]; }
__device__ int next(const int *s) {
  return s[(threadIdx.x + 8) % 32]; }
__global__ void k(int *out) {
  __shared__ int s[32];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  stage(s);
  tile.sync();
  out[threadIdx.x] = own(s, tile.thread_rank()) + next(s);
}
int main() {
  int *out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaFree(out);
}
