// Device memory of the modes that do not check: host memory, filled with NaN so that a read
// before the first write shows in the result.  Wrong calls give the error codes that a GPU would.

#include "device_memory.h"

#include "allocation_table.h"
#include "device_heap.h"
#include "device_sections.h"
#include "devices.h"
#include "lock.h"

namespace cudasim {

constexpr int poison = 0xff;

static pthread_mutex_t memory_mutex = PTHREAD_MUTEX_INITIALIZER;
static AllocationTable device_table;
static size_t device_totals[max_devices];

static size_t &total_of(const Allocation &allocation) {
  static size_t managed_total;
  return allocation.managed ? managed_total : device_totals[allocation.device];
}

void *allocate_device(size_t bytes, Memory kind, const void *) {
  void *memory = take_device(bytes);
  if (!memory) return nullptr;
  memset(memory, poison, bytes);
  Lock lock(memory_mutex);
  Allocation allocation = {static_cast<char *>(memory), bytes, current_device(),
                           kind == Memory::managed};
  device_table.insert(allocation);
  total_of(allocation) += bytes;
  return memory;
}

cudaError_t free_device(void *pointer, const void *) {
  Lock lock(memory_mutex);
  const Allocation *allocation = device_table.beginning_at(pointer);
  if (!allocation) return cudaErrorInvalidValue;
  size_t bytes = allocation->bytes;
  total_of(*allocation) -= bytes;
  device_table.remove(pointer);
  give_back_device(pointer, bytes);
  return cudaSuccess;
}

void free_all_device(int device) {
  Lock lock(memory_mutex);
  for (size_t i = device_table.size(); i--;) {
    const Allocation allocation = device_table[i];
    if (allocation.device != device) continue;
    total_of(allocation) -= allocation.bytes;
    device_table.remove(allocation.begin);
    give_back_device(allocation.begin, allocation.bytes);
  }
}

void keeps_to_the_end(const void *) {}

size_t allocated_device_bytes(int device) {
  Lock lock(memory_mutex);
  return device_totals[device];
}

bool belongs_to(int device, const void *p) {
  Lock lock(memory_mutex);
  const Allocation *allocation = device_table.containing(p);
  if (!allocation) return is_device_variable(p);
  return allocation->managed || allocation->device == device;
}

cudaError_t register_host(void *, size_t) { return cudaSuccess; }

cudaError_t unregister_host(void *) { return cudaSuccess; }

static size_t extent(size_t pitch, size_t width, size_t height) {
  return pitch * (height - 1) + width;
}

// A pointer that the copy's direction calls a device pointer must be one; a host pointer
// may be anything, as with unified addressing.
static cudaError_t check_side(const void *p, size_t bytes, bool device) {
  Lock lock(memory_mutex);
  const Allocation *allocation = device_table.containing(p);
  if (!allocation) return !device || is_device_variable(p) ? cudaSuccess : cudaErrorInvalidValue;
  return allocation->holds(p, bytes) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t copy_memory(const Copy &copy, const void *) {
  bool to_device = copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyDeviceToDevice;
  bool from_device = copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyDeviceToDevice;
  size_t to_bytes = extent(copy.to_pitch, copy.width, copy.height);
  size_t from_bytes = extent(copy.from_pitch, copy.width, copy.height);
  cudaError_t error = check_side(copy.to, to_bytes, to_device);
  if (error == cudaSuccess) error = check_side(copy.from, from_bytes, from_device);
  if (error != cudaSuccess) return error;
  for (size_t row = 0; row < copy.height; ++row)
    memmove(static_cast<char *>(copy.to) + row * copy.to_pitch,
            static_cast<const char *>(copy.from) + row * copy.from_pitch, copy.width);
  return cudaSuccess;
}

cudaError_t fill_memory(const Fill &fill, const void *) {
  cudaError_t error = check_side(fill.to, extent(fill.pitch, fill.width, fill.height), true);
  if (error != cudaSuccess) return error;
  for (size_t row = 0; row < fill.height; ++row)
    memset(static_cast<char *>(fill.to) + row * fill.pitch, fill.value, fill.width);
  return cudaSuccess;
}

}  // namespace cudasim
