// Atomic operations of block scope: other blocks, and other streams' kernels, do not see them whole.
// mode: check
// finding: :8: kernel 'narrow', block \(1,0,0\) thread \(0,0,0\): race: atomic update of block scope of element 0 of 'd' .* and atomic update of block scope by block \(0,0,0\) thread \(7,0,0\) at .*:8, in another block of the same launch
// finding: :10: kernel 'mixed', block \(1,0,0\) thread \(0,0,0\): race: atomic update of element 1 of 'd' .* and atomic update of block scope by block \(0,0,0\) thread \(7,0,0\) at .*:9
// finding: :11: kernel 'one_block', .*: race between streams: atomic update of block scope of element 2 of 'd' .* and atomic update at .*:12 by kernel 'other'
// finding: :14: kernel 'unordered', block \(1,0,0\) .*: race: write of element 3 of 'd'
#include <stdio.h>
__global__ void narrow(int *d) { atomicAdd_block(d, 1); }
__global__ void mixed(int *d) { if (blockIdx.x == 0) atomicMax_block(d + 1, 1);
  else atomicAdd(d + 1, 1); }
__global__ void one_block(int *d) { __shared__ int s; if (!threadIdx.x) s = 0; __syncthreads(); atomicAdd_block(&s, 1), atomicAdd_block(d + 2, 1); }
__global__ void other(int *d) { atomicAdd_system(d + 2, 1); }
// A fence with an operation of block scope releases nothing to other blocks.
__global__ void unordered(int *d) { d[3] = 1, __threadfence(), atomicAdd_block(d + 64 + blockIdx.x, 1); }
int main() {
  int *d;
  cudaStream_t s, t;
  cudaMalloc(&d, 1024), cudaMemset(d, 0, 1024);
  cudaStreamCreate(&s), cudaStreamCreate(&t);
  narrow<<<2, 8>>>(d);
  mixed<<<3, 8>>>(d);
  one_block<<<1, 8>>>(d);
  other<<<4, 8>>>(d);
  other<<<1, 8, 0, s>>>(d);
  one_block<<<1, 8, 0, t>>>(d);
  unordered<<<2, 1>>>(d);
  cudaDeviceSynchronize();
  cudaStreamDestroy(s), cudaStreamDestroy(t);
  cudaFree(d);
}
