// output: 32640 255 136 120 16 4 30 5 7 1
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

// Sum of the block: a tile at a time by shuffles, then the tiles' sums.
__device__ int sum_of_tile(cg::thread_block_tile<32> tile, int value) {
  for (int offset = tile.size() / 2; offset > 0; offset /= 2) value += tile.shfl_down(value, offset);
  return value;
}
__global__ void block_sum(const int *in, int *out) {
  __shared__ int partial[8];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  int sum = sum_of_tile(tile, in[block.thread_rank()]);
  if (tile.thread_rank() == 0) partial[tile.meta_group_rank()] = sum;
  block.sync();
  if (tile.meta_group_rank() == 0) {
    auto eight = cg::tiled_partition<8>(tile);
    sum = cg::reduce(eight, tile.thread_rank() < 8 ? partial[tile.thread_rank()] : 0, cg::plus<int>());
    if (tile.thread_rank() == 0) out[0] = sum;
  }
  int greatest = cg::reduce(tile, in[block.thread_rank()], cg::greater<int>());
  if (block.thread_rank() == block.size() - 1) out[1] = greatest;
}

// Each tile of 16 by itself, and the lanes of a branch among themselves.
__global__ void small_groups(int *out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int inclusive = cg::inclusive_scan(tile, int(tile.thread_rank()) + 1);
  int exclusive = cg::exclusive_scan(tile, int(tile.thread_rank()) + 1);
  if (threadIdx.x == 15) out[2] = inclusive, out[3] = exclusive;
  if (threadIdx.x % 2) {
    cg::coalesced_group active = cg::coalesced_threads();
    if (active.thread_rank() == 0) out[4] = active.size();
    int third = active.shfl(int(threadIdx.x), 2);
    if (active.thread_rank() == 1) out[5] = third - 1;
  }
  cg::thread_group quad = cg::tiled_partition(cg::this_thread_block(), 4);
  quad.sync();
  if (quad.thread_rank() == 3 && threadIdx.x == 31) out[6] = tile.shfl_xor(0, 0) + quad.size() + 26;
  else tile.shfl_xor(0, 0);
  auto same = cg::labeled_partition(tile, threadIdx.x % 3);
  if (threadIdx.x == 2) out[7] = same.size();
}

// One atomic for all lanes of a warp that have something to add.
__device__ int add_aggregated(int *count) {
  auto active = cg::coalesced_threads();
  int first = 0;
  if (active.thread_rank() == 0) first = atomicAdd(count, int(active.size()));
  return active.shfl(first, 0) + int(active.thread_rank());
}
__global__ void compact(const int *in, int *to, int *count) {
  if (in[threadIdx.x] % 37 == 1) to[add_aggregated(count)] = in[threadIdx.x];
}
__global__ void one_block(int *out) {
  cg::grid_group grid = cg::this_grid();
  __shared__ int staged[64];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, staged, out + 16, sizeof staged);
  cg::wait(block);
  if (grid.thread_rank() == 0) out[9] = staged[63];
  grid.sync();
  if (grid.thread_rank() == 1) out[9] += 1;
}
int main() {
  int h[256], *in, *out, *count, back[16];
  for (int i = 0; i < 256; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h), cudaMalloc(&out, 400), cudaMalloc(&count, 4);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, 400), cudaMemset(count, 0, 4);
  block_sum<<<1, 256>>>(in, out);
  small_groups<<<1, 32>>>(out);
  compact<<<1, 256>>>(in, out + 16, count);
  cudaMemcpy(out + 8, count, 4, cudaMemcpyDeviceToDevice);
  int *pointer = out;
  void *arguments[] = {&pointer};
  cudaLaunchCooperativeKernel(one_block, dim3(1), dim3(64), arguments, 0, 0);
  if (cudaLaunchCooperativeKernel(one_block, dim3(2), dim3(64), arguments, 0, 0) != cudaErrorCooperativeLaunchTooLarge)
    puts("two blocks were accepted");
  cudaGetLastError();
  cudaMemcpy(back, out, 64, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 10; ++i) printf("%d%c", back[i], i < 9 ? ' ' : '\n');
  cudaFree(in), cudaFree(out), cudaFree(count);
}
