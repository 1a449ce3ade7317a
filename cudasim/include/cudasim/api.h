// The host's side of the CUDA runtime: memory, streams, events, devices.
#pragma once

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaLimit {
  cudaLimitStackSize,
  cudaLimitPrintfFifoSize,
  cudaLimitMallocHeapSize,
};
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly,
  cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation,
  cudaMemAdviseSetAccessedBy,
  cudaMemAdviseUnsetAccessedBy
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault,
  cudaSharedMemBankSizeFourByte,
  cudaSharedMemBankSizeEightByte
};
enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual
};

#define cudaHostAllocDefault 0u
#define cudaHostAllocPortable 1u
#define cudaHostAllocMapped 2u
#define cudaHostAllocWriteCombined 4u
#define cudaHostRegisterDefault 0u
#define cudaHostRegisterPortable 1u
#define cudaHostRegisterMapped 2u
#define cudaMemAttachGlobal 1u
#define cudaMemAttachHost 2u
#define cudaCpuDeviceId (-1)
#define cudaDeviceScheduleAuto 0u
#define cudaDeviceScheduleSpin 1u
#define cudaDeviceScheduleBlockingSync 4u
#define cudaDeviceMapHost 8u
#define CUDART_CB
#define cudaStreamDefault 0u
#define cudaStreamNonBlocking 1u
#define cudaEventDefault 0u
#define cudaEventBlockingSync 1u
#define cudaEventDisableTiming 2u
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)

extern "C" {
cudaError_t cudaMalloc(void **pointer, size_t bytes);
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaMallocHost(void **pointer, size_t bytes);
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void *pointer);
cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *pointer);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemset(void *pointer, int value, size_t bytes);
cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);

cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop);
cudaError_t cudaEventDestroy(cudaEvent_t event);

cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *properties);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaThreadSynchronize();
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = 0);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream = 0);
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream = 0);
cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream = 0);
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                 cudaStream_t stream = 0);
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice, int device);
cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
typedef void (*cudaHostFn_t)(void *data);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned flags);

namespace cudasim {
// The stream of a copy or fill, and whether its name ends in `Async`.
struct StreamPlace {
  bool asynchronous = false;
  cudaStream_t stream = nullptr;
  int to_device = -1, from_device = -1;  // of a copy whose name has `Peer`
};
cudaError_t copy_to_symbol(const void *symbol, size_t symbol_bytes, const void *from,
                           size_t bytes, size_t offset, cudaMemcpyKind kind,
                           const StreamPlace &place);
cudaError_t copy_from_symbol(void *to, const void *symbol, size_t symbol_bytes, size_t bytes,
                             size_t offset, cudaMemcpyKind kind, const StreamPlace &place);
cudaError_t set_dynamic_shared_limit(const void *kernel, int bytes);

// For programs that know the simulator: this allocation is left to the end of the program on purpose, and is no leak.
void keeps_to_the_end(const void *device);
}

// The typed forms are expanded at the call, so that a finding names the user's line.
#define CUDASIM_AT_CALL inline __attribute__((always_inline))

template <class Type>
CUDASIM_AT_CALL cudaError_t cudaMalloc(Type **pointer, size_t bytes) {
  return cudaMalloc(reinterpret_cast<void **>(pointer), bytes);
}
template <class Type>
CUDASIM_AT_CALL cudaError_t cudaMallocPitch(Type **pointer, size_t *pitch, size_t width,
                                            size_t height) {
  return cudaMallocPitch(reinterpret_cast<void **>(pointer), pitch, width, height);
}
template <class Type>
CUDASIM_AT_CALL cudaError_t cudaMallocManaged(Type **pointer, size_t bytes,
                                              unsigned flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(reinterpret_cast<void **>(pointer), bytes, flags);
}
template <class Type>
CUDASIM_AT_CALL cudaError_t cudaMallocAsync(Type **pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(reinterpret_cast<void **>(pointer), bytes, stream);
}
template <class Type>
CUDASIM_AT_CALL cudaError_t cudaMallocHost(Type **pointer, size_t bytes, unsigned = 0) {
  return cudaMallocHost(reinterpret_cast<void **>(pointer), bytes);
}
template <class Type>
CUDASIM_AT_CALL cudaError_t cudaHostAlloc(Type **pointer, size_t bytes, unsigned flags) {
  return cudaHostAlloc(reinterpret_cast<void **>(pointer), bytes, flags);
}
template <class Type>
CUDASIM_AT_CALL cudaError_t cudaMemcpyToSymbol(const Type &symbol, const void *from, size_t bytes,
                                               size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudasim::copy_to_symbol(&symbol, sizeof(Type), from, bytes, offset, kind, {});
}
template <class Type>
CUDASIM_AT_CALL cudaError_t cudaMemcpyFromSymbol(void *to, const Type &symbol, size_t bytes,
                                                 size_t offset = 0,
                                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudasim::copy_from_symbol(to, &symbol, sizeof(Type), bytes, offset, kind, {});
}
template <class Type>
CUDASIM_AT_CALL cudaError_t cudaMemcpyToSymbolAsync(const Type &symbol, const void *from,
                                                    size_t bytes, size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                    cudaStream_t stream = 0) {
  return cudasim::copy_to_symbol(&symbol, sizeof(Type), from, bytes, offset, kind,
                                 {true, stream});
}
template <class Type>
CUDASIM_AT_CALL cudaError_t cudaMemcpyFromSymbolAsync(void *to, const Type &symbol, size_t bytes,
                                                      size_t offset = 0,
                                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                      cudaStream_t stream = 0) {
  return cudasim::copy_from_symbol(to, &symbol, sizeof(Type), bytes, offset, kind,
                                 {true, stream});
}
template <class Type>
CUDASIM_AT_CALL cudaError_t cudaGetSymbolSize(size_t *bytes, const Type &) {
  *bytes = sizeof(Type);
  return cudaSuccess;
}
template <class Type>
CUDASIM_AT_CALL cudaError_t cudaHostGetDevicePointer(Type **device, void *host, unsigned) {
  *device = static_cast<Type *>(host);
  return cudaSuccess;
}
template <class Type, class Other>
CUDASIM_AT_CALL cudaError_t cudaGetSymbolAddress(Other **pointer, const Type &symbol) {
  void *address = const_cast<void *>(static_cast<const void *>(&symbol));
  *pointer = static_cast<Other *>(address);
  return cudaSuccess;
}
template <class Type>
CUDASIM_AT_CALL cudaError_t cudaGetSymbolAddress(void **pointer, const Type &symbol) {
  *pointer = const_cast<void *>(static_cast<const void *>(&symbol));
  return cudaSuccess;
}
template <class Type>
CUDASIM_AT_CALL cudaError_t cudaFuncSetAttribute(Type *kernel, cudaFuncAttribute attribute,
                                                 int value) {
  return attribute == cudaFuncAttributeMaxDynamicSharedMemorySize
             ? cudasim::set_dynamic_shared_limit((const void *)kernel, value)
             : cudaSuccess;
}
template <class Type>
CUDASIM_AT_CALL cudaError_t cudaFuncSetCacheConfig(Type *, cudaFuncCache) {
  return cudaSuccess;
}
