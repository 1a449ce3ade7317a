// What the API's functions of one, two and three dimensions have in common.
#pragma once

#include "device_memory.h"

namespace cudasim {

constexpr size_t pitch_alignment = 512;

// Each checks its arguments, does it, and remembers the error.
cudaError_t allocate(void **pointer, size_t bytes, Memory memory, const void *caller);
cudaError_t copy(const Copy &copy, const StreamPlace &place, const void *caller);
cudaError_t fill(const Fill &fill, const StreamPlace &place, const void *caller);

}  // namespace cudasim
