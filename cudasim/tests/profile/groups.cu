// Cooperative groups, shuffles, barriers and reductions, block by block; none of them is a divergent branch.
// mode: profile
// count: sums | launches 1 exchanges 2*4*(5+1)+2 barriers 2 divergent_branches 2*4+2+2
// count: sums | shared.stores | requests 2*4 lanes 2*4
// count: sums | shared.loads | requests 2 lanes 2*4 wavefronts 2
// count: sums | global.loads | requests 2*4 sectors 2*4*4
// count: sums | global.stores | requests 2 lanes 2
// count: tiles | warp_barriers 4 exchanges 4+4*3 barriers 0 divergent_branches 0
// count: tiles | global.stores | requests 1 lanes 32
// count: votes | exchanges 5 divergent_branches 0
// count: twice<int> | launches 1
// count: other | launches 2
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void sums(int *out, const int *in) {
  __shared__ int partial[4];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int sum = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) sum += tile.shfl_down(sum, offset);
  sum = tile.shfl(sum, 0);
  if (tile.thread_rank() == 0) partial[tile.meta_group_rank()] = sum;
  cg::this_thread_block().sync();
  if (threadIdx.x < 4) {
    sum = __reduce_add_sync(0xf, partial[threadIdx.x]);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  }
}
__global__ void tiles(int *out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  tile.sync();
  int rank = cg::inclusive_scan(tile, 1) + cg::reduce(tile, 1, cg::plus<int>());
  rank += tile.shfl_xor(rank, 1) + __popc(tile.ballot(rank % 2));
  out[threadIdx.x] = rank;
}
__global__ void votes(int *out) {
  int lane = threadIdx.x;
  unsigned mask = __match_any_sync(~0u, lane % 3);
  int value = __ballot_sync(~0u, lane & 1) + __any_sync(~0u, lane == 2) + __all_sync(~0u, lane < 99) + mask;
  out[lane] = __shfl_up_sync(~0u, value, 1);
}
template <class T> __global__ void twice(T *a) { a[threadIdx.x] *= 2; }
namespace one { __global__ void other(int *a) { a[threadIdx.x] += 2; } }
int main() {
  int *a, *b;
  cudaMalloc(&a, 1024), cudaMalloc(&b, 1024);
  cudaMemset(a, 0, 1024), cudaMemset(b, 0, 1024);
  sums<<<2, 128>>>(b, a);
  tiles<<<1, 32>>>(b);
  votes<<<1, 32>>>(b);
  twice<int><<<1, 32>>>(b), twice<float><<<1, 32>>>((float *)b);
  one::other<<<1, 32>>>(b), one::other<<<1, 32>>>(a);
  cudaFree(a), cudaFree(b);
}
