// A block with more threads than the kernel's launch bounds is refused before any of it runs.
// output: 0 701 0 701 701 0 0 701 | 64 0 32 0 0 128 8 0
// count: plain | launches 1 blocks 1 threads 64
// count: doubled<64> | launches 1 blocks 1
// count: totals | launches 4
#include <stdio.h>
#define BOUNDS __launch_bounds__(32)
template <int threads> struct Limit { enum { value = 2 * threads }; };
__device__ int ran[8];
__global__ void __launch_bounds__(64) plain(int i) { atomicAdd(&ran[i], 1); }
__global__ __launch_bounds__(32, 2) void before(int i) { atomicAdd(&ran[i], 1); }
template <int threads> __global__ void __launch_bounds__(Limit<threads>::value,  // not the number itself
                                                         1) doubled(int i) { __syncthreads(); atomicAdd(&ran[i], 1); }
__global__ void __launch_bounds__(8) declared(int i = 6);
__global__ void __launch_bounds__(8) declared(int i) { atomicAdd(&ran[i], 1); }
static void report() { printf("%d ", cudaGetLastError()); }
int main() {
  int found[8];
  plain<<<1, 64>>>(0), report();
  plain<<<2, 65>>>(1), report();
  before<<<1, 32>>>(2), report();
  before<<<100, 64>>>(3), report();
  doubled<64><<<9, dim3(64, 3)>>>(4), report();
  doubled<64><<<1, 128>>>(5), report();
  declared<<<1, 8>>>(), report();
  declared<<<1, 1024>>>(7), report();
  cudaMemcpyFromSymbol(found, ran, sizeof found);
  printf("|");
  for (int n : found) printf(" %d", n);
  printf("\n");
}
