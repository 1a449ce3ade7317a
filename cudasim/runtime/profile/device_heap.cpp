// Device memory lies in one range of addresses, and every program run gets the same places in it:
// which lines of the cache a program uses must not depend on the system's mood.

#include "device_heap.h"

#include <sys/mman.h>

#include "address_space.h"

namespace cudasim {

constexpr size_t heap_bytes = size_t(1) << 43;
constexpr size_t page_bytes = 4096;

// Pinned host memory has the upper half.
static char *heap, *next_device, *next_pinned;

static char *middle() { return heap + heap_bytes / 2; }

static void create_heap() {
  if (heap) return;
  void *memory = mmap(nullptr, heap_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    fprintf(stderr, "cudasim: cannot reserve addresses for device memory\n");
    abort();
  }
  heap = next_device = static_cast<char *>(memory);
  next_pinned = middle();
}

// Addresses are not used twice, so freed memory is told from new memory; its pages go back.
static void *take(char *&next, const char *end, size_t bytes) {
  size_t whole = (bytes + page_bytes - 1) / page_bytes * page_bytes;
  if (size_t(end - next) < whole) return nullptr;
  char *memory = next;
  next += whole;
  return memory;
}

void *take_device(size_t bytes) {
  create_heap();
  return take(next_device, middle(), bytes);
}

void give_back_device(void *memory, size_t bytes) { madvise(memory, bytes, MADV_DONTNEED); }

void *allocate_pinned(size_t bytes) {
  create_heap();
  return take(next_pinned, heap + heap_bytes, bytes);
}

cudaError_t free_pinned(void *) { return cudaSuccess; }

bool is_device_heap(const void *p) { return p >= heap && p < next_device; }
bool is_pinned_heap(const void *p) { return heap && p >= middle() && p < next_pinned; }
unsigned long long heap_offset(const void *p) {
  return (unsigned long long)(static_cast<const char *>(p) - heap);
}

}  // namespace cudasim
