// Asynchronous copies from global to shared memory: the primitives of <cuda_pipeline.h>, and what inline PTX becomes.
//
// A thread submits copies, commits those that it has submitted as a batch, and waits for all batches but the last
// few. (CUDA C++ Programming Guide, "Pipeline Interface"; PTX ISA, `cp.async`.) The bytes are copied when the copy is
// submitted, which a program that waits before it looks cannot tell. Check mode reports those that look earlier.
#pragma once

namespace cudasim {

// `async_copy` copies `bytes` bytes, the last `zero_bytes` of which are zeros instead, by way of the L1 cache or past it.
// `async_wait` waits for all batches of the calling thread but the last `prior`.

#ifdef CUDASIM_OBSERVED

// The observer copies, too.
void observe_async_copy(void *to, const void *from, size_t bytes, size_t zero_bytes, bool past_l1);
void observe_async_commit();
void observe_async_wait(size_t prior);

// Inlined, so that the observer's return address is the place of the user's call.
__forceinline__ void async_copy(void *to, const void *from, size_t bytes, size_t zero_bytes, bool past_l1) {
  observe_async_copy(to, from, bytes, zero_bytes, past_l1);
}
__forceinline__ void async_commit() { observe_async_commit(); }
__forceinline__ void async_wait(size_t prior) { observe_async_wait(prior); }

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
__forceinline__ void async_copy(void *to, const void *from, size_t bytes, size_t zero_bytes, bool) {
  switch (bytes) {
    case 4: return copy_padded<4>(to, from, zero_bytes);
    case 8: return copy_padded<8>(to, from, zero_bytes);
    case 16: return copy_padded<16>(to, from, zero_bytes);
  }
}

#endif

// `cp.async`: an address of shared memory, and a pointer or address of global memory. Of a source with more bytes than
// are copied, the documentation leaves open what happens.
template <class Global>
__forceinline__ void ptx_async_copy(size_t to, Global from, size_t bytes, size_t source_bytes, bool past_l1) {
  CUDASIM_COMPILER_FENCE();
  async_copy(from_shared_window(to), (const void *)(from), bytes, bytes - source_bytes, past_l1);
  CUDASIM_COMPILER_FENCE();
}

}  // namespace cudasim
