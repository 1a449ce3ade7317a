// memcpy_async of a group: its threads share the copy, as asynchronous pieces where memory and alignment allow, and
// `wait` is where they may rely on it. Each call is a batch of its own.
#pragma once

#include "cooperative_groups.h"
#include "pipeline.h"

namespace cooperative_groups {

namespace details {

// The largest piece that addresses and size are multiples of, or 0 where the hardware has none.
CUDASIM_UNCHECKED inline size_t async_piece(const void *to, const void *from, size_t bytes) {
  size_t all = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
  return all % 16 == 0 ? 16 : all % 8 == 0 ? 8 : all % 4 == 0 ? 4 : 0;
}

template <class Group>
__forceinline__ void copy_pieces(const Group &group, char *to, const char *from, size_t bytes, size_t piece) {
  for (size_t i = group.thread_rank() * piece; i < bytes; i += group.size() * piece)
    cudasim::async_copy(to + i, from + i, piece, 0, piece == 16);
}

}  // namespace details

template <class Group, class Type>
__forceinline__ void memcpy_async(const Group &group, Type *to, const Type *from, size_t bytes) {
  size_t piece = __isShared(to) && !__isShared(from) ? details::async_piece(to, from, bytes) : 0;
  CUDASIM_COMPILER_FENCE();
  if (piece) {
    details::copy_pieces(group, reinterpret_cast<char *>(to), reinterpret_cast<const char *>(from), bytes, piece);
  } else {
    for (size_t i = group.thread_rank(); i < bytes / sizeof(Type); i += group.size()) to[i] = from[i];
  }
  cudasim::async_commit();
  CUDASIM_COMPILER_FENCE();
}

template <class Group>
void wait(const Group &group, CUDASIM_HERE) {
  __pipeline_wait_prior(0);
  group.sync(file, line);
}
template <unsigned prior, class Group>
void wait_prior(const Group &group, CUDASIM_HERE) {
  __pipeline_wait_prior(prior);
  group.sync(file, line);
}

}  // namespace cooperative_groups
