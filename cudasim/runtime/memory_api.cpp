// cudaMalloc, cudaMemcpy and their kin.

#include "device_memory.h"
#include "device_model.h"
#include "devices.h"
#include "last_error.h"
#include "memory_api.h"
#include "observer.h"
#include "stream_order.h"
#include "turn.h"

#define CALLER __builtin_return_address(0)

namespace cudasim {

static size_t free_device_bytes() {
  return device_model().memory_bytes - allocated_device_bytes(current_device());
}

cudaError_t allocate(void **pointer, size_t bytes, Memory memory, const void *caller) {
  if (!pointer) return record_error(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  Turn turn;
  if (memory == Memory::device && bytes > free_device_bytes())
    return record_error(cudaErrorMemoryAllocation);
  *pointer = allocate_device(bytes, memory, caller);
  return *pointer ? cudaSuccess : record_error(cudaErrorMemoryAllocation);
}

cudaError_t copy(const Copy &copy, const StreamPlace &place, const void *caller) {
  if (copy.kind < cudaMemcpyHostToHost || copy.kind > cudaMemcpyDefault)
    return record_error(cudaErrorInvalidMemcpyDirection);
  if (copy.width == 0 || copy.height == 0) return cudaSuccess;
  if (copy.height > 1 && (copy.width > copy.to_pitch || copy.width > copy.from_pitch))
    return record_error(cudaErrorInvalidPitchValue);
  Turn turn;
  cudaError_t error = order_copy(copy, place, caller, [copy, caller] {
    cudaError_t result = copy_memory(copy, caller);
    if (result == cudaSuccess) observe_copy(copy, caller);
    return result;
  });
  return record_error(error);
}

static cudaError_t copy_bytes(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                              const StreamPlace &place, const void *caller) {
  return copy({to, bytes, from, bytes, bytes, 1, kind}, place, caller);
}

cudaError_t fill(const Fill &fill, const StreamPlace &place, const void *caller) {
  if (fill.width == 0 || fill.height == 0) return cudaSuccess;
  Turn turn;
  cudaError_t error = order_fill(fill, place, caller, [fill, caller] {
    cudaError_t result = fill_memory(fill, caller);
    if (result == cudaSuccess) observe_fill(fill, caller);
    return result;
  });
  return record_error(error);
}

// Whether p is memory of the device; anything else is a finding.
static bool is_memory_of(int device, const void *p, const char *role, const void *caller) {
  if (belongs_to(device, p)) return true;
  Turn turn;
  observe_foreign_memory(device, p, role, caller);
  return false;
}

static cudaError_t copy_between_devices(void *to, int to_device, const void *from, int from_device,
                                        size_t bytes, const StreamPlace &place, const void *caller) {
  for (int device : {to_device, from_device})
    if (device < 0 || device >= device_count()) return record_error(cudaErrorInvalidDevice);
  if (bytes == 0) return cudaSuccess;
  if (!is_memory_of(to_device, to, "the destination", caller) ||
      !is_memory_of(from_device, from, "the source", caller))
    return record_error(cudaErrorInvalidValue);
  return copy_bytes(to, from, bytes, cudaMemcpyDeviceToDevice, place, caller);
}

static bool fits_symbol(const void *symbol, size_t symbol_bytes, size_t bytes, size_t offset,
                        const void *caller) {
  if (offset <= symbol_bytes && bytes <= symbol_bytes - offset) return true;
  Turn turn;
  observe_beyond_symbol(symbol, bytes, offset, caller);
  return false;
}

cudaError_t copy_to_symbol(const void *symbol, size_t symbol_bytes, const void *from,
                           size_t bytes, size_t offset, cudaMemcpyKind kind, const StreamPlace &place) {
  if (!fits_symbol(symbol, symbol_bytes, bytes, offset, CALLER))
    return record_error(cudaErrorInvalidValue);
  char *to = static_cast<char *>(const_cast<void *>(symbol)) + offset;
  return copy_bytes(to, from, bytes, kind, place, CALLER);
}

cudaError_t copy_from_symbol(void *to, const void *symbol, size_t symbol_bytes, size_t bytes,
                             size_t offset, cudaMemcpyKind kind, const StreamPlace &place) {
  if (!fits_symbol(symbol, symbol_bytes, bytes, offset, CALLER))
    return record_error(cudaErrorInvalidValue);
  return copy_bytes(to, static_cast<const char *>(symbol) + offset, bytes, kind, place, CALLER);
}

}  // namespace cudasim

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  return cudasim::allocate(pointer, bytes, cudasim::Memory::device, CALLER);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
  cudasim::Turn turn;
  cudaError_t error = cudasim::allocate(pointer, bytes, cudasim::Memory::device, CALLER);
  if (error == cudaSuccess && *pointer) cudasim::order_allocation(*pointer, stream, CALLER);
  return error;
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned) {
  return cudasim::allocate(pointer, bytes, cudasim::Memory::managed, CALLER);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  size_t unit = cudasim::pitch_alignment;
  *pitch = (width + unit - 1) / unit * unit;
  return cudasim::allocate(pointer, *pitch * height, cudasim::Memory::device, CALLER);
}

// It waits for all work, as the memory may be in use by any device.
cudaError_t cudaFree(void *pointer) {
  if (!pointer) return cudaSuccess;
  cudasim::Turn turn;
  cudasim::wait_for_all_devices();
  return cudasim::record_error(cudasim::free_device(pointer, CALLER));
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  if (!pointer) return cudaSuccess;
  cudasim::Turn turn;
  const void *caller = CALLER;
  return cudasim::record_error(cudasim::order_free(
      pointer, stream, caller, [=] { return cudasim::free_device(pointer, caller); }));
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  if (!pointer) return cudasim::record_error(cudaErrorInvalidValue);
  cudasim::Turn turn;
  *pointer = bytes ? cudasim::allocate_pinned(bytes) : nullptr;
  return *pointer || !bytes ? cudaSuccess : cudasim::record_error(cudaErrorMemoryAllocation);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned) {
  return cudaMallocHost(pointer, bytes);
}

cudaError_t cudaFreeHost(void *pointer) {
  if (!pointer) return cudaSuccess;
  cudasim::Turn turn;
  cudasim::wait_for_all_devices();
  return cudasim::record_error(cudasim::free_pinned(pointer));
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned) {
  if (!pointer || !bytes) return cudasim::record_error(cudaErrorInvalidValue);
  cudasim::Turn turn;
  return cudasim::record_error(cudasim::register_host(pointer, bytes));
}

cudaError_t cudaHostUnregister(void *pointer) {
  cudasim::Turn turn;
  return cudasim::record_error(cudasim::unregister_host(pointer));
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return cudasim::copy_bytes(to, from, bytes, kind, {}, CALLER);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return cudasim::copy_bytes(to, from, bytes, kind, {true, stream}, CALLER);
}

// It is serialised with all work of the three devices that it concerns, before and after it.
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes) {
  return cudasim::copy_between_devices(to, to_device, from, from_device, bytes,
                                       {false, nullptr, to_device, from_device}, CALLER);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  return cudasim::copy_between_devices(to, to_device, from, from_device, bytes,
                                       {true, stream, to_device, from_device}, CALLER);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return cudasim::copy({to, to_pitch, from, from_pitch, width, height, kind}, {}, CALLER);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return cudasim::copy({to, to_pitch, from, from_pitch, width, height, kind}, {true, stream},
                       CALLER);
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
  return cudasim::fill({pointer, bytes, value, bytes, 1}, {}, CALLER);
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
  return cudasim::fill({pointer, bytes, value, bytes, 1}, {true, stream}, CALLER);
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
  return cudasim::fill({pointer, pitch, value, width, height}, {}, CALLER);
}

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return cudasim::fill({pointer, pitch, value, width, height}, {true, stream}, CALLER);
}

cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t) { return cudaSuccess; }

cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  cudasim::Turn turn;
  *total_bytes = cudasim::device_model().memory_bytes;
  *free_bytes = cudasim::free_device_bytes();
  return cudaSuccess;
}
