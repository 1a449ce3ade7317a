// What programs ask of a device, launches by cudaLaunchKernel, and kernels that print and assert.
// output: thread 1 of 2
// output: 9.0 132 32 8 1024 0 2048 5 700
#include <cassert>
#include <cstdio>
#include "cuda_runtime_api.h"
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    if (abort) exit(code);
  }
}
__global__ void says(int *a, float b, const char *format) {
  assert(blockDim.x == 2);
  if (threadIdx.x == 1) printf("thread %d of %d\n", threadIdx.x, blockDim.x), *a = int(b);
}
int main() {
  int devices = 0, device = -1, blocks, least_grid, block, shared, warp, *a, value = 0;
  cudaDeviceProp prop;
  cudaFuncAttributes attributes;
  gpuErrchk(cudaGetDeviceCount(&devices));
  gpuErrchk(cudaSetDevice(devices - 1));
  gpuErrchk(cudaGetDevice(&device));
  gpuErrchk(cudaGetDeviceProperties(&prop, device));
  gpuErrchk(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlock, device));
  gpuErrchk(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device));
  gpuErrchk(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, says, 256, 0));
  gpuErrchk(cudaOccupancyMaxPotentialBlockSize(&least_grid, &block, says, 0, 0));
  gpuErrchk(cudaFuncGetAttributes(&attributes, says));
  gpuErrchk(cudaFuncSetCacheConfig(says, cudaFuncCachePreferL1));
  gpuErrchk(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
  gpuErrchk(cudaMalloc((void **)&a, sizeof *a));
  float b = 5.5f;
  const char *format = nullptr;
  void *arguments[] = {&a, &b, &format};
  gpuErrchk(cudaLaunchKernel(says, dim3(1), dim3(2), arguments, 0, 0));
  gpuErrchk(cudaPeekAtLastError());
  gpuErrchk(cudaMemcpy(&value, a, sizeof value, cudaMemcpyDeviceToHost));
  printf("%d.%d %d %d %d %d %d %d %d %d\n", prop.major, prop.minor, prop.multiProcessorCount, warp, blocks, block, attributes.numRegs,
         prop.maxThreadsPerMultiProcessor, value, cudaErrorIllegalAddress);
  if (shared != 49152) printf("%d bytes of shared memory\n", shared);
  gpuErrchk(cudaFree(a));
  gpuErrchk(cudaDeviceReset());
}
