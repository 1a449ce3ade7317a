// Tiles of tiles and of coalesced groups: their ranks among those of the parent, and shuffles of structures.
// output: 0 wrong
#include <cooperative_groups.h>
#include <stdio.h>
namespace cg = cooperative_groups;
struct Point { double x, y, z; int name; };
__device__ int wrong;
#define EXPECT(condition) do { if (!(condition)) { atomicAdd(&wrong, 1); printf("line %d, thread %d\n", __LINE__, threadIdx.x); } } while (0)
__device__ unsigned rank_of(const cg::thread_block_tile<8> &tile) { return tile.meta_group_rank() * 8 + tile.thread_rank(); }
__global__ void tiles() {
  auto block = cg::this_thread_block();
  unsigned i = threadIdx.x;
  auto warp = cg::tiled_partition<32>(block);
  EXPECT(warp.meta_group_rank() == i / 32 && warp.meta_group_size() == 3);
  auto eight = cg::tiled_partition<8>(warp);
  EXPECT(eight.meta_group_rank() == i % 32 / 8 && eight.meta_group_size() == 4 && eight.thread_rank() == i % 8);
  EXPECT(rank_of(eight) == i % 32 && eight.num_threads() == 8);
  auto same = cg::tiled_partition<8>(eight);
  EXPECT(same.meta_group_rank() == 0 && same.meta_group_size() == 1);
  auto two = cg::tiled_partition<2>(block);
  EXPECT(two.meta_group_rank() == i / 2 && two.meta_group_size() == 40);
  eight.sync();
  EXPECT(eight.any(i % 8 == 3) && !eight.all(i % 8 == 3) && eight.ballot(i % 8 == 3) == 8);
  EXPECT(eight.match_any(i % 2) == (i % 2 ? 0xaau : 0x55u));
  int all;
  EXPECT(eight.match_all(i / 8, all) == 0xff && all);
  Point point = eight.shfl(Point{double(i), 2.0 * i, -1.0 * i, int(i)}, 5), next = eight.shfl_down(Point{0, 0, double(i), 1}, 1);
  EXPECT(point.x == i / 8 * 8 + 5 && point.y == 2 * point.x && point.z == -point.x && point.name == int(point.x));
  EXPECT(next.z == (i % 8 == 7 ? i : i + 1) && eight.shfl_xor(i, 3) == (i ^ 3) && eight.shfl_up(i, 2) == (i % 8 < 2 ? i : i - 2));
  if (i % 2 == 0) {
    auto even = cg::coalesced_threads();
    auto quad = cg::tiled_partition(even, 4);
    EXPECT(quad.meta_group_rank() == i % 32 / 8 && quad.thread_rank() == i % 8 / 2 && quad.size() == 4);
    EXPECT(quad.shfl(int(i), 0) == int(i / 8 * 8));
  }
}
__global__ void masks(int *out) {
  unsigned i = threadIdx.x, half = i < 16 ? 0xffffu : 0xffff0000u;
  __shared__ int s[32];
  s[i] = i;
  __syncwarp(half);
  out[i] = s[i ^ 1];
  __syncwarp();
  s[i] = out[i];
  __syncwarp();
  EXPECT(s[31 - i] == int((31 - i) ^ 1));
}
int main() {
  int count, *out;
  cudaMalloc(&out, 128);
  tiles<<<2, 80>>>();
  masks<<<1, 32>>>(out);
  cudaMemcpyFromSymbol(&count, wrong, sizeof count);
  printf("%d wrong\n", count);
  cudaFree(out);
}
