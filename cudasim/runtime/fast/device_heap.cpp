#include "device_heap.h"

namespace cudasim {

void *take_device(size_t bytes) {
  return aligned_alloc(device_alignment,
                       (bytes + device_alignment - 1) / device_alignment * device_alignment);
}

void give_back_device(void *memory, size_t) { free(memory); }

void *allocate_pinned(size_t bytes) { return malloc(bytes); }

cudaError_t free_pinned(void *pointer) {
  free(pointer);
  return cudaSuccess;
}

}  // namespace cudasim
