// How many blocks run on a multiprocessor at the same time.
#pragma once

#include "limits.h"

namespace cudasim {

// As far as threads and shared memory decide; how many registers a kernel needs, only nvcc knows.
inline unsigned blocks_per_multiprocessor(unsigned threads, size_t shared_bytes) {
  unsigned whole_warps = (threads + 31) / 32 * 32;
  unsigned by_threads = multiprocessor_threads / whole_warps;
  auto by_shared = unsigned(multiprocessor_shared_bytes / (shared_bytes + reserved_shared_bytes));
  unsigned blocks = by_threads < by_shared ? by_threads : by_shared;
  return blocks < multiprocessor_blocks ? blocks : multiprocessor_blocks;
}

}  // namespace cudasim
