// Device memory, as each mode keeps it.  New memory belongs to the current device.  `caller` is the address in
// the program that called the API function: a finding names it.
#pragma once

namespace cudasim {

enum class Memory { device, managed };

void *allocate_device(size_t bytes, Memory memory, const void *caller);
cudaError_t free_device(void *pointer, const void *caller);

void *allocate_pinned(size_t bytes);
cudaError_t free_pinned(void *pointer);

// Memory of the host's own that kernels may use.
cudaError_t register_host(void *pointer, size_t bytes);
cudaError_t unregister_host(void *pointer);

// A copy of `height` rows of `width` bytes.  Behind the first slice of a copy of several, one that
// is no call of its own.
struct Copy {
  void *to;
  size_t to_pitch;
  const void *from;
  size_t from_pitch;
  size_t width, height;
  cudaMemcpyKind kind;
  bool continues = false;
};
cudaError_t copy_memory(const Copy &copy, const void *caller);

struct Fill {
  void *to;
  size_t pitch;
  int value;
  size_t width, height;
};
cudaError_t fill_memory(const Fill &fill, const void *caller);

// Of the device's own memory; managed memory does not count, as it may be on the host.
size_t allocated_device_bytes(int device);
void free_all_device(int device);

// Whether p points to memory of the device; managed memory and variables belong to every one.
bool belongs_to(int device, const void *p);

}  // namespace cudasim
