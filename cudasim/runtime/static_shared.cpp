#include "static_shared.h"

namespace cudasim {

struct SharedSize {
  const void *function;
  unsigned long long bytes;
};

}  // namespace cudasim

extern "C" {
extern const cudasim::SharedSize __start_cudasim_shared_sizes[] __attribute__((weak));
extern const cudasim::SharedSize __stop_cudasim_shared_sizes[] __attribute__((weak));
}

namespace cudasim {

static size_t find_shared_size(const void *function) {
  size_t most = 0;
  const SharedSize *end = __stop_cudasim_shared_sizes;
  for (const SharedSize *size = __start_cudasim_shared_sizes; size != end; ++size)
    if (size->function == function && size->bytes > most) most = size->bytes;
  return most;
}

// A program mostly launches the same kernel again.
size_t static_shared_bytes(const void *function) {
  static __thread const void *last_function;
  static __thread size_t last_bytes;
  if (function != last_function) {
    last_bytes = find_shared_size(function);
    last_function = function;
  }
  return last_bytes;
}

}  // namespace cudasim
