// Which side has the newest value of each byte that host and device both hold: what the rest of the checker tells the
// coherence check. It is built with --coherence only; without it, these functions do nothing.
#pragma once

#include "cell.h"
#include "region.h"

namespace cudasim {

struct Copy;
struct Fill;

#ifdef CUDASIM_COHERENCE

void track_host_access(const void *address, size_t bytes, Access access, const void *caller);
void track_kernel_access(Region &region, size_t offset, size_t bytes, Access access, unsigned code);
void track_copy(const Copy &copy, const void *caller);
void track_fill(const Fill &fill, const void *caller);
void track_device_free(const Region &region, const void *caller);
void track_function_exit(const void *frame_end);

#else

inline void track_host_access(const void *, size_t, Access, const void *) {}
inline void track_kernel_access(Region &, size_t, size_t, Access, unsigned) {}
inline void track_copy(const Copy &, const void *) {}
inline void track_fill(const Fill &, const void *) {}
inline void track_device_free(const Region &, const void *) {}
inline void track_function_exit(const void *) {}

#endif

}  // namespace cudasim
