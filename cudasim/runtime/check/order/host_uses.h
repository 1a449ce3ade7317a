// Host memory that copies, kernels and host functions use while the host goes on.
//
// The documentation leaves open whether an asynchronous copy of pageable memory waits for the copy
// ("the function might be synchronous with respect to host"), so that a program must not rely on
// it: pageable and pinned memory are alike here.  (CUDA Runtime API, "API synchronization behavior".)
#pragma once

#include "cell.h"
#include "order/operations.h"
#include "order/streams.h"

namespace cudasim {

// The operation uses these bytes, or will; `code` is where a finding is.
void add_host_use(const Operation &operation, const void *begin, size_t bytes, Access access,
                  unsigned code);

// Whether there are any that the host has not waited for.
extern bool any_host_uses;

// Host code, which may be a host function of a stream, uses these bytes now.
void note_host_use(const void *begin, size_t bytes, Access access, const void *caller);
inline void check_host_use(const void *begin, size_t bytes, Access access, const void *caller) {
  if (any_host_uses || host_function) note_host_use(begin, bytes, access, caller);
}

// The host has waited for these.
void forget_host_uses(const Clock &host);

}  // namespace cudasim
