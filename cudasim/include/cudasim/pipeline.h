// Asynchronous copies from global to shared memory: the primitives of <cuda_pipeline.h>.
//
// A thread submits copies, commits those that it has submitted as a batch, and waits for all batches but the last
// few. (CUDA C++ Programming Guide, "Pipeline Interface"; PTX ISA, `cp.async`.) The bytes are copied when the copy is
// submitted, which a program that waits before it looks cannot tell. Check mode reports those that look earlier.
#pragma once

namespace cudasim {

#ifdef CUDASIM_OBSERVED

// Copies `bytes` bytes, the last `zero_bytes` of which are zeros instead, and tells the observer. Not inlined into
// the caller, so that the return address is the place of the user's call.
void async_copy(void *to, const void *from, size_t bytes, size_t zero_bytes);
void async_commit();

// Waits for all batches of the calling thread but the last `prior`.
void async_wait(size_t prior);

#else

inline void async_commit() {}
inline void async_wait(size_t) {}

template <size_t bytes>
__forceinline__ void copy_padded(void *to, const void *from, size_t zero_bytes) {
  if (__builtin_expect(zero_bytes == 0, 1)) {
    __builtin_memcpy(to, from, bytes);
    return;
  }
  size_t copied = zero_bytes < bytes ? bytes - zero_bytes : 0;
  __builtin_memcpy(to, from, copied);
  __builtin_memset(static_cast<char *>(to) + copied, 0, bytes - copied);
}

// As on a GPU, a size that the hardware does not have copies nothing.
__forceinline__ void async_copy(void *to, const void *from, size_t bytes, size_t zero_bytes) {
  switch (bytes) {
    case 4: return copy_padded<4>(to, from, zero_bytes);
    case 8: return copy_padded<8>(to, from, zero_bytes);
    case 16: return copy_padded<16>(to, from, zero_bytes);
  }
}

#endif

}  // namespace cudasim

__forceinline__ void __pipeline_memcpy_async(void *to_shared, const void *from_global,
                                             size_t size_and_align, size_t zfill = 0) {
  CUDASIM_COMPILER_FENCE();
  cudasim::async_copy(to_shared, from_global, size_and_align, zfill);
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
