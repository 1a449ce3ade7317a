// Every access of instrumented code to memory comes through here.
#pragma once

#include "cell.h"

namespace cudasim {

void check_access(const void *address, size_t bytes, Access access, const void *caller);

// An access that the compiler takes to be aligned.
void check_aligned_access(const void *address, size_t bytes, Access access, const void *caller);

// A kernel takes something of this type to be where it cannot be.
void report_misaligned_type(const void *address, const char *type, size_t unit, unsigned code);

// Code that is not instrumented touched device memory from the host.
void report_host_access(const void *address, const void *caller);

}  // namespace cudasim
