// Attributes of kernels, and how many of their blocks fit.

#include "dynamic_shared_limit.h"
#include "last_error.h"
#include "occupancy.h"
#include "static_shared.h"

namespace cudasim {

cudaError_t occupancy(int *blocks, const void *kernel, int threads, size_t dynamic_shared) {
  if (!blocks || threads <= 0 || unsigned(threads) > max_block_threads)
    return record_error(cudaErrorInvalidValue);
  *blocks = int(blocks_per_multiprocessor(
      {unsigned(threads), static_shared_bytes(kernel) + dynamic_shared, 0}));
  return cudaSuccess;
}

// How many registers a kernel needs, only nvcc knows.
cudaFuncAttributes kernel_attributes(const void *kernel) {
  cudaFuncAttributes attributes = {};
  attributes.maxThreadsPerBlock = max_block_threads;
  attributes.ptxVersion = attributes.binaryVersion = 90;
  attributes.sharedSizeBytes = static_shared_bytes(kernel);
  attributes.maxDynamicSharedSizeBytes = int(dynamic_shared_limit(kernel, attributes.sharedSizeBytes));
  return attributes;
}

cudaError_t check_cooperative(dim3 grid) {
  bool single = grid.x == 1 && grid.y == 1 && grid.z == 1;
  return record_error(single ? cudaSuccess : cudaErrorCooperativeLaunchTooLarge);
}

}  // namespace cudasim
