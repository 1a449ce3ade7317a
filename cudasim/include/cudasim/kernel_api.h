// Kernels as values: launches by name, their attributes, and how many of their blocks fit.
#pragma once

struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
  int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

namespace cudasim {

cudaError_t occupancy(int *blocks, const void *kernel, int threads, size_t dynamic_shared);
cudaFuncAttributes kernel_attributes(const void *kernel);
cudaError_t check_cooperative(dim3 grid);

template <class... Parameter, size_t... index>
CUDASIM_UNCHECKED cudaError_t launch_with(const Site &site, const Shape &shape,
                                          void (*kernel)(Parameter...), void **arguments,
                                          std::index_sequence<index...>) {
  std::tuple<std::decay_t<Parameter>...> values(
      *static_cast<std::remove_reference_t<Parameter> *>(arguments[index])...);
  return launch_body(site, shape, (const void *)kernel, [kernel, values]() CUDASIM_UNCHECKED {
    kernel(std::get<index>(values)...);
  });
}

}  // namespace cudasim

template <class... Parameter>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameter...), dim3 grid, dim3 block, void **arguments,
                             size_t dynamic_shared = 0, cudaStream_t stream = 0, CUDASIM_HERE) {
  return cudasim::launch_with({"a kernel", file, line}, {grid, block, dynamic_shared, stream},
                              kernel, arguments, std::index_sequence_for<Parameter...>());
}

// A kernel whose threads may wait for those of other blocks: only one block can have that here.
template <class... Parameter>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameter...), dim3 grid, dim3 block,
                                        void **arguments, size_t dynamic_shared = 0,
                                        cudaStream_t stream = 0, CUDASIM_HERE) {
  cudaError_t error = cudasim::check_cooperative(grid);
  if (error != cudaSuccess) return error;
  return cudaLaunchKernel(kernel, grid, block, arguments, dynamic_shared, stream, file, line);
}

// What a void pointer points to does not say which arguments the kernel takes.
template <class Type, class = std::enable_if_t<std::is_void<Type>::value>>
cudaError_t cudaLaunchKernel(Type *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0) {
  static_assert(!std::is_void<Type>::value, "cudasim: give cudaLaunchKernel the kernel itself, not a void pointer");
  return cudaErrorInvalidDeviceFunction;
}

template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, Kernel *kernel) {
  *attributes = cudasim::kernel_attributes((const void *)kernel);
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Kernel kernel, int threads,
                                                          size_t dynamic_shared) {
  return cudasim::occupancy(blocks, (const void *)kernel, threads, dynamic_shared);
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, Kernel kernel,
                                                                   int threads,
                                                                   size_t dynamic_shared, unsigned) {
  return cudasim::occupancy(blocks, (const void *)kernel, threads, dynamic_shared);
}

// The largest block that is allowed: without registers to count, it is as good as any.
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *least_grid, int *block, Kernel kernel,
                                               size_t dynamic_shared = 0, int limit = 0) {
  *block = limit > 0 && limit < 1024 ? limit : 1024;
  cudaError_t error = cudasim::occupancy(least_grid, (const void *)kernel, *block, dynamic_shared);
  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  *least_grid *= multiprocessors;
  return error;
}
