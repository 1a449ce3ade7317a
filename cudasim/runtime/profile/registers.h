// How many registers a thread of a kernel has.  Only nvcc knows; the variable CUDASIM_REGISTERS passes it on:
// a number for all kernels, `kernel=number` for one, or several of these with semicolons between them.
#pragma once

#include <string>

namespace cudasim {

// 0 if it is not known.
unsigned registers_of(const std::string &kernel);

}  // namespace cudasim
