// Which kind of memory a pointer points to, and 32-bit addresses of shared memory.
#pragma once

namespace cudasim {

bool is_in_shared_window(const void *p);
size_t to_shared_window(const void *p);
void *from_shared_window(size_t offset);

}  // namespace cudasim

inline unsigned __isShared(const void *p) { return cudasim::is_in_shared_window(p); }
inline size_t __cvta_generic_to_shared(const void *p) { return cudasim::to_shared_window(p); }
inline void *__cvta_shared_to_generic(size_t address) {
  return cudasim::from_shared_window(address);
}
