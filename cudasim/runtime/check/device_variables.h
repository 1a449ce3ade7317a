// __device__, __constant__ and __managed__ variables: they lie in sections of their own.
#pragma once

#include "region.h"

namespace cudasim {

// The variable at or before the address, if it lies in one of those sections.
Region *variable_region(const void *p);

}  // namespace cudasim
