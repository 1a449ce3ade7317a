#include "dynamic_shared_limit.h"

#include "device_model.h"
#include "last_error.h"
#include "limits.h"
#include "lock.h"
#include "static_shared.h"

namespace cudasim {

constexpr int max_raised_limits = 256;

struct RaisedLimit {
  const void *kernel;
  size_t bytes;
};
static RaisedLimit raised_limits[max_raised_limits];
static int raised_limit_count;
static pthread_mutex_t limit_mutex = PTHREAD_MUTEX_INITIALIZER;

size_t dynamic_shared_limit(const void *kernel, size_t static_shared) {
  Lock lock(limit_mutex);
  size_t limit = default_shared_bytes > static_shared ? default_shared_bytes - static_shared : 0;
  for (int i = 0; i < raised_limit_count; ++i)
    if ((!kernel || raised_limits[i].kernel == kernel) && raised_limits[i].bytes > limit)
      limit = raised_limits[i].bytes;
  return limit;
}

static RaisedLimit *raised_limit_of(const void *kernel) {
  for (int i = 0; i < raised_limit_count; ++i)
    if (raised_limits[i].kernel == kernel) return &raised_limits[i];
  return raised_limit_count < max_raised_limits ? &raised_limits[raised_limit_count++] : nullptr;
}

cudaError_t set_dynamic_shared_limit(const void *kernel, int bytes) {
  if (bytes < 0 || size_t(bytes) + static_shared_bytes(kernel) > device_model().block_shared_bytes)
    return record_error(cudaErrorInvalidValue);
  Lock lock(limit_mutex);
  RaisedLimit *limit = raised_limit_of(kernel);
  if (!limit) return record_error(cudaErrorUnknown);
  *limit = {kernel, size_t(bytes)};
  return cudaSuccess;
}

}  // namespace cudasim
