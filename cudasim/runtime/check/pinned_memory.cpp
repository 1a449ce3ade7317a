#include "pinned_memory.h"

#include "allocation_table.h"
#include "device_memory.h"

namespace cudasim {

static AllocationTable pinned;

bool is_pinned(const void *p) { return pinned.containing(p); }

void *allocate_pinned(size_t bytes) {
  void *memory = malloc(bytes);
  if (memory) pinned.insert({static_cast<char *>(memory), bytes});
  return memory;
}

cudaError_t free_pinned(void *pointer) {
  if (!pinned.beginning_at(pointer)) return cudaErrorInvalidValue;
  pinned.remove(pointer);
  free(pointer);
  return cudaSuccess;
}

cudaError_t register_host(void *pointer, size_t bytes) {
  if (is_pinned(pointer)) return cudaErrorHostMemoryAlreadyRegistered;
  pinned.insert({static_cast<char *>(pointer), bytes});
  return cudaSuccess;
}

cudaError_t unregister_host(void *pointer) {
  if (!pinned.beginning_at(pointer)) return cudaErrorHostMemoryNotRegistered;
  pinned.remove(pointer);
  return cudaSuccess;
}

}  // namespace cudasim
