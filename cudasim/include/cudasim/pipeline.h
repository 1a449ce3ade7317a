// The primitives of <cuda_pipeline.h>.
#pragma once

#include "async_copy.h"

__forceinline__ void __pipeline_memcpy_async(void *to_shared, const void *from_global,
                                             size_t size_and_align, size_t zfill = 0) {
  CUDASIM_COMPILER_FENCE();
  // As `cp.async.cg` for 16 bytes, which caches "at the global level, that is, the L2 cache and below, not the L1
  // cache", and as `cp.async.ca` for fewer. (PTX ISA, "Cache Operators".)
  cudasim::async_copy(to_shared, from_global, size_and_align, zfill, size_and_align == 16);
  CUDASIM_COMPILER_FENCE();
}
__forceinline__ void __pipeline_commit() {
  CUDASIM_COMPILER_FENCE();
  cudasim::async_commit();
}
__forceinline__ void __pipeline_wait_prior(size_t prior) {
  CUDASIM_COMPILER_FENCE();
  cudasim::async_wait(prior);
  CUDASIM_COMPILER_FENCE();
}
