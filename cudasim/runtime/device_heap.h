// Where device and pinned memory that nobody checks comes from.
#pragma once

namespace cudasim {

constexpr size_t device_alignment = 256;

// Memory at a multiple of device_alignment, or null.
void *take_device(size_t bytes);
void give_back_device(void *memory, size_t bytes);

}  // namespace cudasim
