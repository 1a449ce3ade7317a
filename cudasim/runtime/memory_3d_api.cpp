// Memory of three dimensions: slices of rows, one after the other.

#include "last_error.h"
#include "memory_api.h"

#define CALLER __builtin_return_address(0)

namespace cudasim {

static char *start_of(const cudaPitchedPtr &memory, const cudaPos &position) {
  return static_cast<char *>(memory.ptr) + position.x +
         (position.y + position.z * memory.ysize) * memory.pitch;
}

static cudaError_t copy_slices(const cudaMemcpy3DParms &p, const StreamPlace &place,
                               const void *caller) {
  if (p.srcArray || p.dstArray) return record_error(cudaErrorNotSupported);
  char *to = start_of(p.dstPtr, p.dstPos), *from = start_of(p.srcPtr, p.srcPos);
  for (size_t z = 0; z < p.extent.depth; ++z) {
    cudaError_t error = copy({to + z * p.dstPtr.pitch * p.dstPtr.ysize, p.dstPtr.pitch,
                              from + z * p.srcPtr.pitch * p.srcPtr.ysize, p.srcPtr.pitch,
                              p.extent.width, p.extent.height, p.kind, z > 0},
                             place, caller);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace cudasim

cudaError_t cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent) {
  size_t unit = cudasim::pitch_alignment, pitch = (extent.width + unit - 1) / unit * unit;
  *pointer = {nullptr, pitch, extent.width, extent.height};
  return cudasim::allocate(&pointer->ptr, pitch * extent.height * extent.depth,
                           cudasim::Memory::device, CALLER);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *parameters) {
  return cudasim::copy_slices(*parameters, {}, CALLER);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *parameters, cudaStream_t stream) {
  return cudasim::copy_slices(*parameters, {true, stream}, CALLER);
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  for (size_t z = 0; z < extent.depth; ++z) {
    char *slice = static_cast<char *>(pointer.ptr) + z * pointer.pitch * pointer.ysize;
    cudaError_t error =
        cudasim::fill({slice, pointer.pitch, value, extent.width, extent.height}, {},
                      CALLER);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
