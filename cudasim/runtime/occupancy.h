// How many blocks run on a multiprocessor at the same time.
#pragma once

#include "device_model.h"

namespace cudasim {

// As far as threads and shared memory decide; how many registers a kernel needs, only nvcc knows.
// None if the block needs more shared memory than there is.
inline unsigned blocks_per_multiprocessor(unsigned threads, size_t shared_bytes) {
  const MultiprocessorModel &model = device_model().multiprocessor;
  unsigned whole_warps = (threads + 31) / 32 * 32;
  unsigned long long blocks = model.threads / whole_warps;
  unsigned long long block_shared = shared_bytes + model.reserved_shared_bytes;
  if (block_shared && model.shared_bytes / block_shared < blocks) blocks = model.shared_bytes / block_shared;
  return unsigned(blocks < model.blocks ? blocks : model.blocks);
}

}  // namespace cudasim
