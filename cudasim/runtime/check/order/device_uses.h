// What copies, fills, allocations and frees of streams do with device memory, and host code with
// managed memory.
#pragma once

#include "device_memory.h"
#include "region.h"

namespace cudasim {

void check_copy_order(const Copy &copy, unsigned code);
void check_fill_order(const Fill &fill, unsigned code);

// What is written with values of the host is remembered where it gets its values
// (Region::set_written).
void remember_copy(const Copy &copy, unsigned code);
void note_allocation(void *memory, unsigned code);
void note_free_in_stream(void *memory, unsigned code);

// Host code uses managed memory.
void check_managed_use(Region &region, size_t offset, size_t bytes, Access access, unsigned code);

}  // namespace cudasim
