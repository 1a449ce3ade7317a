// output: 31 0 62
// output: 7 7
// Parts of a warp that wait by themselves do not forget what the whole warp has waited for.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void halves(int *out) {
  __shared__ int s[32];
  int lane = threadIdx.x;
  s[lane] = lane;
  __syncwarp();
  int v = s[31 - lane];
  __syncwarp();
  out[lane] = v;
  if (lane < 16) {
    __syncwarp(0xffff);
    s[lane] = v;
  } else {
    v += __shfl_down_sync(0xffff0000, v, 4, 8);
    s[lane] = v;
  }
}

__global__ void tiles(int *out) {
  __shared__ int s[32];
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto half = cg::tiled_partition<16>(warp);
  int lane = warp.thread_rank();
  s[lane] = lane;
  warp.sync();
  int v = s[31 - lane];
  warp.sync();
  v += half.shfl(v, 0);
  s[lane] = v;
  warp.sync();
  out[lane] = s[lane];
}

// Lane 2 waits for lane 0 through lane 1.
__global__ void chain(int *out) {
  __shared__ int s;
  int lane = threadIdx.x;
  if (lane == 0) s = 7;
  if (lane < 2) __syncwarp(3);
  if (lane == 1 || lane == 2) __syncwarp(6);
  if (lane == 1 || lane == 2) out[lane - 1] = s;
}

int main() {
  int *d, h[32];
  cudaMalloc(&d, sizeof h);
  halves<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d", h[0], h[31]);
  tiles<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf(" %d\n", h[0]);
  chain<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[1]);
  cudaFree(d);
}
