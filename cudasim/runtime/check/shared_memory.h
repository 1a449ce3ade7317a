// Shared arrays: the thread-local variables of the program, and the launch's dynamic shared
// memory.
#pragma once

#include "region.h"

namespace cudasim {

// At each launch: how much dynamic shared memory it has.
void prepare_shared_memory(size_t dynamic_bytes);

bool is_shared_address(const void *p);

// The array at or before a shared address, as the running block sees it: without values
// until the block writes them.  Null for the runtime's own variables.
Region *shared_region(const void *p);

}  // namespace cudasim
