// output: 1024
// More host threads, one after the other, than could each have stacks of their own for a whole block.
#include <thread>

__global__ void add_one(int *a) {
  __shared__ int copies[1024];
  copies[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = copies[1023 - threadIdx.x] + 1;
}

int main() {
  int *d, a[1024];
  cudaMalloc(&d, sizeof a);
  cudaMemset(d, 0, sizeof a);
  for (int i = 0; i < 64; ++i) std::thread([=] { add_one<<<1, 1024>>>(d); }).join();
  cudaMemcpy(a, d, sizeof a, cudaMemcpyDeviceToHost);
  cudaFree(d);
  int right = 0;
  for (int value : a) right += value == 64;
  printf("%d\n", right);
}
