// cudaFuncSetAttribute(MaxDynamicSharedMemorySize), remembered per kernel.
#pragma once

namespace cudasim {

// How much dynamic shared memory a launch of this kernel may ask for, beside its static shared memory.  A
// kernel without a known address (a template with deduced arguments) may have what any kernel was given.
size_t dynamic_shared_limit(const void *kernel, size_t static_shared);

}  // namespace cudasim
