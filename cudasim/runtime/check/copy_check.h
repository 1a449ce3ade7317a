// cudaMemcpy, cudaMemset and cudaFree with wrong arguments.
#pragma once

#include "region.h"

namespace cudasim {

// False if the pointer cannot be freed.
bool check_free(const void *pointer, const Region *region, const void *caller);

}  // namespace cudasim
