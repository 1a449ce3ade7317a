// The static shared memory of a kernel, as tools/shared-sizes found it in the program's code.
#pragma once

namespace cudasim {

// In bytes: of a kernel, or of the function that runs its threads, with all that these call.  What
// is called through a pointer or defined in another file is missing.
size_t static_shared_bytes(const void *function);

inline size_t static_shared_bytes(void (*function)(const void *)) {
  return static_shared_bytes(reinterpret_cast<const void *>(function));
}

}  // namespace cudasim
