// Checks a launch as the device would and runs its grid.

#include "block.h"
#include "device_model.h"
#include "devices.h"
#include "dynamic_shared_limit.h"
#include "last_error.h"
#include "limits.h"
#include "observer.h"
#include "static_shared.h"
#include "stream_order.h"
#include "turn.h"
#include "workers.h"

namespace cudasim {

static bool is_valid_grid(const dim3 &grid) {
  return grid.x && grid.y && grid.z && grid.x <= max_grid_x && grid.y <= max_grid_yz &&
         grid.z <= max_grid_yz;
}

static bool is_valid_block(const dim3 &block) {
  unsigned long long threads = 1ull * block.x * block.y;
  return block.x && block.y && block.z && block.z <= max_block_z && threads <= max_block_threads &&
         threads * block.z <= max_block_threads;
}

// A kernel whose limit was raised for another one, as it has no known address, may have too much in all.
static bool fits_shared_memory(const Launch &launch) {
  size_t dynamic_shared = launch.shape->dynamic_shared;
  if (!dynamic_shared) return true;
  size_t static_shared = static_shared_bytes(launch.run_threads);
  return dynamic_shared <= dynamic_shared_limit(launch.kernel_address, static_shared) &&
         static_shared + dynamic_shared <= device_model().block_shared_bytes;
}

static cudaError_t check_shape(const Launch &launch) {
  const Shape &shape = *launch.shape;
  if (!is_valid_grid(shape.grid) || !is_valid_block(shape.block))
    return cudaErrorInvalidConfiguration;
  return fits_shared_memory(launch) ? cudaSuccess : cudaErrorInvalidValue;
}

static unsigned long long block_count(const dim3 &grid) { return 1ull * grid.x * grid.y * grid.z; }

static void refuse_nested_launch(const Launch &launch) {
  fprintf(stderr, "cudasim: %s:%d: a kernel launches a kernel, which is not simulated\n",
          launch.site.file, launch.site.line);
  abort();
}

static cudaError_t run_grid(const Launch &asked) {
  Launch launch = asked;
  cudaError_t refusal = cudaSuccess;
  launch.refusal = &refusal;
  observe_launch(launch);
  run_blocks(launch, block_count(launch.shape->grid));
  observe_launch_end();
  if (refusal == cudaSuccess) return cudaSuccess;
  observe_refused_launch(launch);
  observe_rejected_launch(launch);
  return record_error(refusal);
}

cudaError_t launch(const Launch &wanted) {
  Launch launch = wanted;
  launch.device = current_device();
  if (block && block->launch) refuse_nested_launch(launch);
  Turn turn;
  cudaError_t error = check_shape(launch);
  if (error != cudaSuccess) {
    record_error(error);
    observe_rejected_launch(launch);
    return error;
  }
  return order_launch(launch, run_grid);
}

}  // namespace cudasim
