// What a program can tell the checker about copies of host memory that it keeps on the device (see "Stale values"
// in README.md). Everywhere but in a program built with --coherence, these functions do nothing.
#pragma once

#include <stddef.h>

namespace cudasim {

#ifdef CUDASIM_COHERENCE

// `device` is from now on the place of a copy of `host`, and nothing is copied yet. Unlike a link that a copy makes,
// this one lasts until the device memory is freed or `unlinks` is called, even if the host memory is freed before.
// A device byte has one home: an older link of it ends. Host memory may have several copies; when a copy moves, link
// the new place, copy, and free the old one, in this order.
void links(const void *host, const void *device, size_t bytes);

// These bytes of device memory are copies of nothing from now on. Values that only they have are lost.
void unlinks(const void *device, size_t bytes);

// Code that is not instrumented reads or writes host memory.
void host_reads(const void *host, size_t bytes);
void host_writes(const void *host, size_t bytes);

#else

inline void links(const void *, const void *, size_t) {}
inline void unlinks(const void *, size_t) {}
inline void host_reads(const void *, size_t) {}
inline void host_writes(const void *, size_t) {}

#endif

}  // namespace cudasim
