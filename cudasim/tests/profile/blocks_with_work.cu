// Blocks in which something is accessed, and blocks that were started for nothing.
// mode: profile
// count: early | launches 2 blocks 2*8 blocks_with_work 2*3
// count: late | blocks 4 blocks_with_work 1
// count: in_shared_memory | blocks 3 blocks_with_work 3
// count: without_memory | blocks 5 blocks_with_work 0
__constant__ int limit = 3;
__global__ void early(int *to) {
  if (blockIdx.x >= limit) return;
  to[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
// In the only block with work, one thread of the last warp has it, behind a barrier.
__global__ void late(int *to) {
  __syncthreads();
  if (blockIdx.x == 2 && threadIdx.x == 63) to[0] = 1;
}
__global__ void in_shared_memory() {
  __shared__ volatile int place[32];
  place[threadIdx.x] = 1;
}
__global__ void without_memory() {
  if (blockIdx.x < limit) __syncthreads();
}
int main() {
  int *to;
  cudaMalloc(&to, 8 * 64 * sizeof *to);
  early<<<8, 64>>>(to);
  early<<<8, 64>>>(to);
  late<<<4, 64>>>(to);
  in_shared_memory<<<3, 32>>>();
  without_memory<<<5, 64>>>();
  cudaFree(to);
}
